/** The logarithm of a sum of exponentials, without overflow. */
import { log } from "./elementary.ts";
import { sumOfExponentials } from "./exponentials.ts";

/**
 * log Σ exp(x_i) over `length` entries of `values` from `offset`, `stride` apart. −∞ if there are
 * none or all are −∞; NaN if one is NaN.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { logSumExp } from "./log_sum_exp.ts";
 * assert.equal(logSumExp([1000, 1000]), 1000 + Math.LN2);
 * ```
 */
export function logSumExp(
  values: ArrayLike<number>,
  offset: number = 0,
  length: number = values.length - offset,
  stride: number = 1,
): number {
  let largest = -Infinity;
  const end = offset + length * stride;
  for (let i = offset; i < end; i += stride) {
    if (!(values[i] <= largest)) largest = values[i];
  }
  if (!(largest > -Infinity && largest < Infinity)) return largest;
  return largest + log(sumOfExponentials(values, largest, offset, length, stride));
}
