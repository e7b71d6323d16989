/** Draws of discrete variables that were summed out, from their probabilities given a draw. */
import { RandomStream } from "../../../base/random.ts";
import { exp } from "../../../numerics/math/mod.ts";

/**
 * Which of the values with these log weights a draw has: chosen with their probabilities. The
 * random number is that of a stream which the position names. Draws of a continuous posterior never
 * share all their digits, so values of different draws are independent, and a draw has one value
 * for every caller and in any order.
 *
 * @param logWeights read from `first`, `count` of them; up to a constant.
 * @returns 0 … count − 1.
 */
export function drawValue(
  position: Float64Array,
  logWeights: Float64Array,
  first: number,
  count: number,
): number {
  let largest = -Infinity;
  for (let k = 0; k < count; k++) largest = Math.max(largest, logWeights[first + k]);
  let total = 0;
  for (let k = 0; k < count; k++) total += exp(logWeights[first + k] - largest);
  let left = total * new RandomStream("discrete", ...position).uniform();
  for (let k = 0; k < count - 1; k++) {
    left -= exp(logWeights[first + k] - largest);
    if (left < 0) return k;
  }
  return count - 1;
}
