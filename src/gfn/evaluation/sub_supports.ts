/** Divergence on random sub-supports: exact on each, averaged, with a bound that always holds. */
import type { RandomStream } from "../../base/random.ts";
import { log, logSumExp } from "../../numerics/math/mod.ts";
import { divergences } from "./divergences.ts";

/** The mean over sub-supports of the total variation of the two restricted distributions. */
export interface SubSupportDistance {
  /** Mean total variation, 0 to 1. */
  readonly value: number;
  /** Monte Carlo standard error of `value`. */
  readonly mcse: number;
  /** Bound that holds with probability 0.95 for any expectation (Hoeffding 1963). */
  readonly interval: readonly [number, number];
}

/** Number and size of sub-supports. */
export interface SubSupportOptions {
  /** Sub-supports that are drawn. */
  readonly count: number;
  /** Objects of each; all of the pool where it has fewer. */
  readonly size: number;
  /** Draws objects without replacement. */
  readonly random: RandomStream;
}

/**
 * Draws sub-supports from a pool of objects, normalises rewards and policy on each, and averages
 * their total variation: "flow consistency in sub-graphs" (Silva et al. 2025). It is 0 for every
 * sub-support exactly if P is proportional to R on the pool; it says nothing about objects that
 * the pool does not hold, so the pool should mix policy, prior and uniform samples.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { subSupportDistance } from "./sub_supports.ts";
 * const options = { count: 20, size: 3, random: new RandomStream("seed") };
 * const logReward = [0, 1, 2, 3];
 * const shifted = logReward.map((one) => one - 7); // P ∝ R
 * assert(subSupportDistance(logReward, shifted, options).value < 1e-12);
 * ```
 *
 * @param logReward `[pool]`.
 * @param logP `[pool]`.
 */
export function subSupportDistance(
  logReward: ArrayLike<number>,
  logP: ArrayLike<number>,
  { count, size, random }: SubSupportOptions,
): SubSupportDistance {
  const order = Int32Array.from({ length: logReward.length }, (_, i) => i);
  const used = Math.min(size, order.length);
  const values = Array.from({ length: count }, () => {
    for (let i = 0; i < used; i++) {
      const j = i + random.below(order.length - i);
      [order[i], order[j]] = [order[j], order[i]];
    }
    const chosen = [...order.subarray(0, used)];
    const target = normalised(chosen.map((x) => logReward[x]));
    return divergences(target, normalised(chosen.map((x) => logP[x]))).totalVariation;
  });
  const value = values.reduce((sum, x) => sum + x, 0) / count;
  const squares = values.reduce((sum, x) => sum + (x - value) * (x - value), 0);
  const half = Math.sqrt(log(2 / 0.05) / (2 * count));
  return {
    value,
    mcse: count > 1 ? Math.sqrt(squares / (count - 1) / count) : Infinity,
    interval: [Math.max(0, value - half), Math.min(1, value + half)],
  };
}

function normalised(logs: readonly number[]): number[] {
  const total = logSumExp(logs);
  return logs.map((one) => one - total);
}
