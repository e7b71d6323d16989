/** Continuations: loops that begin where those of another run were after a step. */
import { join } from "node:path";
import type { Json } from "../../base/canonical_json.ts";
import { inputError } from "../../base/diagnostic.ts";
import { sha256 } from "../../base/digest.ts";
import type { ResolvedStage } from "../read/resolved.ts";
import { type Checkpoint, Checkpoints } from "../store/checkpoints.ts";
import { checkpointKey, type RecordedStage, stagesOfRun } from "../store/run_stages.ts";

/** Where a loop goes on. */
export interface Continuation {
  readonly runId: string;
  /** State and instances after the step; its rows stay in that run. */
  readonly checkpoint: Checkpoint;
}

/** A run whose loops are gone on with. */
export interface ContinueFrom {
  /** Whole id of the run. */
  readonly runId: string;
  /** Of its loops; their last step if left out. */
  readonly step?: number;
}

/** Part of a continuation in a fingerprint: the state, whichever run it is of. */
export function continuedPart(from: Continuation | undefined): Json | undefined {
  if (!from) return undefined;
  const { step, payload } = from.checkpoint;
  return { step, state: sha256(payload) };
}

/**
 * The loops of a pipeline that another run has too, each with the state that it goes on from.
 *
 * @throws InputError `continue/…` if there is no such run, loop or step, or a loop would have
 * nothing left to do.
 */
export function continuations(
  root: string,
  stages: readonly ResolvedStage[],
  { runId, step }: ContinueFrom,
): Map<string, Continuation> {
  const before = new Map(stagesOfRun(root, runId)?.map((one) => [one.stage, one]));
  const shared = stages.filter(({ loop, name }) => loop && before.get(name)?.fingerprint);
  if (shared.length === 0) {
    const loops = stages.filter(({ loop }) => loop).map(({ name }) => name).join(", ") || "none";
    const message = `Cannot continue from run ${runId}: it has no loop of this pipeline`;
    throw inputError("continue/no-loop", message, undefined, `the pipeline's loops: ${loops}`);
  }
  const checkpoints = new Checkpoints(join(root, ".sluice", "checkpoints"));
  return new Map(shared.map((stage) => {
    const checkpoint = checkpointOf(checkpoints, before.get(stage.name)!, runId, step);
    requireRoom(stage, checkpoint, runId);
    return [stage.name, { runId, checkpoint }];
  }));
}

function checkpointOf(
  checkpoints: Checkpoints,
  { stage, fingerprint }: RecordedStage,
  runId: string,
  step: number | undefined,
): Checkpoint {
  const key = checkpointKey(stage, fingerprint!);
  const found = step === undefined ? checkpoints.latest(key) : checkpoints.at(key, step);
  if (found) return found;
  const kept = checkpoints.steps(key).toReversed();
  const what = step === undefined ? "its last state" : `its state after step ${step}`;
  const hint = kept.length > 0
    ? `steps that are kept: ${
      kept.join(", ")
    }; with keep_every = N, --force ${stage} keeps every N-th`
    : "a loop that came from the cache, or ran before states were kept, has none: run it again";
  const message = `Cannot continue "${stage}" from run ${runId}: ${what} is not kept`;
  throw inputError("continue/no-state", message, undefined, hint);
}

/** Refuses a loop that is over before it begins, and one with stages that the state lacks. */
function requireRoom({ name, loop, span }: ResolvedStage, from: Checkpoint, runId: string): void {
  const { steps, stages } = loop!;
  const what = `Cannot continue "${name}" after step ${from.step} of run ${runId}`;
  if (from.step >= steps) {
    const hint = `--set stages.${name}.steps=${
      2 * from.step
    }: steps are counted from the first run`;
    throw inputError("continue/no-steps", `${what}: it has ${steps} steps`, span, hint);
  }
  const known = new Set(stages.map((one) => `instance:${one.name}`));
  const lost = from.parts.map((part) => part.name)
    .find((part) => part.startsWith("instance:") && !known.has(part));
  if (lost === undefined) return;
  const message = `${what}: no stage of the loop is called "${lost.slice("instance:".length)}"`;
  throw inputError("continue/other-loop", message, span, "keep the names of the loop's stages");
}
