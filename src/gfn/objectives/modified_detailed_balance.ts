/** Modified detailed balance (Deleu et al. 2022): no flow and no log Z where all states may stop. */
import type { Objective, ObjectiveFunction } from "./objective.ts";
import { exactWhereTerminable, meanInitialFlow, requireTerminable } from "./flows.ts";
import { neighbours } from "./graphs.ts";
import type { ParameterRules } from "./parameters.ts";
import { evaluateBalance, limitMetrics } from "./potentials.ts";
import { readResidual, residualLossRule } from "./shared_rules.ts";

/** What its parameters may be. */
export const modifiedDetailedBalanceRules: ParameterRules = { residual_loss: residualLossRule };

const name = "modified_detailed_balance";

const evaluate: ObjectiveFunction = (scores, batch, state) => {
  requireTerminable(name, batch);
  const rules = modifiedDetailedBalanceRules;
  const { residual, exponential } = readResidual(name, rules, state.parameters);
  const flows = exactWhereTerminable(scores, batch, state.logZ);
  const graph = neighbours(residual, batch.T, 1);
  const result = evaluateBalance(scores, batch, flows, graph);
  const metrics = { log_z: meanInitialFlow(flows, batch), ...limitMetrics(graph, exponential) };
  return { ...result, metrics };
};

/**
 * L(τ) = mean over transitions s → s' between complete states of
 *
 *     g(log R(s) + log P_F(s'|s) + log P_F(⊤|s') − log R(s') − log P_B(s|s') − log P_F(⊤|s))
 *
 * (Deleu et al. 2022, arXiv 2202.13903): detailed balance with F(s) = R(s) / P_F(⊤|s).
 * The exit's own transition is satisfied identically and is left out; a trajectory that exits at
 * once costs nothing. Parameter `residual_loss`.
 *
 * @throws InputError where the exit is not legal in every state.
 */
export const modifiedDetailedBalance: Objective = {
  name,
  version: 1,
  learnsLogZ: false,
  evaluate,
};
