/** Masses that a certificate cannot exclude: prior mass without a score, and sets that draws may have missed. */
import { exp, log } from "../../numerics/math/mod.ts";
import type { TerminalObject } from "../environments/environment.ts";
import type { Exploration } from "./exploration.ts";
import type { ScoredObjects } from "./scored_objects.ts";

/** Probability with which a set of that size would have been hit. */
const confidence = 0.95;

/** The part of a space that was not scored. */
export interface Unseen {
  /** Prior probability of all unscored objects, 0 to 1. */
  readonly prior: number;
  /** Number of unscored objects, where objects are listed. */
  readonly objects?: number;
  /** Number of all objects, where they are listed. */
  readonly of?: number;
  /** Independent draws from the prior, all of which were scored. */
  readonly draws: number;
  /** A set of objects of this prior probability would have been hit in 95 % of cases. */
  readonly set: number;
}

/**
 * Measures of the unscored part. No reward bounds it: half of the target may be in one object of it.
 *
 * @param objects All of them, where they can be enumerated.
 */
export function unseenOf(
  explorations: readonly Exploration[],
  scored: ScoredObjects,
  objects?: readonly TerminalObject[],
): Unseen {
  const seen = scored.all.reduce((sum, { object }) => sum + exp(object.logPrior), 0);
  const prior = Math.max(0, 1 - seen);
  const draws = explorations.reduce((sum, { priorDraws = 0 }) => sum + priorDraws, 0);
  const left = objects?.filter(({ text }) => !scored.knows(text)).length;
  return {
    prior: left === 0 ? 0 : prior,
    ...(objects && { objects: left!, of: objects.length }),
    draws,
    set: left === 0 ? 0 : Math.min(prior, unseenSet(draws)),
  };
}

/**
 * The prior probability m of which a given set is missed by n independent draws in 5 % of cases,
 * (1 − m)^n = 0.05 (Clopper and Pearson 1934, none of n); about 3 / n.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { unseenSet } from "./unseen.ts";
 * assert.ok(Math.abs(unseenSet(59) - 0.0495) < 1e-4);
 * assert.equal(unseenSet(0), 1);
 * ```
 */
export function unseenSet(draws: number): number {
  return 1 - exp(log(1 - confidence) / draws);
}
