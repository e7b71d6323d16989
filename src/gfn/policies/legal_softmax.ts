/** The softmax over legal actions: one piece of code for sampling, scoring and gradients. */
import { exp, log } from "../../numerics/math/mod.ts";
import type { LegalActions } from "../environments/environment.ts";
import { actionAt, legalCount } from "../environments/legal_actions.ts";

/** A stretch of a longer array: it begins at `offset`. */
interface Stretch<T> {
  readonly values: T;
  readonly offset: number;
}

/** The logits of the legal actions, in their order, out of those of a whole vocabulary. */
export function gatherLegal(
  { values, offset }: Stretch<ArrayLike<number>>,
  legal: LegalActions,
  A: number,
  out: Stretch<Float64Array>,
): void {
  const [to, count] = [out.offset, legalCount(legal, A)];
  if (legal === "all") { for (let k = 0; k < count; k++) out.values[to + k] = values[offset + k]; }
  else for (let k = 0; k < count; k++) out.values[to + k] = values[offset + legal[k]];
}

/**
 * log P of each legal action in f64, in the order of `legal`.
 *
 * @param logits `[A]`, or longer: only those of legal actions are read. At least one action is.
 */
export function legalLogSoftmax(
  logits: ArrayLike<number>,
  legal: LegalActions,
  A: number,
): Float64Array {
  const row = new Float64Array(legalCount(legal, A));
  gatherLegal({ values: logits, offset: 0 }, legal, A, { values: row, offset: 0 });
  return toLogSoftmax(row);
}

/** Turns the logits of legal actions into their log P, in place. */
export function toLogSoftmax(row: Float64Array): Float64Array {
  let largest = -Infinity;
  for (let k = 0; k < row.length; k++) if (row[k] > largest) largest = row[k];
  let sum = 0;
  for (let k = 0; k < row.length; k++) sum += exp(row[k] - largest);
  const logSum = log(sum);
  for (let k = 0; k < row.length; k++) row[k] = row[k] - largest - logSum;
  return row;
}

/**
 * Adds to `gradient` the gradient of `force` · log P of one legal action with respect to all
 * logits: force (1[a = action] − P(a)) on legal actions.
 *
 * @param logP Result of {@linkcode legalLogSoftmax}.
 * @param place Index of the action in the row.
 */
export function addLogSoftmaxGradient(
  gradient: Float64Array,
  logP: Float64Array,
  legal: LegalActions,
  place: number,
  force: number,
): void {
  if (force === 0) return;
  for (let k = 0; k < logP.length; k++) gradient[actionAt(legal, k)] -= force * exp(logP[k]);
  gradient[actionAt(legal, place)] += force;
}

/**
 * Turns logits into the probabilities whose logarithms {@linkcode toLogSoftmax} gives, in place; a
 * log probability is logit − `normaliser[0]` − `normaliser[1]`. Allocates nothing.
 *
 * @param count Number of logits.
 */
export function toProbabilities(
  { values, offset }: Stretch<Float64Array>,
  count: number,
  normaliser: Float64Array,
): void {
  const end = offset + count;
  let largest = -Infinity;
  for (let k = offset; k < end; k++) if (values[k] > largest) largest = values[k];
  let sum = 0;
  for (let k = offset; k < end; k++) sum += values[k] = exp(values[k] - largest);
  for (let k = offset; k < end; k++) values[k] /= sum;
  normaliser[0] = largest;
  normaliser[1] = log(sum);
}
