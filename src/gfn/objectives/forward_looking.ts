/** Forward-looking balance (Pan et al. 2023): the flow head learns only what is still to come. */
import { InputError } from "../../base/diagnostic.ts";
import type { Objective, ObjectiveFunction, ObjectiveState } from "./objective.ts";
import type { Batch, Scores } from "../trajectories/trajectory.ts";
import { forwardLookingFlows, type StateFlows } from "./flows.ts";
import { allPairs, neighbours } from "./graphs.ts";
import type { ParameterRule, ParameterRules } from "./parameters.ts";
import { readChoice, readNumber } from "./parameters.ts";
import { evaluateBalance, limitMetrics } from "./potentials.ts";
import { lambdaRule, readResidual, residualLossRule } from "./shared_rules.ts";

const partialRewardRule: ParameterRule = {
  kind: "choice",
  choices: ["prior", "reward"],
  fallback: "reward",
};

/** What the parameters of forward-looking detailed balance may be. */
export const forwardLookingDetailedBalanceRules: ParameterRules = {
  partial_reward: partialRewardRule,
  residual_loss: residualLossRule,
};

/** What the parameters of forward-looking sub-trajectory balance may be. */
export const forwardLookingSubTrajectoryBalanceRules: ParameterRules = {
  lambda: lambdaRule,
  partial_reward: partialRewardRule,
  residual_loss: residualLossRule,
};

function flowsOf(
  name: string,
  rules: ParameterRules,
  scores: Scores,
  batch: Batch,
  state: ObjectiveState,
): StateFlows {
  const source = readChoice<"prior" | "reward">(name, rules, state.parameters, "partial_reward");
  if (source === "prior" && batch.backward) throw priorOnGraph(name, batch);
  const partial = source === "prior" ? prefixPriors(batch) : stoppingRewards(batch);
  return forwardLookingFlows(scores, batch, state.logZ, partial);
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

/** log R of stopping where that is legal, else 0. */
function stoppingRewards(batch: Batch): Float64Array {
  return batch.logReward.map((value, at) => batch.terminable[at] === 1 ? value : 0);
}

function priorOnGraph(name: string, { environment }: Batch): InputError {
  const message = `Cannot use partial_reward = "prior" of the objective "${name}" on the ` +
    `${environment.kind} environment: several ways lead to a state, with different priors`;
  const hint = 'write partial_reward = "reward"';
  return new InputError([{ code: "objective/partial-reward", severity: "error", message, hint }]);
}

const evaluateNeighbours: ObjectiveFunction = (scores, batch, state) => {
  const rules = forwardLookingDetailedBalanceRules;
  const { name } = forwardLookingDetailedBalance;
  const { residual, exponential } = readResidual(name, rules, state.parameters);
  const graph = neighbours(residual, batch.T, 0);
  const flows = flowsOf(name, rules, scores, batch, state);
  const result = evaluateBalance(scores, batch, flows, graph);
  return { ...result, metrics: { log_z: state.logZ, ...limitMetrics(graph, exponential) } };
};

const evaluatePairs: ObjectiveFunction = (scores, batch, state) => {
  const rules = forwardLookingSubTrajectoryBalanceRules;
  const { name } = forwardLookingSubTrajectoryBalance;
  const { residual, exponential } = readResidual(name, rules, state.parameters);
  const lambda = readNumber(name, rules, state.parameters, "lambda");
  const graph = allPairs(lambda, residual, batch.T, 0);
  const flows = flowsOf(name, rules, scores, batch, state);
  const result = evaluateBalance(scores, batch, flows, graph);
  return { ...result, metrics: { log_z: state.logZ, ...limitMetrics(graph, exponential) } };
};

/**
 * Detailed balance with log F(s) = log F̃(s) + log R̃(s), where R̃ is a partial reward:
 *
 *     δ(s → s') = log F̃(s) + log P_F − log F̃(s') − log P_B + log R̃(s) − log R̃(s'),   F̃(x) R̃(x) := R(x)
 *
 * (Pan et al. 2023, arXiv 2302.01687). R̃ is a function of the state: with
 * `partial_reward = "reward"` (default) log R of stopping there where that is legal and 0 elsewhere,
 * with `"prior"` the log prior of the actions so far (trees only). The terminal constraint is
 * kept: without it the stationary point is not unique and the target is not learned (Silva et
 * al. 2025, "When do GFlowNets learn the right distribution?"). So the optimum does not depend on R̃.
 * Parameters `partial_reward`, `residual_loss`.
 *
 * @throws InputError for `"prior"` where several ways lead to a state.
 */
export const forwardLookingDetailedBalance: Objective = {
  name: "forward_looking_detailed_balance",
  version: 1,
  learnsLogZ: true,
  evaluate: evaluateNeighbours,
};

/**
 * The same flows in sub-trajectory balance: all pairs, weight λ^(j−i), normalised within each
 * trajectory. Parameters `lambda`, `partial_reward`, `residual_loss`.
 *
 * @throws InputError for `"prior"` where several ways lead to a state.
 */
export const forwardLookingSubTrajectoryBalance: Objective = {
  name: "forward_looking_sub_trajectory_balance",
  version: 1,
  learnsLogZ: true,
  evaluate: evaluatePairs,
};
