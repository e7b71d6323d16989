/** Moves the largest values of an array to its end, without sorting it. */

/**
 * Reorders `values[0 .. length)` so that index `k` holds the value it would hold if sorted, with
 * nothing larger before and nothing smaller behind it (Hoare 1961). Values must not be NaN.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { quickselect } from "./quickselect.ts";
 * const values = Float64Array.of(3, 1, 4, 1, 5);
 * quickselect(values, 5, 3);
 * assert.deepEqual([...values.subarray(3)], [4, 5]);
 * ```
 */
export function quickselect(values: Float64Array, length: number, k: number): void {
  let left = 0;
  let right = length - 1;
  while (left < right) {
    const pivot = medianOfThree(values[left], values[(left + right) >>> 1], values[right]);
    let i = left - 1;
    let j = right + 1;
    for (;;) {
      do i++; while (values[i] < pivot);
      do j--; while (values[j] > pivot);
      if (i >= j) break;
      const swapped = values[i];
      values[i] = values[j];
      values[j] = swapped;
    }
    if (k <= j) right = j;
    else left = j + 1;
  }
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}
