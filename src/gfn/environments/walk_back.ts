/** Backward trajectories: log P_B of given ones, and draws of others from an object. */
import type { RandomStream } from "../../base/random.ts";
import { log } from "../../numerics/math/mod.ts";
import type { Actions, Environment } from "./environment.ts";

/** Σ log P_B of a trajectory under the uniform backward policy; 0 on trees. */
export function uniformLogPb<S>(environment: Environment<S>, actions: Actions): number {
  const { backward, exitAction } = environment;
  if (!backward) return 0;
  let [state, sum] = [environment.initialState(), 0];
  for (const action of actions) {
    if (action === exitAction) break;
    state = environment.step(state, action);
    sum -= log(backward.legalActions(state).reduce((n, legal) => n + legal, 0));
  }
  return sum;
}

/**
 * Another path to the same object, drawn backwards from it by the uniform backward policy;
 * one uniform number per step. On trees the only path.
 *
 * @param actions Any path to the object, exit included.
 */
export function resampleBackward<S>(
  environment: Environment<S>,
  actions: Actions,
  random: RandomStream,
): number[] {
  const { backward, exitAction } = environment;
  if (!backward) return [...actions];
  let state = environment.initialState();
  for (const action of actions) {
    if (action !== exitAction) state = environment.step(state, action);
  }
  const reversed: number[] = [];
  for (;;) {
    const legal = [...backward.legalActions(state).keys()]
      .filter((one) => backward.legalActions(state)[one] === 1);
    if (legal.length === 0) break;
    const before = backward.previous(state, legal[random.below(legal.length)]);
    reversed.push(before.action);
    state = before.state;
  }
  return [...reversed.reverse(), exitAction];
}
