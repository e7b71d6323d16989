/** Totals of a score compared with their parts: what lies on disk is not believed. */
import type { Score } from "../../engine/score/execution.ts";

/** Share of the sum of absolute values that rounding may take, whatever the order of adding. */
const rounding = 1e-9;

/**
 * True if `elpdLoo` is the sum of its terms, and `elpdReward` the sum of its own, or where it has
 * none, that of the terms of `elpdLoo` below one cap.
 */
export function agreesWithParts(score: Score): boolean {
  const { elpdLoo, elpdReward, elpdPointwise, cappedPoints } = score;
  if (!isSum(elpdLoo, elpdPointwise)) return false;
  const own = rewardPointwise(score);
  if (own) return own.length === elpdPointwise.length && isSum(elpdReward, own);
  if (cappedPoints === 0) return near(elpdReward, elpdLoo, elpdPointwise);
  return isCapped(score);
}

/** Terms of the reward, where it has terms of its own. */
function rewardPointwise(score: Score): readonly number[] | undefined {
  const terms = (score as { readonly rewardPointwise?: unknown }).rewardPointwise;
  return Array.isArray(terms) && terms.every(Number.isFinite) ? terms : undefined;
}

/** Whether taking the largest terms down to one cap gives the reward, and the cap lies among them. */
function isCapped(
  { elpdLoo, elpdReward, elpdPointwise, cappedPoints, unit }: Score,
): boolean {
  if (cappedPoints > elpdPointwise.length || elpdReward > elpdLoo) return false;
  if (unit === "group") return true; // each group has a cap of its own
  const sorted = [...elpdPointwise].sort((a, b) => b - a);
  const above = sorted.slice(0, cappedPoints);
  const cap = (sum(above) - (elpdLoo - elpdReward)) / cappedPoints;
  const slack = tolerance(elpdPointwise);
  return cap <= above[cappedPoints - 1] + slack &&
    cap >= (sorted[cappedPoints] ?? -Infinity) - slack;
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
