/** Trajectory balance with an unequal mixture of P_F and P_B at first (α-GFN, Chen et al. 2026). */
import { z } from "../../base/zod.ts";
import { log } from "../../numerics/math/mod.ts";
import { logZetas } from "../trajectories/log_z.ts";
import { commonParameters, residualOf } from "./common_parameters.ts";
import { addLogZGradient, logZOf, zeroGradients } from "./gradients.ts";
import { defineObjective, type Objective, type ObjectiveFunction } from "./objective.ts";
import { addPathGradient, limitMetrics, ScalarResidual } from "./potentials.ts";

const parameters = z.strictObject({
  alpha: z.number().gt(0).lt(1).default(0.4)
    .describe("share of P_F in its mixture with P_B at first; 0.5 is trajectory balance"),
  until: z.number().min(0).max(0.9).default(0.5)
    .describe("share of the training after which the mixture is an equal one"),
  residual_loss: commonParameters.residual_loss,
});

const name = "mixed_trajectory_balance";

const evaluate: ObjectiveFunction<z.output<typeof parameters>> = (scores, batch, state) => {
  const { alpha, until, residual_loss } = state.parameters;
  const { residual, exponential } = residualOf(residual_loss);
  const scalar = new ScalarResidual(residual);
  const gradients = zeroGradients(batch, scores);
  const zetas = logZetas(scores, batch);
  const { fraction = 0 } = state;
  const left = until > 0 ? Math.max(0, 1 - fraction / until) : 0;
  const mixed = 0.5 + left * (alpha - 0.5);
  const each = log(mixed) - log(1 - mixed);
  let total = 0;
  for (let b = 0; b < batch.B; b++) {
    const steps = batch.lengths[b] - 1;
    total += scalar.at(logZOf(state, b) - zetas[b] + steps * each);
    addPathGradient(gradients, batch, b, scalar.slope / batch.B);
    addLogZGradient(gradients, b, scalar.slope / batch.B);
  }
  const metrics = { log_z: state.logZ, alpha: mixed, ...limitMetrics(scalar, exponential) };
  return { loss: total / batch.B, gradients, metrics };
};

/**
 * L(τ) = g(log Z + Σ log (α P_F) − log R(x) − Σ log ((1 − α) P_B)) over the steps before the exit
 * (after Chen et al. 2026, arXiv 2602.01749). Each step tilts the target by (1 − α) / α: below 1/2
 * long trajectories get more mass, above it less. So α moves the optimum wherever lengths differ; here it
 * comes to 1/2 in a straight line over the first part of the training, and the optimum is that of
 * trajectory balance. Parameters `alpha`, `until`, `residual_loss`.
 */
export const mixedTrajectoryBalance: Objective = defineObjective({
  name,
  version: 1,
  parameters,
  reads: "ends",
  moves: ["log_z", "backward"],
  evaluate,
});
