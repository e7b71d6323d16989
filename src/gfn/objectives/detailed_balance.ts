/** Detailed balance (Bengio et al. 2023): one residual per transition. */
import type { Objective, ObjectiveFunction } from "./objective.ts";
import { learnedFlows } from "./flows.ts";
import { neighbours } from "./graphs.ts";
import type { ParameterRules } from "./parameters.ts";
import { evaluateBalance, limitMetrics } from "./potentials.ts";
import { readResidual, residualLossRule } from "./shared_rules.ts";

/** What its parameters may be. */
export const detailedBalanceRules: ParameterRules = { residual_loss: residualLossRule };

const name = "detailed_balance";

const evaluate: ObjectiveFunction = (scores, batch, state) => {
  const { residual, exponential } = readResidual(name, detailedBalanceRules, state.parameters);
  const flows = learnedFlows(scores, batch, state.logZ);
  const graph = neighbours(residual, batch.T, 0);
  const result = evaluateBalance(scores, batch, flows, graph);
  return { ...result, metrics: { log_z: state.logZ, ...limitMetrics(graph, exponential) } };
};

/**
 * L(τ) = mean over transitions of g(log F(s) + log P_F − log P_B − log F(s')), with F := R at the
 * terminal node (Bengio et al. 2023, arXiv 2111.09266); mean over trajectories. In
 * potentials: the path graph. log F(s) is learned. Parameter `residual_loss`. Learns log Z.
 */
export const detailedBalance: Objective = { name, version: 2, learnsLogZ: true, evaluate };
