/** Compares totals of a score with their parts: content of the disk is untrusted. */
import type { Score } from "../../engine/score/execution/mod.ts";

/** Share of the sum of absolute values that rounding may take, whatever the order of adding. */
const rounding = 1e-9;

/** True if `elpdLoo` is the sum of its terms, and `elpdReward` that of its own, or `elpdLoo`. */
export function agreesWithParts(
  { elpdLoo, elpdReward, elpdPointwise, rewardPointwise }: Score,
): boolean {
  if (!isSum(elpdLoo, elpdPointwise)) return false;
  if (!rewardPointwise) return near(elpdReward, elpdLoo, elpdPointwise);
  return rewardPointwise.length === elpdPointwise.length && isSum(elpdReward, rewardPointwise);
}

function isSum(total: number, terms: readonly number[]): boolean {
  return near(total, sum(terms), terms);
}

function near(a: number, b: number, terms: readonly number[]): boolean {
  return Math.abs(a - b) <= tolerance(terms);
}

function tolerance(terms: readonly number[]): number {
  return rounding * (1 + terms.reduce((total, term) => total + Math.abs(term), 0));
}

function sum(terms: readonly number[]): number {
  return terms.reduce((total, term) => total + term, 0);
}
