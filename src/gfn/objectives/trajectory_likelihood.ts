/** Trajectory likelihood maximisation (Gritsaev et al. 2024): P_B follows the trajectories of the policy. */
import { z } from "../../base/zod.ts";
import { logZetas } from "../trajectories/log_z.ts";
import { commonParameters, residualOf } from "./common_parameters.ts";
import { addLogZGradient, logZOf, zeroGradients } from "./gradients.ts";
import { defineObjective, type Objective, type ObjectiveFunction } from "./objective.ts";
import { addPathGradient, limitMetrics, ScalarResidual } from "./potentials.ts";

const parameters = z.strictObject({ residual_loss: commonParameters.residual_loss });

const name = "trajectory_likelihood";

const evaluate: ObjectiveFunction<z.output<typeof parameters>> = (scores, batch, state) => {
  const { residual, exponential } = residualOf(state.parameters.residual_loss);
  const scalar = new ScalarResidual(residual);
  const gradients = zeroGradients(batch, scores);
  const zetas = logZetas(scores, batch);
  const { logPb = batch.logPb } = scores;
  let [total, likelihood] = [0, 0];
  for (let b = 0; b < batch.B; b++) {
    const [row, n] = [b * batch.T, batch.lengths[b]];
    total += scalar.at(logZOf(state, b) - zetas[b]);
    addPathGradient(gradients, batch, b, scalar.slope / batch.B);
    addLogZGradient(gradients, b, scalar.slope / batch.B);
    for (let t = 0; t < n - 1; t++) likelihood += logPb[row + t] / batch.B;
    gradients.logPb?.fill(-1 / batch.B, row, row + n - 1);
  }
  const metrics = {
    log_z: state.logZ,
    backward_log_likelihood: likelihood,
    ...limitMetrics(scalar, exponential),
  };
  return { loss: total / batch.B, gradients, metrics };
};

/**
 * Trajectory balance for P_F, with P_B fixed; and for P_B the likelihood of trajectories of P_F,
 * L(P_B) = −Σ log P_B(τ|x) (Gritsaev et al. 2024, arXiv 2410.15474, algorithm 1, both steps on one
 * batch). The second loss is not in the loss that is returned: it is the metric
 * `backward_log_likelihood`. Any P_B has the same optimum of P_F's objects, R / Z. On trees it is
 * trajectory balance. For policies with `backward = "learned"`; parameter `residual_loss`.
 */
export const trajectoryLikelihood: Objective = defineObjective({
  name,
  version: 1,
  parameters,
  reads: "ends",
  moves: ["log_z", "backward"],
  ownBackward: true,
  evaluate,
});
