/** The generalised Pareto distribution: fit to exceedances, and quantiles. */
import { exp, expm1, log, log1p } from "../../numerics/math/mod.ts";
import { thresholds } from "./thresholds.ts";

/** Shape k (shrunk towards ½) and scale σ of a fitted distribution. */
export interface ParetoFit {
  /** Shape: how heavy the tail is. */
  readonly k: number;
  /** Scale. */
  readonly sigma: number;
}

/** Profile likelihood of the grid points; grown when needed, rewritten on every call. */
let logLikelihood = new Float64Array(64);
let grid = new Float64Array(64);

/**
 * Fits a generalised Pareto distribution to rising exceedances x > 0 by the empirical Bayes method
 * of Zhang and Stephens (2009), with the weak prior on k of Vehtari et al. (2024,
 * arXiv:1507.02646); the same formulas as arviz-stats' `_gpdfit`. k may come out NaN if too many
 * exceedances are 0.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { log } from "../../numerics/math/elementary.ts";
 * import { fitPareto } from "./pareto.ts";
 * const exponential = Float64Array.from({ length: 200 }, (_, i) => -log(1 - (i + 0.5) / 200));
 * const { k } = fitPareto(exponential); // k = 0 is the exponential distribution
 * assert(Math.abs(k) < 0.1);
 * ```
 */
export function fitPareto(x: Float64Array): ParetoFit {
  const n = x.length;
  const m = thresholds.paretoGrid + Math.floor(Math.sqrt(n));
  if (grid.length < m) {
    grid = new Float64Array(m);
    logLikelihood = new Float64Array(m);
  }
  const scale = thresholds.paretoGridScale * x[Math.floor(n / 4 + 0.5) - 1];
  let highest = -Infinity;
  for (let j = 0; j < m; j++) {
    const b = (1 - Math.sqrt(m / (j + 0.5))) / scale + 1 / x[n - 1];
    const k = meanLog1m(x, b);
    grid[j] = b;
    logLikelihood[j] = n * (log(-b / k) - k - 1);
    if (logLikelihood[j] > highest) highest = logLikelihood[j];
  }
  const b = posteriorMean(m, highest);
  const k = meanLog1m(x, b);
  return {
    k: (n * k + thresholds.paretoPriorDraws * thresholds.paretoPriorK) /
      (n + thresholds.paretoPriorDraws),
    sigma: -k / b,
  };
}

/** Mean of the grid under its profile likelihood, without points of negligible weight. */
function posteriorMean(m: number, highest: number): number {
  let total = 0;
  for (let j = 0; j < m; j++) {
    logLikelihood[j] = exp(logLikelihood[j] - highest);
    total += logLikelihood[j];
  }
  const negligible = 10 * 2.220446049250313e-16 * total;
  let kept = 0;
  let sum = 0;
  for (let j = 0; j < m; j++) {
    if (!(logLikelihood[j] >= negligible)) continue;
    kept += logLikelihood[j];
    sum += logLikelihood[j] * grid[j];
  }
  return sum / kept;
}

/** Products outside of these bounds are not multiplied on. */
const smallest = 1e-150;
const largest = 1e150;

/** The mean of log(1 − b x), with one logarithm for as many factors as their product allows. */
function meanLog1m(x: Float64Array, b: number): number {
  const n = x.length;
  let sum = 0;
  let product = 1;
  let i = 0;
  for (; i + 8 <= n; i += 8) {
    const eight = ((1 - b * x[i]) * (1 - b * x[i + 1])) *
      ((1 - b * x[i + 2]) * (1 - b * x[i + 3])) *
      (((1 - b * x[i + 4]) * (1 - b * x[i + 5])) * ((1 - b * x[i + 6]) * (1 - b * x[i + 7])));
    if (!(eight > smallest && eight < largest)) {
      sum += sumLog1m(x, b, i, i + 8);
      continue;
    }
    product *= eight;
    if (product > smallest && product < largest) continue;
    sum += log(product);
    product = 1;
  }
  let rest = 1;
  for (; i < n; i++) rest *= 1 - b * x[i];
  if (!(rest > smallest && rest < largest)) {
    return (sum + log(product) + sumLog1m(x, b, n - n % 8, n)) / n;
  }
  return (sum + log(product * rest)) / n;
}

function sumLog1m(x: Float64Array, b: number, begin: number, end: number): number {
  let sum = 0;
  for (let i = begin; i < end; i++) sum += log1p(-b * x[i]);
  return sum;
}

/** The quantile at which the log of the upper tail probability is `logTail`. */
export function paretoQuantile(logTail: number, k: number, sigma: number): number {
  return Math.abs(k) < 2.220446049250313e-16 ? -sigma * logTail : sigma * expm1(-k * logTail) / k;
}
