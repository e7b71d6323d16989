/** What is sampled while the policy learns: the policy, tempered and mixed with uniform choice. */
import type { RandomStream } from "../../base/random.ts";
import { exp } from "../../base/math/elementary.ts";
import { maskedLogSoftmax } from "./masked_softmax.ts";

/** How the behaviour departs from the policy; see `SampleOptions`. */
export interface Behaviour {
  /** Share of uniform choice, in [0, 1]. */
  readonly epsilon: number;
  /** Of the softmax; above 0. */
  readonly temperature: number;
}

/**
 * Draws an action by inverting the cumulative distribution of
 * (1 − ε) softmax(log P / temperature) + ε / (number of legal actions); one uniform per action.
 *
 * @param logP `[A]`: the policy's log probabilities, −Infinity where illegal.
 */
export function drawAction(
  logP: Float64Array,
  mask: Uint8Array,
  behaviour: Behaviour,
  random: RandomStream,
): number {
  const { epsilon, temperature } = behaviour;
  const log = temperature === 1 ? logP : maskedLogSoftmax(logP.map((x) => x / temperature), mask);
  const legal = mask.reduce((sum, m) => sum + m, 0);
  const u = random.uniform();
  let [cumulative, last] = [0, -1];
  for (let a = 0; a < mask.length; a++) {
    if (!mask[a]) continue;
    cumulative += (1 - epsilon) * exp(log[a]) + epsilon / legal;
    if (u < cumulative) return a;
    last = a;
  }
  return last; // Rounding left the sum a hair below 1.
}
