/** Quantiles of replicates. */

/** The middle and both ends of the middle 90 %. */
export interface Spread {
  readonly median: number;
  readonly lo: number;
  readonly hi: number;
}

/**
 * A quantile by linear interpolation between order statistics (Hyndman and Fan 1996, type 7, the
 * default of R and NumPy).
 *
 * @param sorted rising.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { quantile } from "./quantiles.ts";
 * assert.equal(quantile([1, 2, 3, 4], 0.5), 2.5);
 * ```
 */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  const at = p * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

/** Median, 5 % and 95 % quantile of replicates in any order. */
export function spreadOf(replicates: Float64Array): Spread {
  const sorted = replicates.slice().sort();
  return {
    median: quantile(sorted, 0.5),
    lo: quantile(sorted, 0.05),
    hi: quantile(sorted, 0.95),
  };
}
