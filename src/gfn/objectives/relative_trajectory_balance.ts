/** Relative trajectory balance (Venkatraman et al. 2024): a posterior under a prior over paths. */
import { z } from "../../base/zod.ts";
import { commonParameters, residualOf } from "./common_parameters.ts";
import { defineObjective, type Objective, type ObjectiveFunction } from "./objective.ts";
import { addLogZGradient, logZOf, zeroGradients } from "./gradients.ts";
import { addPathGradient, limitMetrics, ScalarResidual } from "./potentials.ts";

const parameters = z.strictObject({
  beta: z.number().positive().default(1).describe("divides the log reward; only 1 is the target"),
  residual_loss: commonParameters.residual_loss,
});

const name = "relative_trajectory_balance";

const evaluate: ObjectiveFunction<z.output<typeof parameters>> = (scores, batch, state) => {
  const { beta } = state.parameters;
  const { residual, exponential } = residualOf(state.parameters.residual_loss);
  const scalar = new ScalarResidual(residual);
  const gradients = zeroGradients(batch, scores);
  let total = 0;
  for (let b = 0; b < batch.B; b++) {
    const [row, n] = [b * batch.T, batch.lengths[b]];
    const reward = batch.logReward[row + n - 1] - batch.objectLogPrior[b];
    let delta = logZOf(state, b) - reward / beta;
    for (let t = 0; t < n; t++) delta += scores.logPf[row + t] - batch.logPrior[row + t];
    total += scalar.at(delta);
    addPathGradient(gradients, batch, b, scalar.slope / batch.B);
    addLogZGradient(gradients, b, scalar.slope / batch.B);
  }
  gradients.logPb?.fill(0); // The prior replaces log P_B; a learned one has no part in it.
  const metrics = { log_z: state.logZ, ...limitMetrics(scalar, exponential) };
  return { loss: total / batch.B, gradients, metrics };
};

function movesOptimum({ beta }: { readonly beta: number }): string | undefined {
  if (beta === 1) return undefined;
  return `relative trajectory balance at beta = ${beta} has its optimum at prior^(1 - 1/beta) ` +
    "reward^(1/beta), which is not the target";
}

/**
 * L(τ) = g(log Z + Σ log P_F − Σ log p(action) − r(x) / β), where p is the environment's prior over
 * actions and r(x) = log R(x) − log p(x) the log reward relative to it (Venkatraman et al. 2024,
 * arXiv 2405.20971, for g = δ²). The optimum is P_F(τ) ∝ p(τ) e^(r(x)/β), so with β = 1
 * (default) the target R / Z. The log prior is divided out of R, whether or not the pipeline put
 * it in as a judge. On trees at β = 1 the same loss as trajectory balance; on graphs the prior
 * takes the place of P_B. Equals path consistency with KL regularisation up to a factor
 * (Deleu et al. 2025, arXiv 2509.01632). Parameters `beta`, `residual_loss`.
 */
export const relativeTrajectoryBalance: Objective = defineObjective({
  name,
  version: 1,
  parameters,
  reads: "ends",
  moves: ["log_z"],
  movesOptimum,
  evaluate,
});
