/** Importance draws of normal latents under row likelihoods, also where single rows are left out. */
import {
  exp,
  type FieldConditional,
  type FieldDraw,
  fillNormal,
  log,
  log1p,
  solveUpper,
} from "../../../numerics/math/mod.ts";
import type { RandomStream } from "../../../base/random.ts";
import { type NormalSites, normalSites, type Predictors } from "./normal_sites.ts";
import type { RowLikelihood } from "./row_likelihood.ts";
import { cavity, propagatedEvidence, type SiteFit, tilted } from "./site_fit.ts";

/** ½ log 2π. */
const halfLog2Pi = 0.9189385332046727;
/** Shares of draws: from the sites as they are, and from flatter ones; the rest lack a row. */
const plainShare = 0.35;
const flatShare = 0.1;
/**
 * Powers of flatter sites, the last of which leave the prior: likelihoods that saturate have its tail (a
 * defence: Hesterberg 1995).
 */
const flatPowers = [0.4, 0];
/** Share of draws from sites that were found without a row, of those that lack one. */
const refittedShare = 0.5;
/** Influence in nats of a row from which others have other sites without it, and how many such rows at most. */
const farInfluence = 0.25;
const mostRefitted = 12;
/** Share of a row that is not influential, relative to one that is. */
const leastShare = 0.02;
/** Scale of the logistic distribution of a predictor whose row is left out, over its cavity's deviation: a ninth wider. */
const cavityScale = 0.61;

/** A component that lacks a row: its predictor has a logistic distribution of its own. */
interface LackingRow {
  readonly row: number;
  readonly mean: number;
  readonly scale: number;
  /** Its cavity's variance, and logarithms: of its deviation, and of the scale, over the normal one's. */
  readonly variance: number;
  readonly logOwnSpread: number;
  readonly logSpread: number;
}

/**
 * Draws ε of N(ε̂, Λ⁻¹), of one with flatter sites, and of such in which the predictor of one row is spread
 * as if that row were not there: η_i drawn again, all else from the normal distribution given η_i. Each
 * draw is weighted by the density of the whole mixture (Hesterberg 1995; Owen and Zhou 2000), so that p / q
 * is bounded where sites are good, and so is p / (L_i q), whatever L_i is.
 */
export class FieldDraws implements FieldConditional {
  readonly evaluations: number;
  readonly logEvidence: number;
  readonly logWithout: Float64Array;
  readonly #predictors: Predictors;
  readonly #likelihood: RowLikelihood;
  readonly #fit: SiteFit;
  readonly #lacking: readonly LackingRow[];
  /** Shares: plain, those of other sites, then one for each that lacks a row. */
  readonly #shares: Float64Array;
  readonly #logPrior: number;
  readonly #enter: () => void;
  /** Flatter sites, and such that were found without a row. */
  readonly #others: readonly NormalSites[];
  readonly #controls: Float64Array;
  readonly #components: Float64Array;

  /**
   * @param logPrior log p(θ).
   * @param enter restores θ, where others were evaluated meanwhile.
   * @param refitted sites that were found without a row, for outlying rows, for which the sites of
   * others say little of the posterior without them.
   */
  constructor(
    predictors: Predictors,
    likelihood: RowLikelihood,
    fit: SiteFit,
    logPrior: number,
    enter: () => void,
    evaluations: number,
    refitted: readonly NormalSites[] = [],
  ) {
    this.#predictors = predictors;
    this.#likelihood = likelihood;
    this.#fit = fit;
    this.#logPrior = logPrior;
    this.#enter = enter;
    this.evaluations = evaluations;
    const { precisions, shifts } = fit;
    const flats = flatPowers.map((power) =>
      normalSites(predictors, precisions.map((v) => power * v), shifts.map((v) => power * v))!
    );
    this.#others = [...flats, ...refitted];
    const { variances } = fit.normal;
    const lacking: LackingRow[] = [];
    const weights: number[] = [];
    for (let i = 0; i < precisions.length; i++) {
      const own = cavity(fit, i);
      if (!(variances[i] > 0 && own.variance < Infinity)) continue;
      const { mean, variance } = own;
      const scale = cavityScale * Math.sqrt(variance);
      const logOwnSpread = 0.5 * log(variance / variances[i]);
      const logSpread = log(scale) - 0.5 * log(variances[i]) - halfLog2Pi;
      lacking.push({ row: i, mean, scale, variance, logSpread, logOwnSpread });
      weights.push(leastShare + Math.min(1, influenceOf(fit, i)));
    }
    this.#lacking = lacking;
    const sum = weights.reduce((a, b) => a + b, 0);
    const lack = 1 - plainShare - flatShare * flatPowers.length;
    const again = refitted.length > 0 ? refittedShare * lack : 0;
    const rest = lack - again;
    this.#shares = Float64Array.from([
      plainShare + (sum > 0 ? 0 : rest),
      ...flatPowers.map(() => flatShare),
      ...refitted.map(() => again / refitted.length),
      ...weights.map((w) => rest * w / sum),
    ]);
    const { logs } = tilted(fit, likelihood);
    this.logEvidence = logPrior + propagatedEvidence(fit, logs);
    this.logWithout = logs.map((one) => this.logEvidence - one);
    this.#controls = new Float64Array(logs.length);
    this.#components = new Float64Array(lacking.length);
  }

  draw(stream: RandomStream, count: number, visit: (draw: FieldDraw) => void): void {
    this.#enter();
    const { noise: m } = this.#predictors;
    const { mode, factor, logRoot, moves, means } = this.#fit.normal;
    const n = means.length;
    const white = new Float64Array(m);
    const latents = new Float64Array(m);
    const eta = new Float64Array(n);
    const others = this.#others.length;
    const start = stream.uniform();
    let [component, before] = [0, 0];
    for (let s = 0; s < count; s++) {
      const at = (s + start) / count;
      while (component + 1 < this.#shares.length && before + this.#shares[component] <= at) {
        before += this.#shares[component];
        component += 1;
      }
      fillNormal(stream, white);
      if (component > others) {
        this.#withoutRow(this.#lacking[component - 1 - others], stream, white);
      } else if (component > 0) this.#ofOthers(this.#others[component - 1], white);
      let square = 0;
      for (let k = 0; k < m; k++) {
        square += white[k] * white[k];
        latents[k] = white[k];
      }
      solveUpper(factor, m, latents);
      let prior = 0;
      for (let k = 0; k < m; k++) {
        latents[k] += mode[k];
        prior += latents[k] * latents[k];
      }
      for (let i = 0; i < n; i++) {
        let sum = means[i];
        for (let k = 0; k < m; k++) sum += moves[i * m + k] * white[k];
        eta[i] = sum;
      }
      const whole = this.#likelihood.values(eta);
      const logMixture = this.#logMixture(eta, square, latents);
      const proposal = logRoot - 0.5 * square + logMixture;
      const logRatio = this.#logPrior - 0.5 * prior - proposal;
      visit({
        logWeight: whole + logRatio,
        logRatio,
        logLikelihood: this.#likelihood.logs,
        logControl: this.logEvidence - logMixture,
        logControls: this.#controls,
      });
    }
  }

  /** White noise of other sites as such of the plain ones. */
  #ofOthers(sites: NormalSites, white: Float64Array): void {
    const { noise: m } = this.#predictors;
    const { mode, factor } = this.#fit.normal;
    solveUpper(sites.factor, m, white);
    for (let k = 0; k < m; k++) white[k] += sites.mode[k] - mode[k];
    multiplyUpper(factor, m, white);
  }

  /** Log density of other sites, without the constant of normal ones. */
  #logOther({ mode, factor, logRoot }: NormalSites, latents: Float64Array): number {
    const { noise: m } = this.#predictors;
    const away = latents.map((x, k) => x - mode[k]);
    multiplyUpper(factor, m, away);
    let square = 0;
    for (const x of away) square += x * x;
    return logRoot - 0.5 * square;
  }

  /** Moves white noise so that the predictor of a row is drawn again, as if the row were absent. */
  #withoutRow({ row, mean, scale }: LackingRow, stream: RandomStream, white: Float64Array): void {
    const { noise: m } = this.#predictors;
    const { moves, means, variances } = this.#fit.normal;
    const u = stream.uniform();
    const wanted = mean + scale * log(u / (1 - u));
    let now = means[row];
    for (let k = 0; k < m; k++) now += moves[row * m + k] * white[k];
    const by = (wanted - now) / variances[row];
    for (let k = 0; k < m; k++) white[k] += by * moves[row * m + k];
  }

  /** log of the mixture's density over that of the plain component; sets the controls. */
  #logMixture(eta: Float64Array, square: number, latents: Float64Array): number {
    const { means, variances } = this.#fit.normal;
    const shares = this.#shares;
    const logs = this.#components;
    const plain = this.#fit.normal.logRoot - 0.5 * square;
    const others = this.#others.map((one) => this.#logOther(one, latents) - plain);
    let top = Math.max(0, ...others);
    this.#controls.fill(0);
    for (let k = 0; k < logs.length; k++) {
      const { row, mean, scale, variance, logSpread, logOwnSpread } = this.#lacking[k];
      const [a, b] = [eta[row] - means[row], eta[row] - mean];
      const all = 0.5 * a * a / variances[row];
      const z = Math.abs(b) / scale;
      logs[k] = all - z - 2 * log1p(exp(-z)) - logSpread;
      this.#controls[row] = all - 0.5 * b * b / variance - logOwnSpread;
      if (logs[k] > top) top = logs[k];
    }
    let sum = shares[0] * exp(-top);
    others.forEach((other, k) => sum += shares[k + 1] * exp(other - top));
    const first = 1 + others.length;
    for (let k = 0; k < logs.length; k++) sum += shares[first + k] * exp(logs[k] - top);
    const found = top + log(sum);
    for (let i = 0; i < this.#controls.length; i++) {
      this.#controls[i] += this.logWithout[i] - found;
    }
    return found;
  }
}

/** How far the distribution of a row's predictor is from that without it: their relative entropy, about. */
function influenceOf(fit: SiteFit, i: number): number {
  const { precisions, normal: { means, variances } } = fit;
  const away = cavity(fit, i).mean - means[i];
  return -0.5 * log(1 - precisions[i] * variances[i]) + 0.5 * away * away / variances[i];
}

/** The rows whose absence moves their predictors most. */
export function farRows(fit: SiteFit): readonly number[] {
  return [...fit.precisions.keys()]
    .map((row) => ({ row, influence: influenceOf(fit, row) }))
    .filter(({ influence }) => influence > farInfluence)
    .sort((a, b) => b.influence - a.influence)
    .slice(0, mostRefitted)
    .map(({ row }) => row);
}

/** Lᵀ x in place. */
function multiplyUpper(lower: Float64Array, n: number, x: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let k = i; k < n; k++) sum += lower[k * n + i] * x[k];
    x[i] = sum;
  }
}
