/** Simulation-based calibration: where the program that made a data set stands among all, by an answer. */
import { exp } from "../../numerics/math/mod.ts";
import { normalised } from "./measures.ts";

/** Where one truth stands. */
export interface TruthRank {
  /** Mass of the likelier programs, and half of its own: uniform if answers are posteriors of the simulation. */
  readonly rank: number;
  /** Whether it is in the smallest set of programs that has 90 % of the mass. */
  readonly isIn90: boolean;
}

/**
 * The place of a truth among programs; `undefined` if it is none of them (Talts et al. 2018, on a discrete
 * parameter).
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { truthRank } from "./truth_rank.ts";
 * const { isIn90 } = truthRank([0, 1], [0, -5], 0)!;
 * assert(isIn90);
 * assert.equal(truthRank([0, 1], [0, -5], 7), undefined);
 * ```
 */
export function truthRank(
  programs: ArrayLike<number>,
  logAnswer: ArrayLike<number>,
  truth: number,
): TruthRank | undefined {
  const place = Array.from(programs).indexOf(truth);
  if (place < 0) return undefined;
  const logs = normalised(logAnswer);
  const above = logs.reduce((sum, one) => one > logs[place] ? sum + exp(one) : sum, 0);
  return { rank: above + 0.5 * exp(logs[place]), isIn90: above < 0.9 };
}

/**
 * Largest distance of the distribution of ranks from the uniform one.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { distanceFromUniform } from "./truth_rank.ts";
 * const even = Array.from({ length: 100 }, (_, i) => (i + 0.5) / 100);
 * assert(distanceFromUniform(even) < 0.02);
 * ```
 */
export function distanceFromUniform(ranks: readonly number[]): number {
  const sorted = [...ranks].sort((a, b) => a - b);
  return sorted.reduce((most, rank, i) => {
    const [below, above] = [i / sorted.length, (i + 1) / sorted.length];
    return Math.max(most, Math.abs(rank - below), Math.abs(above - rank));
  }, 0);
}
