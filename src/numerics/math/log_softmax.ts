/** Log probabilities of logits. */
import { logSumExp } from "./log_sum_exp.ts";

/**
 * log p of each of some logits at a temperature T: logit / T less log Σ exp(logit / T).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { logSoftmax } from "./log_softmax.ts";
 * assert.deepEqual(logSoftmax([0, 0]), Float64Array.of(-Math.LN2, -Math.LN2));
 * ```
 */
export function logSoftmax(logits: ArrayLike<number>, temperature = 1): Float64Array {
  const scaled = Float64Array.from(logits, (one) => one / temperature);
  const logZ = logSumExp(scaled);
  return scaled.map((one) => one - logZ);
}
