/** Bounds of an answer against programs without a score, and those whose reward was raised. */
import { exp, logSumExp } from "../numerics/math/mod.ts";
import type { ScoredSpace } from "./scored_space.ts";

/** Shares of the target that failed programs could hold, and that raised ones hold. */
interface Unproved {
  /**
   * Share of the target that programs without a score would have if each predicted as well as the
   * best that has one; the total variation that they could make is no larger. Null where their
   * priors are not known.
   */
  readonly failedAtMost: number | null;
  /** Programs whose own score lies below the floor of the target's rewards. */
  readonly raised: number;
  /** Share of them in the policies' target, at that floor: bounds its total variation from the answer. */
  readonly raisedAtFloor: number;
}

/**
 * Bounds on programs without a score. A raised program counts in an answer by its own score,
 * because the floor is a device of learning and no evidence.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { unprovedOf } from "./unproved.ts";
 * const half = Math.log(0.5);
 * const { failedAtMost } = unprovedOf({
 *   logReward: Float64Array.of(half - 3), logPrior: Float64Array.of(half), priorWeight: 1,
 *   failedLogPrior: Float64Array.of(half), derivations: Int32Array.of(1),
 * });
 * assert.ok(Math.abs(failedAtMost! - 0.5) < 1e-12);
 * ```
 */
export function unprovedOf(
  { logReward, logPrior, priorWeight, failedLogPrior, raisedTo, derivations }: Pick<
    ScoredSpace,
    "logReward" | "logPrior" | "priorWeight" | "failedLogPrior" | "raisedTo" | "derivations"
  >,
): Unproved {
  const logTotal = logSumExp(logReward);
  const best = logReward.reduce(
    (most, one, k) => Math.max(most, one - priorWeight * logPrior[k]),
    -Infinity,
  );
  const failed = failedLogPrior &&
    logSumExp(failedLogPrior.map((one) => priorWeight * one + best));
  const isRaised = (k: number) => raisedTo !== undefined && !Number.isNaN(raisedTo[k]);
  const floored = logReward.map((one, k) => isRaised(k) ? raisedTo![k] : one);
  const atFloor = floored.filter((_, k) => isRaised(k));
  return {
    failedAtMost: failed === undefined ? null : shareOf(failed, logTotal),
    raised: derivations.reduce((sum, one, k) => sum + (isRaised(k) ? one : 0), 0),
    raisedAtFloor: atFloor.length === 0 ? 0 : exp(logSumExp(atFloor) - logSumExp(floored)),
  };
}

/** Share of exp(one) in exp(one) + exp(other). */
function shareOf(one: number, other: number): number {
  return exp(one - logSumExp(Float64Array.of(one, other)));
}
