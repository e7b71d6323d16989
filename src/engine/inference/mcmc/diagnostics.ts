/** Convergence diagnostics of draws: rank-normalised split R-hat and effective sample sizes. */
import { log, normalQuantile } from "../../../numerics/math/mod.ts";
import { orderOf } from "./order.ts";

// Vehtari, Gelman, Simpson, Carpenter, Bürkner (2021), https://doi.org/10.1214/20-BA1221, with the
// details of ArviZ 0.23 (split chains of odd length lose the middle draw; Geyer's sequences as in
// Stan). Draws of one quantity are `[chains, draws]`, row-major.

/** Usual convergence diagnostics of one quantity. */
interface Convergence {
  /** The larger of bulk and folded R-hat; 1 is good. */
  readonly rhat: number;
  /** Effective sample size of the normal scores. */
  readonly essBulk: number;
  /** Smaller effective sample size of the 5 % and 95 % quantiles. */
  readonly essTail: number;
  /** Effective sample size for the mean. */
  readonly essMean: number;
}

/** All diagnostics of one quantity; NaN with fewer than 4 draws or with draws that are not finite. */
export function convergence(values: Float64Array, chains: number): Convergence {
  const split = splitChains(values, chains);
  if (!isUsable(split)) return { rhat: NaN, essBulk: NaN, essTail: NaN, essMean: NaN };
  const scores = scoresOf(split.values);
  return {
    rhat: rhatOf(scores, split.chains),
    essBulk: essOf(scores.bulk, split.chains),
    essTail: tailEss(values, chains),
    essMean: essOf(split.values, split.chains),
  };
}

/** R-hat and bulk effective sample size, which share their work; NaN as in `convergence`. */
export function mixingOf(
  values: Float64Array,
  chains: number,
): { readonly rhat: number; readonly essBulk: number } {
  const split = splitChains(values, chains);
  if (!isUsable(split)) return { rhat: NaN, essBulk: NaN };
  const scores = scoresOf(split.values);
  return { rhat: rhatOf(scores, split.chains), essBulk: essOf(scores.bulk, split.chains) };
}

/**
 * Rank-normalised split R-hat of draws `[chains, draws]`, the larger of bulk and folded.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { rhat } from "./diagnostics.ts";
 * const apart = Float64Array.from({ length: 40 }, (_, i) => (i < 20 ? 0 : 9) + (i * 7) % 5);
 * assert.ok(rhat(apart, 2) > 1.5);
 * ```
 */
export function rhat(values: Float64Array, chains: number): number {
  const split = splitChains(values, chains);
  return isUsable(split) ? rhatOf(scoresOf(split.values), split.chains) : NaN;
}

/** Effective sample size of the normal scores of `values` `[chains, draws]`. */
export function essBulk(values: Float64Array, chains: number): number {
  const split = splitChains(values, chains);
  return isUsable(split) ? essOf(scoresOf(split.values).bulk, split.chains) : NaN;
}

/** The smaller effective sample size of the 5 % and the 95 % quantile. */
export function essTail(values: Float64Array, chains: number): number {
  return isUsable(splitChains(values, chains)) ? tailEss(values, chains) : NaN;
}

/** Effective sample size for the mean of `values` `[chains, draws]`. */
export function essMean(values: Float64Array, chains: number): number {
  const split = splitChains(values, chains);
  return isUsable(split) ? essOf(split.values, split.chains) : NaN;
}

interface Split {
  readonly values: Float64Array;
  readonly chains: number;
}

/** Cuts every chain in two; of an odd number of draws the middle one is left out. */
function splitChains(values: Float64Array, chains: number): Split {
  const draws = values.length / chains;
  const half = Math.floor(draws / 2);
  const out = new Float64Array(2 * chains * half);
  for (let c = 0; c < chains; c++) {
    const first = c * draws;
    const second = first + draws - half;
    out.set(values.subarray(first, first + half), c * half);
    out.set(values.subarray(second, second + half), (chains + c) * half);
  }
  return { values: out, chains: 2 * chains };
}

function isUsable({ values, chains }: Split): boolean {
  if (values.length < 2 * chains) return false;
  // Counted, as below: iterators of arrays with thousands of numbers leave garbage.
  for (let i = 0; i < values.length; i++) if (!(Math.abs(values[i]) < Infinity)) return false;
  return true;
}

/** Normal scores of values, and of their distances from the median. */
interface Scores {
  readonly bulk: Float64Array;
  readonly folded: Float64Array;
}

/** Both kinds of scores, from one sort. */
function scoresOf(values: Float64Array): Scores {
  const n = values.length;
  const order = orderOf(values);
  const bulk = scoresInOrder(values, order);
  const half = n >> 1;
  const upper = values[order[half]];
  const middle = n % 2 === 1 ? upper : 0.5 * values[order[half - 1]] + 0.5 * upper;
  const distances = new Float64Array(n);
  for (let i = 0; i < n; i++) distances[i] = Math.abs(values[i] - middle);
  return { bulk, folded: scoresInOrder(distances, foldedOrder(distances, order, half)) };
}

let foldedIndices = new Uint32Array(0);

/** The order of distances from the median: the two halves of `order`, merged from the middle. */
function foldedOrder(distances: Float64Array, order: Uint32Array, half: number): Uint32Array {
  const n = order.length;
  if (foldedIndices.length < n) foldedIndices = new Uint32Array(n);
  let below = half - 1;
  let above = half;
  for (let to = 0; to < n; to++) {
    const takeBelow = above === n ||
      (below >= 0 && distances[order[below]] <= distances[order[above]]);
    foldedIndices[to] = takeBelow ? order[below--] : order[above++];
  }
  return foldedIndices.subarray(0, n);
}

function rhatOf({ bulk, folded }: Scores, chains: number): number {
  return Math.max(plainRhat(bulk, chains), plainRhat(folded, chains));
}

/** The potential scale reduction of chains (Gelman and Rubin 1992). */
function plainRhat(values: Float64Array, chains: number): number {
  const { within, between, draws } = chainVariances(values, chains);
  return Math.sqrt((draws * between / within + draws - 1) / draws);
}

/** Mean of the chains' variances, and variance of their means. */
function chainVariances(values: Float64Array, chains: number) {
  const draws = values.length / chains;
  const means = chainMeans(values, chains);
  let within = 0;
  for (let c = 0, i = 0; c < chains; c++) {
    for (const end = i + draws; i < end; i++) {
      within += (values[i] - means[c]) * (values[i] - means[c]);
    }
  }
  return { within: within / (draws - 1) / chains, between: varianceOf(means), draws, means };
}

function chainMeans(values: Float64Array, chains: number): Float64Array {
  const draws = values.length / chains;
  const means = new Float64Array(chains);
  for (let c = 0, i = 0; c < chains; c++) {
    let sum = 0;
    for (const end = i + draws; i < end; i++) sum += values[i];
    means[c] = sum / draws;
  }
  return means;
}

/** The sample variance, with n − 1; 0 for a single value. */
function varianceOf(values: Float64Array): number {
  if (values.length < 2) return 0;
  let mean = 0;
  for (const v of values) mean += v / values.length;
  let square = 0;
  for (const v of values) square += (v - mean) * (v - mean);
  return square / (values.length - 1);
}

/** Φ⁻¹((rank − 3/8) / (n + 1/4)) of every value, ties with their average rank (Blom 1958). */
function scoresInOrder(values: Float64Array, order: Uint32Array): Float64Array {
  const n = values.length;
  const distinct = blomScores(n);
  const out = new Float64Array(n);
  for (let first = 0; first < n;) {
    const value = values[order[first]];
    let end = first + 1;
    while (end < n && values[order[end]] === value) end++;
    const score = end - first === 1
      ? distinct[first]
      : normalQuantile((0.5 * (first + 1 + end) - 0.375) / (n + 0.25));
    for (; first < end; first++) out[order[first]] = score;
  }
  return out;
}

/** Scores of n values without ties, kept for the last n: they are asked for again and again. */
let blom: Float64Array = new Float64Array(0);

function blomScores(n: number): Float64Array {
  if (blom.length !== n) {
    blom = Float64Array.from({ length: n }, (_, r) => normalQuantile((r + 0.625) / (n + 0.25)));
  }
  return blom;
}

/** The quantile of sorted values by linear interpolation (type 7 of Hyndman and Fan 1996). */
export function quantileOfSorted(sorted: Float64Array, p: number): number {
  const place = sorted.length * p + 1 - p;
  const k = Math.floor(Math.min(Math.max(place, 1), sorted.length - 1));
  const gamma = Math.min(Math.max(place - k, 0), 1);
  return (1 - gamma) * sorted[k - 1] + gamma * sorted[Math.min(k, sorted.length - 1)];
}

function tailEss(values: Float64Array, chains: number): number {
  const sorted = values.slice().sort();
  const of = (p: number) => {
    const q = quantileOfSorted(sorted, p);
    const split = splitChains(values.map((v) => v <= q ? 1 : 0), chains);
    return essOf(split.values, split.chains);
  };
  return Math.min(of(0.05), of(0.95));
}

/**
 * Effective sample size of `values` `[chains, draws]` as they are, from autocovariances up to where
 * Geyer's (1992) initial positive sequence ends.
 */
export function essOf(values: Float64Array, chains: number): number {
  const n = values.length;
  const draws = n / chains;
  if (isConstant(values)) return n;
  const centred = values.slice();
  const means = chainMeans(values, chains);
  for (let c = 0, i = 0; c < chains; c++) {
    for (let s = 0; s < draws; s++, i++) centred[i] -= means[c];
  }
  const within = meanAutocovariance(centred, chains, 0) * draws / (draws - 1);
  const total = within * (draws - 1) / draws + varianceOf(means);
  const rho = (lag: number) => 1 - (within - meanAutocovariance(centred, chains, lag)) / total;
  const tau = autocorrelationTime(rho, draws);
  return n / Math.max(tau, 2.302585092994046 / log(n));
}

function isConstant(values: Float64Array): boolean {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    low = Math.min(low, values[i]);
    high = Math.max(high, values[i]);
  }
  return high - low < 1e-15;
}

/** Mean over chains of Σ x_t x_(t+lag) / draws. */
function meanAutocovariance(centred: Float64Array, chains: number, lag: number): number {
  const draws = centred.length / chains;
  let sum = 0;
  for (let c = 0; c < chains; c++) {
    let a = 0;
    let b = 0;
    const end = (c + 1) * draws - lag;
    let i = c * draws;
    for (; i + 1 < end; i += 2) {
      a += centred[i] * centred[i + lag];
      b += centred[i + 1] * centred[i + 1 + lag];
    }
    if (i < end) a += centred[i] * centred[i + lag];
    sum += a + b;
  }
  return sum / draws / chains;
}

/** −1 + 2 Σ ρ over Geyer's initial positive, then monotone sequence, as in ArviZ's `_ess`. */
function autocorrelationTime(rho: (lag: number) => number, draws: number): number {
  const kept = [1, rho(1)];
  let even = 1;
  let odd = kept[1];
  let t = 1;
  for (; t < draws - 3 && even + odd > 0; t += 2) {
    even = rho(t + 1);
    odd = rho(t + 2);
    kept.push(even + odd >= 0 ? even : 0, even + odd >= 0 ? odd : 0);
  }
  const last = t - 2;
  if (even > 0) kept[last + 1] = even;
  for (let i = 1; i <= last - 2; i += 2) {
    const before = kept[i - 1] + kept[i];
    if (kept[i + 1] + kept[i + 2] > before) kept[i + 1] = kept[i + 2] = before / 2;
  }
  let sum = 0;
  for (let i = 0; i <= last; i++) sum += kept[i];
  return -1 + 2 * sum + (kept[last + 1] ?? 0);
}
