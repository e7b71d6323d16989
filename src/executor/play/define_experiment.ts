/** Experiments of one's own: the default export of a module, for worlds that no program can express. */
import { answerOfWorld, type WorldAsk } from "./answer_of_world.ts";
import type { ExperimentDefinition } from "./own_world.ts";

/** A module of one's own that is an experiment. */
export interface OwnExperiment extends ExperimentDefinition {
  /** Discriminates it from other plug-ins. */
  readonly kind: "experiment";
  /** Answers the runner, in a process that may do nothing else. @throws InputError if the world gives no number. */
  answer(ask: unknown): unknown;
}

/**
 * Makes an experiment of one's own: `export default defineExperiment({ … })`, named by path in a stage of kind
 * `experiment` (`module = "./mine.ts"`).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { defineExperiment } from "./define_experiment.ts";
 * const coin = defineExperiment({
 *   name: "coin",
 *   version: 1,
 *   response: { name: "heads", type: "binary" },
 *   inputs: { force: { type: "real", low: 0, high: 1 } },
 *   story: "A coin that is thrown with a force.",
 *   plain_story: "A number leads to 0 or 1.",
 *   words: "With {force} it is {heads}.",
 *   begin: (random) => ({ edge: random.uniform() }),
 *   respond: ({ edge }, { force }, random) => random.uniform() < (Number(force) > edge ? 0.9 : 0.5) ? 1 : 0,
 * });
 * const [{ names }] = coin.answer({ op: "latents", keys: [["seed", 1]] }) as { names: string[] }[];
 * assert.deepEqual(names, ["edge"]);
 * ```
 */
export function defineExperiment(definition: ExperimentDefinition): OwnExperiment {
  const answer = (ask: unknown) => answerOfWorld(definition, ask as WorldAsk);
  return Object.freeze({ ...definition, kind: "experiment" as const, answer });
}

/** Whether a value was made with `defineExperiment`. */
export function isOwnExperiment(value: unknown): value is OwnExperiment {
  return typeof value === "object" && value !== null &&
    (value as OwnExperiment).kind === "experiment" &&
    typeof (value as OwnExperiment).answer === "function";
}
