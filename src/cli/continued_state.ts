/** The flag `--continue-from`: a training that forks from a state of an earlier run. */
import { InvalidArgumentError } from "@commander-js/extra-typings";
import { projectRootOf } from "../pipeline/project/mod.ts";
import type { ResolvedPipeline } from "../pipeline/read/mod.ts";
import type { ContinueFrom } from "../pipeline/plan/mod.ts";

/** The flag that forks a training. */
export const continueFlag = "--continue-from <run[:step]>";
export const continueHelp = "continue loops from the states of this run";

/** Value of the flag: an id, the unique beginning of one or `last`, and a step. */
interface NamedState {
  readonly run: string;
  readonly step?: number;
}

/** @throws InvalidArgumentError if the text is of another form. */
export function namedState(text: string): NamedState {
  const [, run, step] = /^([^:]+)(?::([0-9]+))?$/.exec(text) ?? [];
  if (run === undefined) throw new InvalidArgumentError('wanted RUN or RUN:STEP, as "last:500".');
  return { run, ...(step !== undefined && { step: Number(step) }) };
}

/**
 * The run that is meant, among those of the pipeline's project.
 *
 * @throws InputError if no run, or more than one, is meant.
 */
export async function continuedState(
  { absolutePath }: ResolvedPipeline,
  named: NamedState | undefined,
): Promise<ContinueFrom | undefined> {
  if (!named) return undefined;
  const { findRuns } = await import("../pipeline/store/mod.ts");
  const [runId] = findRuns(projectRootOf(absolutePath), named.run);
  return { runId, step: named.step };
}
