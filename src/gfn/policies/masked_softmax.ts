/** The softmax over legal actions: one piece of code for sampling, scoring and gradients. */
import { exp, log } from "../../base/math/elementary.ts";

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

/** A stretch of a longer array: `count` numbers from `offset` on. */
export interface Stretch<T> {
  readonly values: T;
  readonly offset: number;
}

/**
 * The probabilities whose logarithms {@linkcode maskedLogSoftmax} gives, written to `out`; a log
 * probability is logit − `normaliser[0]` − `normaliser[1]`. Allocates nothing.
 *
 * @param count Number of actions.
 */
export function maskedProbabilities(
  logits: Stretch<ArrayLike<number>>,
  mask: Stretch<Uint8Array>,
  count: number,
  out: Stretch<Float64Array>,
  normaliser: Float64Array,
): void {
  const [from, legal, to] = [logits.offset, mask.offset, out.offset];
  let largest = -Infinity;
  for (let a = 0; a < count; a++) {
    if (mask.values[legal + a] && logits.values[from + a] > largest) {
      largest = logits.values[from + a];
    }
  }
  let sum = 0;
  for (let a = 0; a < count; a++) {
    const weight = mask.values[legal + a] ? exp(logits.values[from + a] - largest) : 0;
    out.values[to + a] = weight;
    sum += weight;
  }
  for (let a = 0; a < count; a++) out.values[to + a] /= sum;
  normaliser[0] = largest;
  normaliser[1] = log(sum);
}
