/** Measures of an answer without execution against counting: distance, inclusion, log score. */
import { exp, logSumExp } from "../../numerics/math/mod.ts";
import { members } from "./normal_regressions.ts";

/** Divergences of one distribution over the programs of a data set from another. */
export interface AnswerMeasures {
  /** Total variation. */
  readonly tv: number;
  /** Mean over answers of the absolute error of their probability: of predictors, that they are in. */
  readonly inclusionError: number;
  /** KL(target‖answer), nats. */
  readonly klTargetPolicy: number;
  /** `[answers]`: probabilities by the answer and by the target. */
  readonly inclusion: readonly Float64Array[];
}

/**
 * Both over the same programs.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { measureAnswer } from "./measures.ts";
 * const { tv } = measureAnswer([0, 1], [0, 0], [0, -1000], 1);
 * assert(Math.abs(tv - 0.5) < 1e-12);
 * ```
 *
 * @param programs Bits of their predictors, or places in a vocabulary.
 * @param marksOf Answers that a program gives; predictors that are in, if left out.
 */
export function measureAnswer(
  programs: ArrayLike<number>,
  logAnswer: ArrayLike<number>,
  logTarget: ArrayLike<number>,
  answers: number,
  marksOf: (program: number) => readonly number[] = members,
): AnswerMeasures {
  const [p, q] = [normalised(logAnswer), normalised(logTarget)];
  const inclusion = [p, q].map((log) => inclusionOf(programs, log, answers, marksOf));
  let [tv, kl] = [0, 0];
  for (let m = 0; m < p.length; m++) {
    const share = exp(q[m]);
    tv += 0.5 * Math.abs(exp(p[m]) - share);
    if (share > 0) kl += share * (q[m] - p[m]);
  }
  const [own, wanted] = inclusion;
  const inclusionError = own.reduce((sum, one, j) => sum + Math.abs(one - wanted[j]), 0) /
    answers;
  return { tv, inclusionError, klTargetPolicy: kl, inclusion };
}

/**
 * `[answers]`: the mass of the programs that give each answer; by default, that a predictor is in.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { inclusionOf } from "./measures.ts";
 * const even = new Float64Array(4).fill(Math.log(0.25)); // of the programs 0, 1, 2, 3
 * assert(inclusionOf([0, 1, 2, 3], even, 2).every((one) => Math.abs(one - 0.5) < 1e-12));
 * ```
 */
export function inclusionOf(
  programs: ArrayLike<number>,
  logShares: ArrayLike<number>,
  answers: number,
  marksOf: (program: number) => readonly number[] = members,
): Float64Array {
  const mass = new Float64Array(answers);
  for (let m = 0; m < programs.length; m++) {
    const share = exp(logShares[m]);
    for (const j of marksOf(programs[m])) mass[j] += share;
  }
  return mass;
}

/**
 * Log shares.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { normalised } from "./measures.ts";
 * assert(Math.abs(normalised([5, 5])[0] - Math.log(0.5)) < 1e-12);
 * ```
 */
export function normalised(logs: ArrayLike<number>): Float64Array {
  const own = Float64Array.from(logs);
  const total = logSumExp(own);
  return own.map((one) => one - total);
}

/**
 * Expected calibration error in ten bins: mean |stated − target| of inclusion probabilities that are
 * alike, weighted by how many there are.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { calibrationError } from "./measures.ts";
 * assert(calibrationError([[0.8, 1], [0.8, 0.6]]) < 1e-12); // right on average
 * assert(calibrationError([[0.8, 0]]) > 0.7);
 * ```
 */
export function calibrationError(
  pairs: readonly (readonly [stated: number, wanted: number])[],
): number {
  const bins = Map.groupBy(pairs, ([stated]) => Math.min(9, Math.floor(10 * stated)));
  let sum = 0;
  for (const some of bins.values()) {
    sum += Math.abs(some.reduce((total, [stated, wanted]) => total + stated - wanted, 0));
  }
  return pairs.length === 0 ? 0 : sum / pairs.length;
}

/**
 * The quantile of some numbers, by the nearest rank.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { rankedAt } from "./measures.ts";
 * assert.equal(rankedAt([3, 1, 2], 0.5), 2);
 * ```
 */
export function rankedAt(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}
