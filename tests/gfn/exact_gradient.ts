/** Expectations over all trajectories of a small environment, for policies given by their logits. */
import { RandomStream } from "../../src/base/random.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import type { Objective } from "../../src/gfn/objectives/objective.ts";
import type { OptimalFlow } from "../../src/gfn/evaluation/optimal_flow.ts";
import { type StateGraph, stateGraph } from "../../src/gfn/environments/state_graph.ts";
import type { Batch, ScoreGradients, Scores } from "../../src/gfn/trajectories/trajectory.ts";

/** Logits of every state, and its critic or flow head. */
export interface ExactPolicy {
  readonly graph: StateGraph<unknown>;
  /** `[states][actions]`. */
  readonly logits: readonly Float64Array[];
  /** `[states]`. */
  readonly head: Float64Array;
}

/** Random logits and head. */
export function randomPolicy(environment: Environment, key: string): ExactPolicy {
  const graph = stateGraph(environment);
  const random = new RandomStream("exact policy", key);
  const draw = (n: number) => Float64Array.from({ length: n }, () => 2 * random.uniform() - 1);
  const A = environment.actionNames.length;
  return { graph, logits: graph.states.map(() => draw(A)), head: draw(graph.states.length) };
}

/** The policy of an optimal flow. */
export function optimalPolicy(flow: OptimalFlow, head: Float64Array): ExactPolicy {
  const { graph, logPb, logFlow, logReward } = flow;
  const { exitAction, actionNames } = graph.environment;
  const logits = graph.states.map((_, i) => {
    const row = new Float64Array(actionNames.length);
    row[exitAction] = logReward[i];
    for (let step = graph.firstStep[i]; step < graph.firstStep[i + 1]; step++) {
      row[graph.action[step]] = logFlow[graph.to[step]] + logPb[step];
    }
    return row;
  });
  return { graph, logits, head };
}

function logProbabilities({ graph, logits }: ExactPolicy, state: number): Float64Array {
  const mask = graph.environment.legalActions(graph.states[state]);
  const row = logits[state].map((value, a) => mask[a] === 1 ? value : -Infinity);
  const top = Math.max(...row);
  const total = top + Math.log(row.reduce((sum, x) => sum + Math.exp(x - top), 0));
  return row.map((value) => value - total);
}

/** Every way from the initial state to an exit. */
export function allTrajectories(environment: Environment): number[][] {
  const found: number[][] = [];
  const visit = (state: unknown, actions: readonly number[]): void => {
    environment.legalActions(state).forEach((legal, action) => {
      if (!legal) return;
      if (action === environment.exitAction) found.push([...actions, action]);
      else visit(environment.step(state, action), [...actions, action]);
    });
  };
  visit(environment.initialState(), []);
  return found;
}

/** Scores of a batch under the policy. */
export function scoresUnder(policy: ExactPolicy, batch: Batch): Scores {
  const zeros = () => new Float64Array(batch.B * batch.T);
  const scores = { logPf: zeros(), logExit: zeros(), logFlow: zeros(), handle: 0 };
  forEachState(policy, batch, (at, state) => {
    const row = logProbabilities(policy, state);
    scores.logPf[at] = row[batch.actions[at]];
    if (batch.terminable[at]) scores.logExit[at] = row[batch.environment.exitAction];
    scores.logFlow[at] = policy.head[state];
  });
  return scores;
}

function forEachState(
  policy: ExactPolicy,
  batch: Batch,
  visit: (at: number, state: number) => void,
) {
  const { index, keys } = batch.states;
  const numbers = keys.map((key) => policy.graph.index.get(key)!);
  index.forEach((one, at) => {
    if (one >= 0) visit(at, numbers[one]);
  });
}

/** Adds `weight` times the gradient with respect to logits that scores' gradients amount to. */
function addLogitGradient(
  policy: ExactPolicy,
  batch: Batch,
  gradients: ScoreGradients,
  weight: number,
  sum: readonly Float64Array[],
): void {
  forEachState(policy, batch, (at, state) => {
    const row = logProbabilities(policy, state);
    const add = (action: number, force: number) => {
      row.forEach((value, a) => {
        if (value > -Infinity) sum[state][a] += force * ((a === action ? 1 : 0) - Math.exp(value));
      });
    };
    add(batch.actions[at], weight * gradients.logPf[at]);
    if (batch.terminable[at]) {
      add(batch.environment.exitAction, weight * gradients.logExit[at]);
    }
  });
}

/** The expectation over batches of `size` trajectories of the gradient with respect to logits. */
export function expectedGradient(
  policy: ExactPolicy,
  objective: Objective,
  parameters: Readonly<Record<string, unknown>>,
  size: 1 | 2,
  logZ: number,
): Float64Array[] {
  const { environment } = policy.graph;
  const ways = allTrajectories(environment);
  const logP = ways.map((actions) => logPathProbability(policy, actions));
  const sum = policy.logits.map((row) => new Float64Array(row.length));
  const others = size === 2 ? [...ways.keys()] : [-1];
  ways.forEach((actions, i) => {
    for (const j of others) {
      const rows = j < 0 ? [actions] : [actions, ways[j]];
      const batch = makeBatch(environment, rows.map((row) => ({ actions: row })));
      const scores = scoresUnder(policy, batch);
      const { gradients } = objective.evaluate(scores, batch, { logZ, parameters });
      addLogitGradient(policy, batch, gradients, Math.exp(logP[i] + (j < 0 ? 0 : logP[j])), sum);
    }
  });
  return sum;
}

function logPathProbability(policy: ExactPolicy, actions: readonly number[]): number {
  const batch = makeBatch(policy.graph.environment, [{ actions }]);
  return scoresUnder(policy, batch).logPf.reduce((sum, x) => sum + x, 0);
}

/** E[log R − log prior − kl Σ (log P_F − log prior)], over all trajectories. */
export function expectedReturn(policy: ExactPolicy, kl: number): number {
  const { environment } = policy.graph;
  return allTrajectories(environment).reduce((sum, actions) => {
    const batch = makeBatch(environment, [{ actions }]);
    const logP = logPathProbability(policy, actions);
    const prior = batch.logPrior.reduce((total, x) => total + x, 0);
    const reward = batch.logReward[actions.length - 1] - batch.objectLogPrior[0];
    return sum + Math.exp(logP) * (reward - kl * (logP - prior));
  }, 0);
}
