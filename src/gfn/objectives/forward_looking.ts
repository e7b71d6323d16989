/** Forward-looking balance (Pan et al. 2023): the flow head learns only the part beyond a partial reward. */
import { z } from "../../base/zod.ts";
import { InputError } from "../../base/diagnostic.ts";
import { commonParameters, residualOf } from "./common_parameters.ts";
import { defineObjective, type Objective, type ObjectiveFunction } from "./objective.ts";
import type { Batch, Scores } from "../trajectories/trajectory.ts";
import { forwardLookingFlows, requireTerminable, type StateFlows } from "./flows.ts";
import type { LogZ } from "./gradients.ts";
import { allPairs, neighbours } from "./graphs.ts";
import { evaluateBalance, limitMetrics } from "./potentials.ts";

const partialReward = z.enum(["prior", "reward"]).default("reward")
  .describe("partial reward of a state");

const neighbourParameters = z.strictObject({
  partial_reward: partialReward,
  residual_loss: commonParameters.residual_loss,
});

const pairParameters = z.strictObject({
  lambda: commonParameters.lambda,
  partial_reward: partialReward,
  residual_loss: commonParameters.residual_loss,
});

type PartialReward = z.output<typeof partialReward>;

/** The prior of the actions so far is known without any execution. */
const reads = ({ partial_reward }: { readonly partial_reward: PartialReward }) =>
  partial_reward === "prior" ? "ends" : "prefixes";

function flowsOf(
  name: string,
  source: PartialReward,
  scores: Scores,
  batch: Batch,
  logZ: LogZ,
): StateFlows {
  if (source === "prior" && batch.backward) throw priorOnGraph(name, batch);
  if (source === "reward") requireTerminable(name, batch, withoutReward);
  const partial = source === "prior" ? prefixPriors(batch) : stoppingRewards(batch);
  return forwardLookingFlows(scores, batch, logZ, partial);
}

/** The log prior of the actions so far; on trees a function of the state. */
function prefixPriors(batch: Batch): Float64Array {
  const partial = new Float64Array(batch.B * batch.T);
  for (let b = 0; b < batch.B; b++) {
    const row = b * batch.T;
    for (let t = 1; t < batch.lengths[b]; t++) {
      partial[row + t] = partial[row + t - 1] + batch.logPrior[row + t - 1];
    }
  }
  return partial;
}

/** log R of stopping, in every state. */
function stoppingRewards(batch: Batch): Float64Array {
  return batch.logReward.map((value, at) => batch.terminable[at] === 1 ? value : 0);
}

const withoutReward =
  'write partial_reward = "prior" (on trees), or take an objective with exact or learned flows';

function priorOnGraph(name: string, { environment }: Batch): InputError {
  const message = `Cannot use partial_reward = "prior" of the objective "${name}" on the ` +
    `${environment.kind} environment: several ways lead to a state, with different priors`;
  const hint = 'write partial_reward = "reward"';
  return new InputError([{ code: "objective/partial-reward", severity: "error", message, hint }]);
}

const evaluateNeighbours: ObjectiveFunction<z.output<typeof neighbourParameters>> = (
  scores,
  batch,
  state,
) => {
  const { name } = forwardLookingDetailedBalance;
  const { residual, exponential } = residualOf(state.parameters.residual_loss);
  const graph = neighbours(residual, batch.T, 0);
  const flows = flowsOf(name, state.parameters.partial_reward, scores, batch, state);
  const result = evaluateBalance(scores, batch, flows, graph);
  return { ...result, metrics: { log_z: state.logZ, ...limitMetrics(graph, exponential) } };
};

const evaluatePairs: ObjectiveFunction<z.output<typeof pairParameters>> = (
  scores,
  batch,
  state,
) => {
  const { name } = forwardLookingSubTrajectoryBalance;
  const { residual, exponential } = residualOf(state.parameters.residual_loss);
  const { lambda } = state.parameters;
  const graph = allPairs(lambda, residual, batch.T, 0);
  const flows = flowsOf(name, state.parameters.partial_reward, scores, batch, state);
  const result = evaluateBalance(scores, batch, flows, graph);
  return { ...result, metrics: { log_z: state.logZ, ...limitMetrics(graph, exponential) } };
};

/**
 * Detailed balance with log F(s) = log F̃(s) + log R̃(s), where R̃ is a partial reward:
 *
 *     δ(s → s') = log F̃(s) + log P_F − log F̃(s') − log P_B + log R̃(s) − log R̃(s'),   F̃(x) R̃(x) := R(x)
 *
 * (Pan et al. 2023, arXiv 2302.01687). R̃ is a function of the state: with
 * `partial_reward = "reward"` (default) log R of stopping there, which has to be legal everywhere, with `"prior"` the log prior of the actions so far (trees only). The terminal constraint is
 * kept: without it the stationary point is not unique and the target is not learned (Silva et
 * al. 2025, "When do GFlowNets learn the right distribution?"). So the optimum does not depend on R̃.
 * Parameters `partial_reward`, `residual_loss`.
 *
 * @throws InputError for `"prior"` where several paths lead to a state, and for `"reward"` where a
 *   state cannot stop: no partial reward is known there, and one of 0 nats would be far from its
 *   neighbours'.
 */
export const forwardLookingDetailedBalance: Objective = defineObjective({
  name: "forward_looking_detailed_balance",
  version: 2,
  parameters: neighbourParameters,
  reads,
  moves: ["log_z", "flow", "backward"],
  evaluate: evaluateNeighbours,
});

/**
 * The same flows in sub-trajectory balance: all pairs, weight λ^(j−i), normalised within each
 * trajectory. Parameters `lambda`, `partial_reward`, `residual_loss`.
 *
 * @throws InputError as {@linkcode forwardLookingDetailedBalance} does.
 */
export const forwardLookingSubTrajectoryBalance: Objective = defineObjective({
  name: "forward_looking_sub_trajectory_balance",
  version: 2,
  parameters: pairParameters,
  reads,
  moves: ["log_z", "flow", "backward"],
  evaluate: evaluatePairs,
});
