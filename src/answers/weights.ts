/** Weights of a target's programs, from log weights. */
import { exp } from "../numerics/math/mod.ts";

/**
 * exp(log weights), normalised to sum to 1; written into `out` if it is given.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { normalised } from "./weights.ts";
 * assert.deepEqual([...normalised([-1000, -1000])], [0.5, 0.5]);
 * ```
 */
export function normalised(
  logWeights: ArrayLike<number>,
  out: Float64Array = new Float64Array(logWeights.length),
): Float64Array {
  let top = -Infinity;
  for (let k = 0; k < logWeights.length; k++) if (logWeights[k] > top) top = logWeights[k];
  let sum = 0;
  for (let k = 0; k < logWeights.length; k++) sum += out[k] = exp(logWeights[k] - top);
  for (let k = 0; k < out.length; k++) out[k] /= sum;
  return out;
}

/** Half the L1 distance of two distributions over the same programs. */
export function totalVariation(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < one.length; k++) sum += Math.abs(one[k] - other[k]);
  return sum / 2;
}

/** The sum of weights by group: `[groups]`. */
export function summedBy(weights: Float64Array, groups: Int32Array, count: number): Float64Array {
  const out = new Float64Array(count);
  for (let k = 0; k < weights.length; k++) out[groups[k]] += weights[k];
  return out;
}
