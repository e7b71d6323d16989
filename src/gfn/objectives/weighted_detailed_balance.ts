/** Weighted detailed balance (Silva et al. 2025): transitions count for the objects behind them. */
import { z } from "../../base/zod.ts";
import { exp, logAddExp } from "../../numerics/math/mod.ts";
import { type Environment, unaskedKey } from "../environments/environment.ts";
import { commonParameters, residualOf } from "./common_parameters.ts";
import { defineObjective, type Objective, type ObjectiveFunction } from "./objective.ts";
import { stateGraph } from "../environments/state_graph.ts";
import type { Batch } from "../trajectories/trajectory.ts";
import { learnedFlows } from "./flows.ts";
import { neighbours } from "./graphs.ts";
import { evaluateBalance, limitMetrics } from "./potentials.ts";

const parameters = z.strictObject({ residual_loss: commonParameters.residual_loss });

const name = "weighted_detailed_balance";

/** log of the number of objects behind each state, by its key. */
type LogCounts = ReadonlyMap<string, number>;

const known = new WeakMap<Environment, LogCounts>();

/**
 * Counts the objects behind every state: those of its children, each weighted by the probability that
 * the uniform backward policy passes it. On trees that is the number of objects below.
 */
function logCountsOf(environment: Environment): LogCounts {
  const before = known.get(environment);
  if (before) return before;
  const { keys, firstStep, to, logPb, terminable } = stateGraph(environment);
  const counts = new Float64Array(keys.length);
  for (let i = keys.length - 1; i >= 0; i--) {
    counts[i] = terminable[i] === 1 ? 0 : -Infinity;
    for (let step = firstStep[i]; step < firstStep[i + 1]; step++) {
      counts[i] = logAddExp(counts[i], counts[to[step]] + logPb[step]);
    }
  }
  const logCounts = new Map(keys.map((key, i) => [key, counts[i]]));
  known.set(environment, logCounts);
  return logCounts;
}

/** `[B, T]`: the number of objects behind the end of each transition, to the power of −`power`. */
function weightsOf(batch: Batch, power: number): Float64Array {
  const { environment } = batch;
  const logCounts = logCountsOf(environment);
  const countOf = (key: string) => logCounts.get(unaskedKey(environment, key))!;
  const { index, keys } = batch.states;
  const byState = Float64Array.from(keys, (key) => exp(-power * countOf(key)));
  const weights = new Float64Array(batch.B * batch.T);
  for (let b = 0; b < batch.B; b++) {
    const [row, n] = [b * batch.T, batch.lengths[b]];
    for (let t = 0; t < n - 1; t++) weights[row + t] = byState[index[row + t + 1]];
    weights[row + n - 1] = 1;
  }
  return weights;
}

const evaluate: ObjectiveFunction<z.output<typeof parameters>> = (scores, batch, state) => {
  const { residual, exponential } = residualOf(state.parameters.residual_loss);
  const graph = neighbours(residual, batch.T, 0, weightsOf(batch, 1 - (state.fraction ?? 0)));
  const flows = learnedFlows(scores, batch, state);
  const result = evaluateBalance(scores, batch, flows, graph);
  return { ...result, metrics: { log_z: state.logZ, ...limitMetrics(graph, exponential) } };
};

/**
 * L(τ) = Σ_t w_t g(δ_t) / Σ_t w_t over the transitions of detailed balance, with
 *
 *     w(s → s') = (number of objects that can be reached from s')^−(1 − f)
 *
 * f being the share of the training that is over: at first transitions near the end count most, at
 * last all count alike (Silva et al. 2025, "When do GFlowNets learn the right distribution?", who
 * let weights grow with depth and anneal them to 1). Without annealing transitions near the start are
 * hardly learned. On graphs with several paths to a state objects are counted by the share of their
 * backward paths through s', which takes one pass over the graph. Enumerates the environment once.
 * Parameter `residual_loss`.
 * Learns log Z.
 *
 * @throws InputError if the environment has too many states to enumerate.
 */
export const weightedDetailedBalance: Objective = defineObjective({
  name,
  version: 1,
  parameters,
  reads: "ends",
  moves: ["log_z", "flow", "backward"],
  evaluate,
});
