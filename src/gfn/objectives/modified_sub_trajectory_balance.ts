/** Modified sub-trajectory balance (Hu et al. 2024), for environments where every state may stop. */
import { z } from "../../base/zod.ts";
import { commonParameters, residualOf } from "./common_parameters.ts";
import { defineObjective, type Objective, type ObjectiveFunction } from "./objective.ts";
import { exactWhereTerminable, meanInitialFlow, requireTerminable } from "./flows.ts";
import { allPairs } from "./graphs.ts";
import { evaluateBalance, limitMetrics } from "./potentials.ts";

const parameters = z.strictObject({
  lambda: commonParameters.lambda,
  residual_loss: commonParameters.residual_loss,
});

const name = "modified_sub_trajectory_balance";

const evaluate: ObjectiveFunction<z.output<typeof parameters>> = (scores, batch, state) => {
  requireTerminable(name, batch);
  const { lambda } = state.parameters;
  const { residual, exponential } = residualOf(state.parameters.residual_loss);
  const flows = exactWhereTerminable(scores, batch, state.logZ);
  const graph = allPairs(lambda, residual, batch.T, 1);
  const result = evaluateBalance(scores, batch, flows, graph);
  const metrics = { log_z: meanInitialFlow(flows, batch), ...limitMetrics(graph, exponential) };
  return { ...result, metrics };
};

/**
 * L(τ) = Σ_{0≤i<j≤n} λ^(j−i) g(δ_ij) / Σ λ^(j−i) over the n + 1 states of a trajectory, with
 *
 *     δ_ij = log R(s_i) + Σ_{i≤k<j} (log P_F − log P_B) + log P_F(⊤|s_j) − log R(s_j) − log P_F(⊤|s_i)
 *
 * (Hu et al. 2024, arXiv 2310.04363, equation 3, with λ = 1 and g = δ², there normalised over the
 * batch and here within each trajectory). No flow and no log Z is learned; log Z = log R(s_0) −
 * log P_F(⊤|s_0). Parameters `lambda`, `residual_loss`.
 *
 * Giving incomplete states a small pretend reward, as is done where programs are grown token by
 * token, changes the target; here it is refused. The hybrid, `sub_trajectory_balance` with
 * `exact_where_terminable`, needs no pretence.
 *
 * @throws InputError where the exit is not legal in every state.
 */
export const modifiedSubTrajectoryBalance: Objective = defineObjective({
  name,
  version: 1,
  parameters,
  reads: "prefixes",
  moves: ["backward"],
  evaluate,
});
