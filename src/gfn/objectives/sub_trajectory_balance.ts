/** Sub-trajectory balance SubTB(λ) (Madan et al. 2023), with learned or partly exact flows. */
import type { Objective, ObjectiveFunction, ObjectiveState } from "../objective.ts";
import type { Batch } from "../trajectory.ts";
import type { ParameterRules } from "./parameters.ts";
import { readChoice, readPositive } from "./parameters.ts";
import {
  addActionGradients,
  addFlowGradient,
  learnedLogFlow,
  pairwiseLoss,
  potentials,
  zeroGradients,
} from "./potentials.ts";
import { residualLosses, residualLossNames } from "./residual_loss.ts";
import type { ResidualLossName } from "./residual_loss.ts";

/** Where state flows come from; see {@linkcode subTrajectoryBalance}. */
export type FlowSource = "learned" | "exact_where_terminable";

/** What its parameters may be. */
export const subTrajectoryBalanceRules: ParameterRules = {
  lambda: { kind: "positive", fallback: 1 },
  flow: {
    kind: "choice",
    choices: ["learned", "exact_where_terminable"],
    fallback: "exact_where_terminable",
  },
  residual_loss: { kind: "choice", choices: residualLossNames, fallback: "squared" },
};

const name = "sub_trajectory_balance";

function readParameters(parameters: ObjectiveState["parameters"]) {
  const rules = subTrajectoryBalanceRules;
  return {
    lambda: readPositive(name, rules, parameters, "lambda"),
    flow: readChoice<FlowSource>(name, rules, parameters, "flow"),
    residual: residualLosses[
      readChoice<ResidualLossName>(name, rules, parameters, "residual_loss")
    ],
  };
}

/** λ^k for k = 0 … n by repeated multiplication, which is the same on every machine. */
function powers(lambda: number, n: number): Float64Array {
  const table = new Float64Array(n + 1).fill(1);
  for (let k = 1; k <= n; k++) table[k] = table[k - 1] * lambda;
  return table;
}

/** True where log F(s_t) is taken from the reward of stopping there, and not from the head. */
function isExact(flow: FlowSource, batch: Batch, at: number): boolean {
  return flow === "exact_where_terminable" && batch.terminable[at] === 1;
}

const evaluate: ObjectiveFunction = (scores, batch, state) => {
  const { lambda, flow, residual } = readParameters(state.parameters);
  const weights = powers(lambda, batch.T);
  const gradients = zeroGradients(batch);
  let [total, logZ] = [0, 0];
  for (let b = 0; b < batch.B; b++) {
    const at = (t: number) => b * batch.T + t;
    const logFlow = (t: number) =>
      isExact(flow, batch, at(t))
        ? batch.logReward[at(t)] - scores.logExit[at(t)]
        : learnedLogFlow(scores, batch, state.logZ, b, t);
    const phi = potentials(scores, batch, b, logFlow);
    const { loss, gradient } = pairwiseLoss(phi, (distance) => weights[distance], residual);
    total += loss;
    logZ += logFlow(0) / batch.B;
    addActionGradients(gradients.logPf, batch, b, gradient, 1 / batch.B);
    for (let t = 0; t < batch.lengths[b]; t++) {
      const force = gradient[t] / batch.B;
      if (isExact(flow, batch, at(t))) gradients.logExit[at(t)] += force;
      else addFlowGradient(gradients, batch, b, t, -force);
    }
  }
  return { loss: total / batch.B, gradients, metrics: { log_z: logZ } };
};

/**
 * L(τ) = Σ_{i<j} λ^(j−i) g(Φ_j − Φ_i) / Σ_{i<j} λ^(j−i), that of Madan et al. 2023
 * (arXiv 2209.12782) for g = δ², normalised within each trajectory; then the mean over
 * trajectories. λ → 0 is detailed balance, λ → ∞ trajectory balance.
 *
 * Parameters: `lambda` > 0 (default 1); `residual_loss`; and `flow`:
 *
 * - `learned`: log F(s) = log Z + head(s) − head(s_0), so that log F(s_0) is the learned scalar.
 * - `exact_where_terminable` (default): where the exit action is legal, flow conservation on the
 *   exit edge gives log F(s) = log R(s⊤) − log P_F(⊤|s) (Deleu et al. 2022; Hu et al. 2024,
 *   arXiv 2310.04363), and the gradient flows through log P_F(⊤|s); elsewhere as above.
 *   The terminal node is kept, so that the last state counts like any other and the same weights
 *   hold for both sources; its edge from the last state is satisfied identically. Needs the log
 *   reward of every terminable state on the trajectory.
 */
export const subTrajectoryBalance: Objective = { name, version: 1, learnsLogZ: true, evaluate };
