/** Behaviour policy while the policy learns: the policy, tempered and mixed with uniform choice. */
import type { RandomStream } from "../../base/random.ts";
import { exp } from "../../numerics/math/mod.ts";
import { toLogSoftmax } from "./legal_softmax.ts";

/** Departure of the behaviour from the policy; see `SampleOptions`. */
interface Behaviour {
  /** Share of uniform choice, in [0, 1]. */
  readonly epsilon: number;
  /** Temperature of the softmax, above 0. */
  readonly temperature: number;
  /** Share of the likeliest actions that are drawn from, in (0, 1]; all if left out. */
  readonly topP?: number;
}

/**
 * Draws the place of a legal action by inverting the cumulative distribution of
 * (1 − ε) softmax(log P / temperature) + ε / (number of legal actions); one uniform per action. With
 * `topP` the softmax is cut to the fewest actions that have this share together, the uniform part is not.
 *
 * @param logP The policy's log probabilities of the legal actions, in their order.
 */
export function drawPlace(
  logP: Float64Array,
  { epsilon, temperature, topP = 1 }: Behaviour,
  random: RandomStream,
): number {
  const tempered = temperature === 1 ? logP : toLogSoftmax(logP.map((x) => x / temperature));
  const log = topP < 1 ? nucleus(tempered, topP) : tempered;
  const u = random.uniform();
  let cumulative = 0;
  for (let k = 0; k < log.length; k++) {
    cumulative += (1 - epsilon) * exp(log[k]) + epsilon / log.length;
    if (u < cumulative) return k;
  }
  return log.length - 1; // Rounding left the sum a hair below 1.
}

/** log P cut to the likeliest actions, in order of place where equal, whose share reaches `topP`. */
function nucleus(log: Float64Array, topP: number): Float64Array {
  const order = Array.from(log, (_, k) => k).sort((a, b) => log[b] - log[a] || a - b);
  const kept = new Float64Array(log.length).fill(-Infinity);
  let share = 0;
  for (const k of order) {
    kept[k] = log[k];
    share += exp(log[k]);
    if (share >= topP) break;
  }
  return toLogSoftmax(kept);
}
