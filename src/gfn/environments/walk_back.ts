/** Walking back: log P_B of given trajectories, and trajectories drawn from an object backwards. */
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
 * Another way to the same object, drawn by walking back from it with the uniform backward policy;
 * one uniform number per step. On trees the only way.
 *
 * @param actions Any way to the object, exit included.
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
