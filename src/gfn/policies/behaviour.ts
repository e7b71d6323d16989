/** What is sampled while the policy learns: the policy, tempered and mixed with uniform choice. */
import type { RandomStream } from "../../base/random.ts";
import { exp } from "../../base/math/elementary.ts";
import { toLogSoftmax } from "./legal_softmax.ts";

/** How the behaviour departs from the policy; see `SampleOptions`. */
export interface Behaviour {
  /** Share of uniform choice, in [0, 1]. */
  readonly epsilon: number;
  /** Of the softmax; above 0. */
  readonly temperature: number;
}

/**
 * Draws the place of a legal action by inverting the cumulative distribution of
 * (1 − ε) softmax(log P / temperature) + ε / (number of legal actions); one uniform per action.
 *
 * @param logP The policy's log probabilities of the legal actions, in their order.
 */
export function drawPlace(
  logP: Float64Array,
  { epsilon, temperature }: Behaviour,
  random: RandomStream,
): number {
  const log = temperature === 1 ? logP : toLogSoftmax(logP.map((x) => x / temperature));
  const u = random.uniform();
  let cumulative = 0;
  for (let k = 0; k < log.length; k++) {
    cumulative += (1 - epsilon) * exp(log[k]) + epsilon / log.length;
    if (u < cumulative) return k;
  }
  return log.length - 1; // Rounding left the sum a hair below 1.
}
