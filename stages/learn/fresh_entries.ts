/** Fresh trajectories with the log rewards of their complete prefixes, checked. */
import { inputError } from "../../src/base/diagnostic.ts";
import { ownLogRewards } from "../../src/gfn/train/mod.ts";
import {
  entryOf,
  type Environment,
  legalIn,
  placeIn,
  type ReplayEntry,
  type Walked,
} from "../../src/gfn/environments/mod.ts";
import type { Reads } from "../../src/gfn/objectives/mod.ts";
import type { LogRewards, SampledTrajectories } from "../ports/values.ts";

/**
 * One entry per fresh trajectory; log rewards come from a judge or from the environment itself. A
 * judge may have seen the ends alone (`states = "terminal"`): states before the end then have 0,
 * which an objective that reads ends only never reads; for an objective that does not declare its
 * reads they are NaN, so that a read of them is noticed.
 *
 * @throws InputError if neither gives them, one is NaN or infinite, or one that is read is missing.
 */
export function freshEntries(
  { environment, trajectories }: SampledTrajectories,
  judged: LogRewards | undefined,
  { name, reads }: { readonly name: string; readonly reads: Reads | undefined },
): ReplayEntry[] {
  const values = judged?.values ?? ownLogRewards(environment, trajectories);
  return trajectories.map((trajectory, i) => {
    const missing = countTerminable(environment, trajectory) - values[i].length;
    if (missing > 0 && reads === "prefixes") throw missed(name, missing);
    const wrong = values[i].find((one) => !Number.isFinite(one));
    if (wrong !== undefined) throw notFinite(trajectory.text, wrong);
    const unseen = new Array<number>(missing).fill(reads === undefined ? NaN : 0);
    return entryOf(trajectory, [...unseen, ...values[i]]);
  });
}

/** Complete objects that a trajectory passes, its own included. */
function countTerminable(environment: Environment, { actions, prompt }: Walked): number {
  const { exitAction } = environment;
  let [state, count] = [environment.initialState(prompt), 0];
  for (const action of actions) {
    if (placeIn(legalIn(environment, state), exitAction) >= 0) count++;
    if (action !== exitAction) state = environment.step(state, action);
  }
  return count;
}

function missed(objective: string, missing: number): Error {
  const message =
    `Cannot learn by ${objective}: ${missing} complete prefixes of a trajectory have ` +
    "no log reward";
  const hint = 'set states = "terminable" of sandbox_execute or judge, or flow = "learned"';
  return inputError("learn/missing-reward", message, undefined, hint);
}

/** The error for a reward that no objective can learn from. */
export function notFinite(text: string, value: number): Error {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  const message = `Cannot learn: the log reward on the way to ${JSON.stringify(shown)} is ${value}`;
  const hint = "a policy has probability above 0 wherever it may go: give failures a finite floor";
  return inputError("reward/not-finite", message, undefined, hint);
}
