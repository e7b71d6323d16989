/** Finds a number among cumulative sums, which turns a uniform number into a draw. */

/**
 * The first index whose cumulative sum is above `u`, by bisection; the last one where none is.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { indexAbove } from "./index_above.ts";
 * assert.equal(indexAbove([0.2, 0.5, 1], 0.3), 1);
 * assert.equal(indexAbove([0.2, 0.5, 1], 0.9), 2);
 * ```
 *
 * @param cumulative `[objects]`, not empty, nowhere falling.
 */
export function indexAbove(cumulative: ArrayLike<number>, u: number): number {
  let [low, high] = [0, cumulative.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cumulative[middle] > u) high = middle;
    else low = middle + 1;
  }
  return low;
}
