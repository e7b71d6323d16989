/** Estimates from samples of a policy's answers: shares, means and the best of several, with errors. */

/** `[prompts][samples]`: numbers of independent samples, as many for every prompt. */
export type BySample = readonly (readonly number[])[];

/** An estimate with its Monte Carlo standard error and 95 % interval. */
export interface AnswerEstimate {
  /** Mean over prompts. */
  readonly value: number;
  /** Monte Carlo standard error of `value`. */
  readonly mcse: number;
  /** Lower and upper end, at a confidence of 95 %. */
  readonly interval: readonly [number, number];
  /** Samples in all. */
  readonly n: number;
}

/** The 97.5 % quantile of the standard normal distribution. */
const z95 = 1.959964;

/**
 * The share of samples that are 1 and not 0. Its error is the standard deviation of the Jeffreys
 * posterior, its interval that of Wilson (1927), so that neither is 0 where no sample, or every one,
 * is 1. With several prompts both are at least those of each prompt's own share.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { shareOf } from "./answer_estimates.ts";
 * const { value, mcse, interval: [low, high] } = shareOf([[0, 0, 0, 0, 0, 0, 0, 0, 0, 0]]);
 * assert.equal(value, 0);
 * assert.ok(mcse > 0 && low === 0 && Math.abs(high - 0.277533) < 1e-6);
 * ```
 */
export function shareOf(hits: BySample): AnswerEstimate {
  const all = hits.flat();
  const n = all.length;
  const k = all.reduce((sum, one) => sum + one, 0);
  const [a, b] = [k + 0.5, n - k + 0.5];
  const share = k / n;
  const square = z95 * z95;
  const middle = (share + square / (2 * n)) / (1 + square / n);
  const spread = share * (1 - share) / n + square / (4 * n * n);
  const half = z95 * Math.sqrt(spread) / (1 + square / n);
  return {
    value: share,
    mcse: Math.sqrt(a * b / (n + 2)) / (n + 1),
    interval: [k === 0 ? 0 : middle - half, k === n ? 1 : middle + half],
    n,
  };
}

/**
 * The mean over prompts and samples; its error is that of the samples, the prompts being given.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { meanOf } from "./answer_estimates.ts";
 * assert.equal(meanOf([[1, 2, 3], [5, 6, 7]]).value, 4);
 * ```
 */
export function meanOf(values: BySample): AnswerEstimate {
  return overPrompts(values, (own) => {
    const mean = own.reduce((sum, one) => sum + one, 0) / own.length;
    const squares = own.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
    return { value: mean, variance: squares / (own.length - 1) / own.length };
  });
}

/**
 * Expected value of the best of `n` samples: the mean of the largest over all choices of n among
 * those of a prompt, which is unbiased (as pass@k is; Chen et al. 2021, section 2.1). The standard
 * error is by the jackknife, and too small where n is near the number of samples.
 *
 * @param n Less than the samples of each prompt.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { bestOf } from "./answer_estimates.ts";
 * // Of 1, 2, 3, 4 the six pairs have 2, 3, 4, 3, 4, 4 as their best.
 * assert.ok(Math.abs(bestOf([[3, 1, 4, 2]], 2).value - 20 / 6) < 1e-12);
 * ```
 */
export function bestOf(values: BySample, n: number): AnswerEstimate {
  return overPrompts(values, (own) => {
    const sorted = [...own].sort((a, b) => a - b);
    const value = weighed(sorted, weightsOfBest(sorted.length, n));
    const without = leftOut(sorted, weightsOfBest(sorted.length - 1, n));
    const mean = without.reduce((sum, one) => sum + one, 0) / without.length;
    const squares = without.reduce((sum, one) => sum + (one - mean) * (one - mean), 0);
    return { value, variance: squares * (sorted.length - 1) / sorted.length };
  });
}

/** `[m]`: the share of choices of n among m in which the one of each rank is the largest. */
function weightsOfBest(m: number, n: number): Float64Array {
  const weights = new Float64Array(m);
  let weight = n / m;
  for (let rank = m; rank >= n; rank--) {
    weights[rank - 1] = weight;
    weight *= (rank - n) / (rank - 1);
  }
  return weights;
}

/** A weight of 0 removes even infinite values. */
function weighed(values: readonly number[], weights: Float64Array): number {
  return values.reduce((sum, one, i) => weights[i] === 0 ? sum : sum + weights[i] * one, 0);
}

/** `[m]`: the weighted sum of m − 1 sorted values, each left out in turn. */
function leftOut(sorted: readonly number[], weights: Float64Array): number[] {
  const term = (i: number, k: number) => weights[k] === 0 ? 0 : weights[k] * sorted[i];
  let above = sorted.slice(1).reduce((sum, _, i) => sum + term(i + 1, i), 0);
  let below = 0;
  return sorted.map((_, i) => {
    const sum = below + above;
    if (i + 1 < sorted.length) {
      above -= term(i + 1, i);
      below += term(i, i);
    }
    return sum;
  });
}

/** The mean over prompts, whose samples are independent; infinite where one of them is. */
function overPrompts(
  values: BySample,
  of: (own: readonly number[]) => { readonly value: number; readonly variance: number },
): AnswerEstimate {
  const parts = values.map(of);
  const n = values.reduce((sum, own) => sum + own.length, 0);
  const value = parts.reduce((sum, one) => sum + one.value, 0) / parts.length;
  if (!Number.isFinite(value)) {
    return { value, mcse: Infinity, interval: [-Infinity, Infinity], n };
  }
  const variance = parts.reduce((sum, one) => sum + one.variance, 0);
  const mcse = Math.sqrt(variance) / parts.length;
  return { value, mcse, interval: [value - z95 * mcse, value + z95 * mcse], n };
}
