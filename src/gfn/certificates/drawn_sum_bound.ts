/** A lower bound of a sum, from draws without replacement by adaptive proposals. */
import { exp, log, logAddExp, logSumExp } from "../../numerics/math/mod.ts";

/** A draw from the objects that were unscored at that time. */
export interface Draw {
  /** Text of the object, which identifies it. */
  readonly text: string;
  /** log R(x), −Infinity where R is 0. */
  readonly logReward: number;
  /**
   * log of the probability with which it was drawn, given all earlier draws; absent where it was
   * not drawn but scored for another reason: then it counts in the sum without a bet.
   */
  readonly logQ?: number;
}

/** Growth rates k of stakes: the share of the wealth staked at draw t is k (t + 1) / planned^1.5. */
const growths = [10, 20, 40] as const;

/** The largest share of the wealth that is staked. */
const mostStake = 0.9;

/** Error probability, and number of planned draws. */
interface Certainty {
  readonly alpha: number;
  /** Known before the first draw; it sets the stakes, and the bound holds for any. */
  readonly planned: number;
}

/**
 * Lower bound of log Σ R over a set at confidence 1 − α, for any proposals and any number of draws.
 * Let S be the members scored before draw t: then R / q of the object drawn has the mean
 * Σ R − R(S), given all earlier draws. A gambler who bets at every draw that Σ R is above m
 * becomes rich only if it is: each m at which the wealth reaches 1/α is refuted (Waudby-Smith and
 * Ramdas 2024, section 5; Ville 1939). Stakes grow, since later proposals know more; the wealth is
 * a mixture over three growths. Scored objects count in full, so that the bound is at least R(S).
 *
 * @param logSure log of the sum of R over members scored before the first draw.
 * @param draws In their order; log R is −Infinity for objects outside of the set.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { logLowerBoundOfSum } from "./drawn_sum_bound.ts";
 * // Of a hundred objects that are worth 1 each, fifty were drawn, uniformly from what was left.
 * const draws = Array.from({ length: 50 }, (_, t) => {
 *   return { text: `${t}`, logReward: 0, logQ: -Math.log(100 - t) };
 * });
 * const bound = Math.exp(logLowerBoundOfSum(-Infinity, draws, { alpha: 0.01, planned: 50 }));
 * assert.ok(bound > 90 && bound < 100);
 * ```
 */
export function logLowerBoundOfSum(
  logSure: number,
  draws: readonly Draw[],
  { alpha, planned }: Certainty,
): number {
  const logScored = logSumExp([logSure, ...draws.map(({ logReward }) => logReward)]);
  const most = draws.reduce(
    (a, { logReward, logQ }) => Math.max(a, logReward - (logQ ?? 0)),
    logScored,
  );
  if (most === -Infinity) return -Infinity;
  const unit = logAddExp(most, logScored);
  const steps = stepsOf(exp(logSure - unit), draws, unit);
  const stakes = growths.map((growth) => growth / planned ** 1.5);
  const rich = -log(alpha);
  let [low, high] = [exp(logScored - unit), 1];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (logWealth(steps, middle, stakes) >= rich) low = middle;
    else high = middle;
  }
  return Math.max(logScored, unit + log(low));
}

/** R(S) before each draw, and R / q of it, in units of e^unit. */
function stepsOf(sure: number, draws: readonly Draw[], unit: number) {
  let scored = sure;
  return draws.map(({ logReward, logQ }) => {
    const step = { scored, weight: logQ === undefined ? undefined : exp(logReward - logQ - unit) };
    scored += exp(logReward - unit);
    return step;
  });
}

/** Wealth of who bet that the sum is above m, m above all that was scored. */
function logWealth(
  steps: ReturnType<typeof stepsOf>,
  m: number,
  stakes: readonly number[],
): number {
  const each = stakes.map((growth) => {
    let [product, sum] = [1, 0];
    steps.forEach(({ scored, weight }, t) => {
      if (weight === undefined) return;
      product *= 1 + Math.min(mostStake, growth * (t + 1)) * (weight / (m - scored) - 1);
      if (product < 1e-200 || product > 1e200) [product, sum] = [1, sum + log(product)];
    });
    return sum + log(product);
  });
  return logSumExp(each) - log(stakes.length);
}
