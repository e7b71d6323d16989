/** Statistics of a few seeds: means, interquartile means, and intervals that stay honest with few. */
import { RandomStream } from "../../base/random.ts";
import { betainc, normalCdf, quantile } from "../../numerics/math/mod.ts";

/** A mean over seeds and its interval, which few seeds leave open. */
export interface Interval {
  readonly mean: number;
  /** 95 %; null of a single seed. */
  readonly lo: number | null;
  readonly hi: number | null;
}

/** Bootstrap replicates. */
const replicates = 2000;

/**
 * The interquartile mean: the mean without the lowest and the highest quarter, of n values
 * floor(n / 4) at each end (Agarwal et al. 2021, arXiv:2108.13264; `scipy.stats.trim_mean`).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { interquartileMean } from "./statistics.ts";
 * assert.equal(interquartileMean([9, 1, 2, 3, 4]), 3);
 * ```
 */
export function interquartileMean(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const cut = Math.floor(sorted.length / 4);
  return meanOf(sorted.slice(cut, sorted.length - cut));
}

/** The arithmetic mean. */
function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

/** Sample standard deviation, with n − 1; 0 of a single value. */
export function deviationOf(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const mean = meanOf(values);
  return Math.sqrt(values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (values.length - 1));
}

/**
 * The 95 % interval of a mean: the wider, at each end, of Student's and of the expanded percentile
 * bootstrap (Hesterberg 2015, American Statistician 69:371-386). The bootstrap alone is too narrow
 * with few seeds: two that agree in sign would always exclude zero.
 *
 * @param key names the stream of the bootstrap: the same key gives the same interval.
 */
export function meanInterval(values: readonly number[], key: string): Interval {
  const [n, mean] = [values.length, meanOf(values)];
  if (n < 2) return { mean, lo: null, hi: null };
  const t = studentQuantile(n - 1);
  const half = t * deviationOf(values) / Math.sqrt(n);
  const means = bootstrapMeans(values, key);
  const tail = normalCdf(-Math.sqrt(n / (n - 1)) * t);
  return {
    mean,
    lo: Math.min(mean - half, quantile(means, tail)),
    hi: Math.max(mean + half, quantile(means, 1 - tail)),
  };
}

/** Sorted means of resamples. */
function bootstrapMeans(values: readonly number[], key: string): Float64Array {
  const random = new RandomStream("bootstrap of seeds", key);
  const means = new Float64Array(replicates);
  for (let b = 0; b < replicates; b++) {
    let sum = 0;
    for (let i = 0; i < values.length; i++) sum += values[random.below(values.length)];
    means[b] = sum / values.length;
  }
  return means.sort();
}

/**
 * The 97.5 % quantile of Student's distribution, by bisection of its distribution function
 * 1 − I(ν / (ν + t²); ν/2, 1/2) / 2 (DLMF 8.17).
 */
export function studentQuantile(degrees: number): number {
  const above = (t: number) => betainc(degrees / 2, 0.5, degrees / (degrees + t * t)) / 2;
  let [lo, hi] = [0, 20];
  for (let i = 0; i < 60; i++) {
    const middle = (lo + hi) / 2;
    if (above(middle) > 0.025) lo = middle;
    else hi = middle;
  }
  return (lo + hi) / 2;
}

/** Whether an interval leaves zero out. */
export function excludesZero({ lo, hi }: Interval): boolean {
  return lo !== null && hi !== null && (lo > 0 || hi < 0);
}
