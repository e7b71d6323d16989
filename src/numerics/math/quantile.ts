/** Quantiles of sorted values. */

/**
 * A quantile by linear interpolation between order statistics (Hyndman and Fan 1996, type 7, the
 * default of R and NumPy).
 *
 * @param sorted rising, at least one value.
 * @param p in [0, 1].
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { quantile } from "./quantile.ts";
 * assert.equal(quantile([1, 2, 3, 4], 0.5), 2.5);
 * ```
 */
export function quantile(sorted: ArrayLike<number>, p: number): number {
  const at = p * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}
