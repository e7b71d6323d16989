/** The analytic optimum on an enumerated environment: flows by summing rewards from the end. */
import { logAddExp } from "../../numerics/math/mod.ts";
import type { Environment, TerminalObject } from "../environments/environment.ts";
import { type StateGraph, stateGraph } from "../environments/state_graph.ts";
import type { Batch, Scores } from "../trajectories/trajectory.ts";

/** log F of every state of an environment under one reward and one backward policy. */
export interface OptimalFlow {
  /** Every state and step. */
  readonly graph: StateGraph<unknown>;
  /** `[steps]`: log P_B of each step. */
  readonly logPb: Float64Array;
  /** `[states]`: log R of exiting there; −Infinity where that is illegal. */
  readonly logReward: Float64Array;
  /** `[states]`: log F; that of the initial state is log Z. */
  readonly logFlow: Float64Array;
}

/** Rewards and log P_B of an optimum, where they are not the environment's. */
export interface OptimumOptions {
  /** log R of an object; the environment's own if left out. */
  readonly logReward?: (object: TerminalObject) => number;
  /** `[steps]`: log P_B of each step of the graph; uniform over parents if left out. */
  readonly logPb?: (graph: StateGraph<unknown>) => Float64Array;
}

/**
 * F(s) = R(s) + Σ F(s') P_B(s|s') over the children s' of s: on trees the sum of rewards below s.
 *
 * @throws InputError if the environment has too many states.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { hypergridEnvironment } from "../environments/hypergrid.ts";
 * import { optimalFlow } from "./optimal_flow.ts";
 * const grid = hypergridEnvironment({ ndim: 2, height: 8, r0: 0.1, r1: 0.5, r2: 2 });
 * assert.equal(optimalFlow(grid).logFlow[0].toFixed(4), "3.1091");
 * ```
 */
export function optimalFlow<S>(
  environment: Environment<S>,
  options: OptimumOptions = {},
): OptimalFlow {
  const graph = stateGraph(environment as Environment);
  const logRewardOf = options.logReward ?? ((object: TerminalObject) => object.logReward!);
  const { states, terminable, firstStep, to } = graph;
  const logPb = options.logPb?.(graph) ?? graph.logPb;
  const logReward = Float64Array.from(states, (state, i) => {
    return terminable[i] === 1 ? logRewardOf(environment.terminal(state as S)) : -Infinity;
  });
  const logFlow = logReward.slice();
  for (let i = states.length - 1; i >= 0; i--) {
    for (let step = firstStep[i]; step < firstStep[i + 1]; step++) {
      logFlow[i] = logAddExp(logFlow[i], logFlow[to[step]] + logPb[step]);
    }
  }
  return { graph, logPb, logReward, logFlow };
}

/**
 * Scores of a batch by a perfect policy: log P_F = log F(s') + log P_B − log F(s), and the flow
 * head log F(s) − log Z. Every balance objective is 0 here, with gradient 0.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { makeBatch } from "../trajectories/batch.ts";
 * import { optimalFlow, optimalScores } from "./optimal_flow.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * const batch = makeBatch(environment, [...environment.enumerate()]);
 * const { logPf } = optimalScores(optimalFlow(environment), batch);
 * const mass = Array.from({ length: 10 }, (_, b) =>
 *   Math.exp(logPf.subarray(b * batch.T, (b + 1) * batch.T).reduce((sum, one) => sum + one, 0)));
 * assert(mass.every((one) => Math.abs(one - 0.1) < 1e-9));
 * ```
 *
 * @param learned True for scores that hold log P_B, as those of a policy that learns it.
 */
export function optimalScores(flow: OptimalFlow, batch: Batch, learned = false): Scores {
  const { graph, logPb, logReward, logFlow } = flow;
  const zeros = () => new Float64Array(batch.B * batch.T);
  const scores = { logPf: zeros(), logExit: zeros(), logFlow: zeros(), handle: 0 };
  const learnedPb = zeros();
  const numbers = batch.states.keys.map((key) => graph.index.get(key)!);
  for (let at = 0; at < batch.B * batch.T; at++) {
    if (batch.states.index[at] < 0) continue;
    const state = numbers[batch.states.index[at]];
    scores.logFlow[at] = logFlow[state] - logFlow[0];
    if (batch.terminable[at] === 1) scores.logExit[at] = logReward[state] - logFlow[state];
    const step = stepOf(graph, state, batch.actions[at]);
    if (step === undefined) scores.logPf[at] = scores.logExit[at];
    else {
      scores.logPf[at] = logFlow[graph.to[step]] + logPb[step] - logFlow[state];
      learnedPb[at] = logPb[step];
    }
  }
  return learned ? { ...scores, logPb: learnedPb } : scores;
}

/** The step that an action makes; undefined for the exit. */
function stepOf(
  { firstStep, action }: StateGraph<unknown>,
  state: number,
  taken: number,
): number | undefined {
  for (let step = firstStep[state]; step < firstStep[state + 1]; step++) {
    if (action[step] === taken) return step;
  }
  return undefined;
}
