/** Detailed balance (Bengio et al. 2023): one residual per transition. */
import type { Objective, ObjectiveFunction } from "../objective.ts";
import type { ParameterRules } from "./parameters.ts";
import { readChoice } from "./parameters.ts";
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

/** What its parameters may be. */
export const detailedBalanceRules: ParameterRules = {
  residual_loss: { kind: "choice", choices: residualLossNames, fallback: "squared" },
};

const name = "detailed_balance";

/**
 * L(τ) = mean over transitions of g(log F(s) + log P_F − log P_B − log F(s')), with F := R at the
 * terminal node (Bengio et al. 2023, arXiv 2111.09266); mean over trajectories. In
 * potentials: the path graph. log F(s) is learned as in sub-trajectory balance.
 */
const evaluate: ObjectiveFunction = (scores, batch, state) => {
  const residual = residualLosses[
    readChoice<ResidualLossName>(name, detailedBalanceRules, state.parameters, "residual_loss")
  ];
  const gradients = zeroGradients(batch);
  let total = 0;
  for (let b = 0; b < batch.B; b++) {
    const logFlow = (t: number) => learnedLogFlow(scores, batch, state.logZ, b, t);
    const phi = potentials(scores, batch, b, logFlow);
    const { loss, gradient } = pairwiseLoss(phi, (distance) => (distance === 1 ? 1 : 0), residual);
    total += loss;
    addActionGradients(gradients.logPf, batch, b, gradient, 1 / batch.B);
    for (let t = 0; t < batch.lengths[b]; t++) {
      addFlowGradient(gradients, batch, b, t, -gradient[t] / batch.B);
    }
  }
  return { loss: total / batch.B, gradients, metrics: { log_z: state.logZ } };
};

/** Detailed balance; parameter `residual_loss`. Learns log Z. */
export const detailedBalance: Objective = { name, version: 1, learnsLogZ: true, evaluate };
