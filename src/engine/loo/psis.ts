/** Leave-one-out cross-validation by Pareto-smoothed importance sampling. */
import { exponentials, log, log1p, logSumExp } from "../../numerics/math/mod.ts";
import { fitPareto, paretoQuantile } from "./pareto.ts";
import { quickselect } from "./quickselect.ts";
import { thresholds } from "./thresholds.ts";

/**
 * Observations whose likelihoods are transposed at once. A cache line of 64 bytes has eight
 * doubles; speed alone, every value gives the same bits.
 */
const rowsAtOnce = 8;

/** Estimates of leave-one-out fit; log quantities in nats. */
export interface PsisLoo {
  /** Draws of all chains. */
  readonly draws: number;
  /** How many observations. */
  readonly observations: number;
  /** log p(y_i | y_-i) `[observations]`. */
  readonly elpdPointwise: Float64Array;
  /** Estimates without smoothing: minus the log of the mean of 1 / L_i `[observations]`. */
  readonly plainPointwise: Float64Array;
  /** log p(y_i | y) `[observations]`. */
  readonly lppdPointwise: Float64Array;
  /** Estimated tail shape of the importance ratios `[observations]`; ∞ if it cannot be fitted. */
  readonly paretoK: Float64Array;
  /** Sum of `elpdPointwise`. */
  readonly elpdLoo: number;
  /** Effective number of parameters: Σ lppd_i − elpd_i. */
  readonly pLoo: number;
  /** √(N · variance of `elpdPointwise`). */
  readonly se: number;
  /** Tail shape up to which the estimate can be trusted with this many draws. */
  readonly goodK: number;
  /**
   * Influence of every draw on the estimate of observation `i` `[draws]`: the mean over draws is 0,
   * and elpd_i is to first order its limit plus that mean taken over the posterior. Of the plain
   * estimate where that was asked for. Each call smooths again.
   */
  influence(i: number): Float64Array;
  /** Normalised smoothed weights of observation `i` `[draws]`; each call smooths again. */
  weights(i: number): Float64Array;
}

/** Smoothed importance ratios of an observation. */
export interface Smoothed {
  /** log p(y_i | y_-i). */
  readonly elpd: number;
  /** Estimate of log p(y_i | y_-i) without smoothing. */
  readonly plain: number;
  /** log p(y_i | y). */
  readonly lppd: number;
  /** Tail shape. */
  readonly k: number;
}

/** Threshold of Pareto k for `draws` draws: min(1 − 1 / log10 S, 0.7) (Vehtari et al. 2024). */
export function goodParetoK(draws: number): number {
  return Math.min(1 - 2.302585092994046 / log(draws), thresholds.maxGoodK);
}

/**
 * PSIS-LOO (Vehtari, Gelman, Gabry 2017; Vehtari et al. 2024, arXiv:1507.02646), with the formulas
 * of arviz-stats. `logLikelihood` is `[draws, observations]`; `rEff` is the relative efficiency of
 * the draws, 1 if they are independent.
 *
 * Differs from ArviZ 0.23 in the length of the tail, which is rounded down, not up; and where all
 * ratios of the tail are equal, nothing is smoothed and k is 0.
 *
 * @param plain 1 for observations whose `influence` is that on the plain estimate.
 * @param visit is shown the influence on each observation in turn; it is not kept.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { psisLoo } from "./psis.ts";
 * const loo = psisLoo(new Float64Array(100).fill(-1), 50, 2, 1);
 * assert.ok(Math.abs(loo.elpdLoo + 2) < 1e-14);
 * ```
 */
export function psisLoo(
  logLikelihood: Float64Array,
  draws: number,
  observations: number,
  rEff: number,
  plain: Uint8Array = new Uint8Array(observations),
  visit?: (i: number, influence: Float64Array, smoothed: Smoothed) => void,
): PsisLoo {
  const smoother = new Smoother(draws, tailLength(draws, rEff));
  const out = {
    elpdPointwise: new Float64Array(observations),
    plainPointwise: new Float64Array(observations),
    lppdPointwise: new Float64Array(observations),
    paretoK: new Float64Array(observations),
  };
  const rows = new Float64Array(Math.min(rowsAtOnce, observations) * draws);
  const row = (k: number) => rows.subarray(k * draws, (k + 1) * draws);
  const scratch = new Float64Array(draws);
  const influence = new Float64Array(draws);
  for (let i = 0; i < observations; i++) {
    const place = i % rowsAtOnce;
    if (place === 0) {
      turn(logLikelihood, i, Math.min(rowsAtOnce, observations - i), rows, draws);
    }
    const one = smoother.smooth(row(place), scratch, influence);
    out.elpdPointwise[i] = one.elpd;
    out.plainPointwise[i] = one.plain;
    out.lppdPointwise[i] = one.lppd;
    out.paretoK[i] = one.k;
    if (!visit) continue;
    if (plain[i] === 1) smoother.plainInfluence(influence);
    visit(i, influence, one);
  }
  const again = (i: number) => {
    const [weights, influence] = [new Float64Array(draws), new Float64Array(draws)];
    turn(logLikelihood, i, 1, rows, draws);
    smoother.smooth(row(0), weights, influence);
    if (plain[i] === 1) smoother.plainInfluence(influence);
    return { weights, influence };
  };
  return {
    draws,
    observations,
    ...out,
    ...totals(out.elpdPointwise, out.lppdPointwise),
    goodK: goodParetoK(draws),
    weights: (i) => again(i).weights,
    influence: (i) => again(i).influence,
  };
}

/** Writes `count` columns of `[draws, observations]`, from `first` on, as rows. */
function turn(
  logLikelihood: Float64Array,
  first: number,
  count: number,
  rows: Float64Array,
  draws: number,
): void {
  const observations = logLikelihood.length / draws;
  for (let s = 0, at = first; s < draws; s++, at += observations) {
    for (let j = 0; j < count; j++) rows[j * draws + s] = logLikelihood[at + j];
  }
}

/** Total, effective number of parameters and standard error of pointwise estimates. */
export function totals(
  elpd: Float64Array,
  lppd: Float64Array,
): { readonly elpdLoo: number; readonly pLoo: number; readonly se: number } {
  const n = elpd.length;
  let elpdLoo = 0;
  let pLoo = 0;
  for (let i = 0; i < n; i++) {
    elpdLoo += elpd[i];
    pLoo += lppd[i] - elpd[i];
  }
  let square = 0;
  for (const e of elpd) square += (e - elpdLoo / n) * (e - elpdLoo / n);
  return { elpdLoo, pLoo, se: Math.sqrt(square) };
}

/** How many of the largest ratios are smoothed. */
export function tailLength(draws: number, rEff: number): number {
  return draws * rEff > 225 ? Math.floor(3 * Math.sqrt(draws / rEff)) : Math.floor(draws / 5);
}

/** Smooths the ratios of one observation after another in the same scratch arrays. */
export class Smoother {
  readonly #draws: number;
  readonly #ratios: Float64Array;
  readonly #scratch: Float64Array;
  readonly #tail: Float64Array;
  readonly #smoothed: Float64Array;
  readonly #taken: Uint32Array;
  readonly #exceedances: Float64Array;
  #ratioSum = 0;
  /** log(1 − p) at the probabilities (j − ½) / length. */
  readonly #logTails: Float64Array;

  constructor(draws: number, tail: number) {
    this.#draws = draws;
    this.#ratios = new Float64Array(draws);
    this.#scratch = new Float64Array(draws);
    this.#tail = this.#scratch.subarray(draws - tail);
    this.#smoothed = new Float64Array(tail);
    this.#taken = new Uint32Array(tail);
    this.#exceedances = new Float64Array(tail);
    this.#logTails = new Float64Array(tail);
    for (let j = 0; j < tail; j++) this.#logTails[j] = log1p(-(j + 0.5) / tail);
  }

  /**
   * Fills weights and influence of an observation with these log likelihoods `[draws]`; returns its
   * estimates.
   */
  smooth(
    logLikelihood: Float64Array,
    weights: Float64Array,
    influence: Float64Array,
  ): Smoothed {
    const draws = this.#draws;
    const lowest = this.#fillRatios(logLikelihood);
    const k = this.#smoothTail();
    let weightSum = 0;
    let densitySum = 0;
    let likelihoodSum = 0;
    let ratioSum = 0;
    for (let s = 0; s < draws; s++) {
      const ratio = this.#ratios[s];
      const weight = this.#weightOf(ratio);
      // weight · likelihood, the likelihood being 1 / ratio; outside the tail that is 1.
      const density = weight === ratio ? 1 : weight / ratio;
      weights[s] = weight;
      influence[s] = density;
      likelihoodSum += 1 / ratio;
      ratioSum += ratio;
      weightSum += weight;
      densitySum += density;
    }
    const weightScale = 1 / weightSum;
    const densityScale = draws / densitySum;
    for (let s = 0; s < draws; s++) {
      weights[s] *= weightScale;
      influence[s] = influence[s] * densityScale - draws * weights[s];
    }
    // Ratios that underflow leave the sum of likelihoods infinite.
    const lppd = likelihoodSum < Infinity
      ? lowest + log(likelihoodSum / draws)
      : logSumExp(logLikelihood) - log(draws);
    this.#ratioSum = ratioSum;
    const plain = lowest + log(draws / ratioSum);
    return { elpd: lowest + log(densitySum / weightSum), plain, lppd, k };
  }

  /** Influence of the draws on the plain estimate of the observation that was smoothed last. */
  plainInfluence(influence: Float64Array): void {
    const scale = this.#draws / this.#ratioSum;
    for (let s = 0; s < this.#draws; s++) influence[s] = 1 - this.#ratios[s] * scale;
  }

  /** Ratios 1 / likelihood, scaled to a maximum of 1; returns the lowest log likelihood. */
  #fillRatios(logLikelihood: Float64Array): number {
    let lowest = Infinity;
    for (let s = 0; s < this.#draws; s++) {
      if (logLikelihood[s] < lowest) lowest = logLikelihood[s];
    }
    for (let s = 0; s < this.#draws; s++) this.#ratios[s] = -logLikelihood[s];
    exponentials(this.#ratios, -lowest, this.#ratios);
    return lowest;
  }

  /** Prepares the smoothed tail; returns k. Without a fit the tail stays as it is. */
  #smoothTail(): number {
    const length = this.#tail.length;
    this.#taken.fill(0);
    if (length < thresholds.minTailToSmooth) {
      this.#tail.fill(Infinity);
      return Infinity;
    }
    this.#scratch.set(this.#ratios);
    const cutIndex = this.#draws - length - 1;
    quickselect(this.#scratch, this.#draws, cutIndex);
    const cutoff = this.#scratch[cutIndex];
    this.#tail.sort();
    this.#smoothed.set(this.#tail);
    if (this.#tail[length - 1] - this.#tail[0] < 2.2250738585072014e-308) return 0;
    for (let j = 0; j < length; j++) this.#exceedances[j] = this.#tail[j] - cutoff;
    const { k, sigma } = fitPareto(this.#exceedances);
    if (!(Math.abs(k) < Infinity && sigma > 0)) return Infinity;
    for (let j = 0; j < length; j++) {
      const quantile = cutoff + paretoQuantile(this.#logTails[j], k, sigma);
      this.#smoothed[j] = Math.min(quantile, 1);
    }
    return k;
  }

  /** The smoothed ratio; each place in the tail is given away once, in the order of draws. */
  #weightOf(ratio: number): number {
    const tail = this.#tail;
    if (!(ratio >= tail[0])) return ratio;
    let low = 0;
    let high = tail.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (tail[middle] < ratio) low = middle + 1;
      else high = middle;
    }
    const place = low + this.#taken[low]++;
    return place < tail.length && tail[place] === ratio ? this.#smoothed[place] : ratio;
  }
}
