/** Estimates of log Z from a batch of scored trajectories. */
import type { Batch, Scores } from "./trajectory.ts";

/** ζ = log R(x) + log P_B(τ) − log P_F(τ) of each trajectory; all equal log Z at the optimum. */
export function logZetas(scores: Scores, batch: Batch): Float64Array {
  const logPb = scores.logPb ?? batch.logPb;
  return Float64Array.from({ length: batch.B }, (_, b) => {
    const [row, n] = [b * batch.T, batch.lengths[b]];
    let zeta = batch.logReward[row + n - 1];
    for (let t = 0; t < n; t++) zeta += logPb[row + t] - scores.logPf[row + t];
    return zeta;
  });
}

/**
 * Where the learned log Z starts: the mean of ζ, which is where the loss of trajectory balance is
 * smallest for these trajectories (Zhang et al. 2023, arXiv 2302.05446). In
 * expectation it is at most the importance-sampling estimate, log (1/B) Σ e^ζ.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { optimalFlow, optimalScores } from "../evaluation/optimal_flow.ts";
 * import { makeBatch } from "./batch.ts";
 * import { estimateLogZ } from "./log_z.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * const batch = makeBatch(environment, [...environment.enumerate()]);
 * const scores = optimalScores(optimalFlow(environment), batch);
 * assert(Math.abs(estimateLogZ(scores, batch) - Math.log(10)) < 1e-9); // at the optimum
 * ```
 */
export function estimateLogZ(scores: Scores, batch: Batch): number {
  return logZetas(scores, batch).reduce((sum, zeta) => sum + zeta, 0) / batch.B;
}
