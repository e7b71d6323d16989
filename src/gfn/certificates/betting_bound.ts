/** Lower bounds of a mean that hold for any distribution and any stopping time. */
import { exp, log, logSumExp } from "../../numerics/math/mod.ts";

/** Shares of the wealth that is staked. */
const stakes = [0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 0.99] as const;

/**
 * Lower bound of the mean of independent X in [0, 1] at confidence 1 − α, for all n at once: a
 * gambler who bets that the mean is above m becomes rich only if it is, so every m at which the wealth
 * reaches 1/α is refuted (Waudby-Smith and Ramdas 2024, section 4; Ville 1939). The stakes are
 * fixed and the mixture over them is the wealth, so that the bound grows with every X.
 *
 * @param values In [0, 1].
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { lowerBoundOfMean } from "./betting_bound.ts";
 * const bound = lowerBoundOfMean(new Array(1000).fill(0.5), 0.025);
 * assert.ok(bound > 0.49 && bound < 0.5);
 * ```
 */
export function lowerBoundOfMean(values: readonly number[], alpha: number): number {
  if (values.length === 0) return 0;
  const rich = -log(alpha);
  let [low, high] = [0, 1];
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (logWealth(values, middle) >= rich) low = middle;
    else high = middle;
  }
  return low;
}

/** Wealth of who bet on a mean above m: Σ_c Π (1 + c (X / m − 1)) / number of stakes. */
function logWealth(values: readonly number[], m: number): number {
  const each = stakes.map((stake) => {
    let [product, sum] = [1, 0];
    for (const x of values) {
      product *= 1 + stake * (x / m - 1);
      if (product < 1e-200 || product > 1e200) [product, sum] = [1, sum + log(product)];
    }
    return sum + log(product);
  });
  return logSumExp(each) - log(stakes.length);
}

/**
 * The same for X ≥ 0 without an upper bound: values above `most` count as `most`, which lowers
 * the mean and so keeps the bound.
 */
export function logLowerBoundOfMean(
  logValues: readonly number[],
  logMost: number,
  alpha: number,
): number {
  const shares = logValues.map((one) => exp(Math.min(0, one - logMost)));
  return logMost + log(lowerBoundOfMean(shares, alpha));
}
