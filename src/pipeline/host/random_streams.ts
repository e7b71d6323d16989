/** Random streams of a stage, for kinds that declare that they draw. */
import { RandomStream } from "../../base/random.ts";
import type { StageContext, StageKind } from "../contract/stage.ts";

/**
 * Streams by purpose; they depend on the seed, the stage's name and the step.
 *
 * @throws Error if the kind does not declare `random`: seed and name would be missing in the
 * fingerprint, and the cache would answer for a seed with the results of another.
 */
export function randomStreams(
  { kind, random }: Pick<StageKind, "kind" | "random">,
  { seed, stage, step }: { readonly seed: number; readonly stage: string; readonly step: number },
): StageContext["random"] {
  return (purpose) => {
    if (random) return new RandomStream(`seed ${seed}`, stage, step, purpose);
    throw new Error(
      `stage "${stage}" draws random numbers ("${purpose}"), which its kind "${kind}" does not ` +
        `declare: add random: true, so that seed and name enter the stage's fingerprint`,
    );
  };
}
