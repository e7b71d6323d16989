/** Log-partition variance, "VarGrad" (Richter et al. 2020; Zhang et al. 2023): no log Z at all. */
import type { Objective, ObjectiveFunction } from "../objective.ts";
import type { ParameterRules } from "./parameters.ts";
import { addActionGradients, potentials, zeroGradients } from "./potentials.ts";

/** It has no parameters. */
export const logPartitionVarianceRules: ParameterRules = {};

/**
 * L = (1/B) Σ_τ (ζ_τ − ζ̄)², ζ = log R(x) + log P_B(τ) − log P_F(τ), ζ̄ their batch mean
 * (Zhang et al. 2023, arXiv 2302.05446). Because Σ (ζ − ζ̄) = 0, the gradient is the same
 * whether or not it flows through ζ̄. Needs at least two different trajectories per batch.
 */
const evaluate: ObjectiveFunction = (scores, batch) => {
  const gradients = zeroGradients(batch);
  const zetas = Float64Array.from({ length: batch.B }, (_, b) => {
    const phi = potentials(scores, batch, b, () => 0);
    return phi[0] - phi[batch.lengths[b]];
  });
  const mean = zetas.reduce((sum, zeta) => sum + zeta, 0) / batch.B;
  let total = 0;
  for (let b = 0; b < batch.B; b++) {
    const delta = zetas[b] - mean;
    total += delta * delta;
    const force = new Float64Array(batch.lengths[b] + 1);
    force[batch.lengths[b]] = -2 * delta;
    addActionGradients(gradients.logPf, batch, b, force, 1 / batch.B);
  }
  return { loss: total / batch.B, gradients, metrics: { log_z: mean } };
};

/** Log-partition variance: no parameters, no log Z. */
export const logPartitionVariance: Objective = {
  name: "log_partition_variance",
  version: 1,
  learnsLogZ: false,
  evaluate,
};
