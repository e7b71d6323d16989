/** Agreement of log P with log R over all objects: correlations, and the variance of their difference. */
import { exp } from "../../numerics/math/mod.ts";

/** Three measures that need no Z. None of them alone shows that P is proportional to R. */
export interface Agreement {
  /** Pearson's correlation of log P and log R over objects; 1 for any P ∝ R^α, α > 0. */
  readonly correlation: number;
  /** Spearman's: that of the ranks, equal values sharing their mean rank. */
  readonly rankCorrelation: number;
  /** Var(log R − log P) under P: 0 exactly if P is proportional to R where P has mass. */
  readonly logRatioVariance: number;
}

/**
 * Correlates log P with log R, and measures the spread of their difference.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { agreement } from "./agreement.ts";
 * const logReward = Float64Array.of(0, 1, 2);
 * const { correlation, logRatioVariance } = agreement(logReward, logReward.map((one) => 2 * one - 5));
 * assert(Math.abs(correlation - 1) < 1e-12);
 * assert(logRatioVariance > 0); // P ∝ R², not R
 * ```
 *
 * @param logReward `[objects]`; objects of reward or probability 0 are left out of correlations.
 * @param logP `[objects]`.
 */
export function agreement(logReward: Float64Array, logP: Float64Array): Agreement {
  const used = [...logP.keys()].filter((x) => logP[x] > -Infinity && logReward[x] > -Infinity);
  const [p, r] = [used.map((x) => logP[x]), used.map((x) => logReward[x])];
  return {
    correlation: correlation(p, r),
    rankCorrelation: correlation(ranks(p), ranks(r)),
    logRatioVariance: varianceUnder(used.map((x) => exp(logP[x])), r.map((one, i) => one - p[i])),
  };
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const [meanA, meanB] = [mean(a), mean(b)];
  let [product, squareA, squareB] = [0, 0, 0];
  a.forEach((x, i) => {
    product += (x - meanA) * (b[i] - meanB);
    squareA += (x - meanA) * (x - meanA);
    squareB += (b[i] - meanB) * (b[i] - meanB);
  });
  return product / Math.sqrt(squareA * squareB);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, x) => sum + x, 0) / values.length;
}

function ranks(values: readonly number[]): number[] {
  const order = [...values.keys()].sort((i, j) => values[i] - values[j]);
  const result = new Array<number>(values.length);
  for (let begin = 0; begin < order.length;) {
    let end = begin;
    while (end < order.length && values[order[end]] === values[order[begin]]) end++;
    for (let k = begin; k < end; k++) result[order[k]] = (begin + end - 1) / 2;
    begin = end;
  }
  return result;
}

function varianceUnder(weights: readonly number[], values: readonly number[]): number {
  const total = weights.reduce((sum, w) => sum + w, 0);
  const average = weights.reduce((sum, w, i) => sum + w * values[i], 0) / total;
  const squares = weights.reduce((sum, w, i) => sum + w * (values[i] - average) ** 2, 0);
  return squares / total;
}
