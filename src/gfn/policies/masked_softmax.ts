/** The softmax over legal actions: one piece of code for sampling, scoring and gradients. */
import { exp, log } from "../../math/elementary.ts";

/**
 * log P of each legal action given logits, in f64; −Infinity where illegal.
 *
 * @param logits `[A]`, or longer: only the first `mask.length` are read.
 * @param mask `[A]`: 1 = legal. At least one action is.
 */
export function maskedLogSoftmax(logits: ArrayLike<number>, mask: Uint8Array): Float64Array {
  const result = new Float64Array(mask.length).fill(-Infinity);
  let largest = -Infinity;
  for (let a = 0; a < mask.length; a++) {
    if (mask[a] && logits[a] > largest) largest = logits[a];
  }
  let sum = 0;
  for (let a = 0; a < mask.length; a++) if (mask[a]) sum += exp(logits[a] - largest);
  const logSum = log(sum);
  for (let a = 0; a < mask.length; a++) if (mask[a]) result[a] = logits[a] - largest - logSum;
  return result;
}

/**
 * Adds to `gradient` the gradient of `force` · log P(action) with respect to the logits:
 * force (1[a = action] − P(a)) on legal actions, 0 elsewhere.
 */
export function addLogSoftmaxGradient(
  gradient: Float64Array,
  logP: Float64Array,
  action: number,
  force: number,
): void {
  if (force === 0) return;
  for (let a = 0; a < logP.length; a++) {
    if (logP[a] !== -Infinity) gradient[a] -= force * exp(logP[a]);
  }
  gradient[action] += force;
}
