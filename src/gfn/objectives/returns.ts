/** Returns of trajectories in reinforcement learning: log reward less divergence from the prior. */
import { z } from "../../base/zod.ts";
import type { Batch, Scores } from "../trajectories/trajectory.ts";

/** `kl`: coefficient of the divergence from the prior; 1 is the one whose optimum is the target. */
export const kl = z.number().min(0).default(1)
  .describe("weight of the divergence from the prior; 1 is the target");

/**
 * `[B, T]`: reward of each action, under the policy that sampled it:
 *
 *     −kl (log P_F − log prior) of every action, and r(x) = log R(x) − log prior(x) with the exit
 *
 * The sum over a trajectory is the return G(τ). Its expectation is E[r] − kl KL(P_F‖prior over
 * trajectories), greatest at P_F(τ) ∝ prior(τ) e^(r(x)/kl): with kl = 1 at the target R / Z, for any
 * prior, because the prior is divided out of R and put back by the divergence (Levine
 * 2018, arXiv 1805.00909; for GFlowNets Tiapkin et al. 2024, arXiv 2310.12934, and Deleu et al.
 * 2024, arXiv 2402.10309).
 */
export function actionPay(scores: Scores, batch: Batch, kl: number): Float64Array {
  const pay = new Float64Array(batch.B * batch.T);
  for (let b = 0; b < batch.B; b++) {
    const [row, n] = [b * batch.T, batch.lengths[b]];
    for (let t = 0; t < n; t++) {
      pay[row + t] = kl * (batch.logPrior[row + t] - scores.logPf[row + t]);
    }
    pay[row + n - 1] += batch.logReward[row + n - 1] - batch.objectLogPrior[b];
  }
  return pay;
}

/** `[B]`: returns of whole trajectories. */
export function trajectoryReturns(pay: Float64Array, batch: Batch): Float64Array {
  return Float64Array.from(batch.lengths, (n, b) => {
    let sum = 0;
    for (let t = 0; t < n; t++) sum += pay[b * batch.T + t];
    return sum;
  });
}

/** Says for an objective with this `kl` whether and where its optimum moves. */
export function klMovesOptimum(
  name: string,
): (parameters: { readonly kl: number }) => string | undefined {
  return ({ kl }) => {
    if (kl === 1) return undefined;
    if (kl === 0) return `${name} at kl = 0 maximises the reward: its optimum is the best object`;
    return `${name} at kl = ${kl} has its optimum at prior^(1 - 1/kl) reward^(1/kl), which is not ` +
      "the target";
  };
}

/** Arithmetic mean. */
export function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
