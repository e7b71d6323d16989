/** Sub-trajectory balance SubTB(λ) (Madan et al. 2023), with learned or partly exact flows. */
import type { Objective, ObjectiveFunction } from "./objective.ts";
import { exactWhereTerminable, learnedFlows, meanInitialFlow } from "./flows.ts";
import { allPairs } from "./graphs.ts";
import type { ParameterRules } from "./parameters.ts";
import { readChoice, readNumber } from "./parameters.ts";
import { evaluateBalance, limitMetrics } from "./potentials.ts";
import { lambdaRule, readResidual, residualLossRule } from "./shared_rules.ts";

/** Where state flows come from; see {@linkcode subTrajectoryBalance}. */
export type FlowSource = "learned" | "exact_where_terminable";

/** What its parameters may be. */
export const subTrajectoryBalanceRules: ParameterRules = {
  lambda: lambdaRule,
  flow: {
    kind: "choice",
    choices: ["learned", "exact_where_terminable"],
    fallback: "exact_where_terminable",
  },
  residual_loss: residualLossRule,
};

const name = "sub_trajectory_balance";

const evaluate: ObjectiveFunction = (scores, batch, state) => {
  const [rules, { parameters, logZ }] = [subTrajectoryBalanceRules, state];
  const lambda = readNumber(name, rules, parameters, "lambda");
  const source = readChoice<FlowSource>(name, rules, parameters, "flow");
  const { residual, exponential } = readResidual(name, rules, parameters);
  const flows = source === "learned"
    ? learnedFlows(scores, batch, logZ)
    : exactWhereTerminable(scores, batch, logZ);
  const graph = allPairs(lambda, residual, batch.T, 0);
  const result = evaluateBalance(scores, batch, flows, graph);
  const metrics = { log_z: meanInitialFlow(flows, batch), ...limitMetrics(graph, exponential) };
  return { ...result, metrics };
};

/**
 * L(τ) = Σ_{i<j} λ^(j−i) g(Φ_j − Φ_i) / Σ_{i<j} λ^(j−i), that of Madan et al. 2023
 * (arXiv 2209.12782) for g = δ², normalised within each trajectory; then the mean over
 * trajectories. λ → 0 is detailed balance, λ → ∞ trajectory balance.
 *
 * Parameters: `lambda` > 0 (default 1); `residual_loss`; and `flow`:
 *
 * - `learned`: log F(s) = log Z + head(s) − head(s_0), so that log F(s_0) is the learned scalar.
 * - `exact_where_terminable` (default), the hybrid: where the exit action is legal, flow
 *   conservation on the exit edge gives log F(s) = log R(s⊤) − log P_F(⊤|s) (Deleu et al. 2022;
 *   Hu et al. 2024, arXiv 2310.04363), and the gradient flows through log P_F(⊤|s); elsewhere as
 *   above. The terminal node is kept, so that the last state counts like any other and the same
 *   weights hold for both sources; its edge from the last state is satisfied identically. Needs the
 *   log reward of every terminable state on the trajectory.
 */
export const subTrajectoryBalance: Objective = { name, version: 2, learnsLogZ: true, evaluate };
