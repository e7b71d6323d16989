/** Importance draws of normal latents under row likelihoods, also where single rows are left out. */
import { exp, log, log1p } from "../../base/math/elementary.ts";
import type { FieldConditional, FieldDraw } from "../../base/math/field_posterior.ts";
import { solveUpper } from "../../base/math/linalg.ts";
import { fillNormal } from "../../base/math/random_normal.ts";
import type { RandomStream } from "../../base/random.ts";
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
 * Draws ε of N(ε̂, Λ⁻¹), of one with flatter sites, and of such in which the predictor of one row is spread as if that
 * row were not there: η_i anew, all else as the normal distribution says given η_i. Each draw is weighted by the density of the
 * whole mixture (Hesterberg 1995; Owen and Zhou 2000), so that p / q is bounded where sites are good,
 * and so is p / (L_i q), whatever L_i is.
 */
export class FieldDraws implements FieldConditional {
  readonly evaluations: number;
  readonly logEvidence: number;
  readonly logWithout: Float64Array;
  readonly #predictors: Predictors;
  readonly #likelihood: RowLikelihood;
  readonly #fit: SiteFit;
  readonly #lacking: readonly LackingRow[];
  /** Shares: plain, flat, then one for each that lacks a row; and their sums up to each. */
  readonly #shares: Float64Array;
  readonly #logPrior: number;
  readonly #enter: () => void;
  /** The flatter sites. */
  readonly #flats: readonly NormalSites[];
  readonly #controls: Float64Array;
  readonly #components: Float64Array;

  /**
   * @param logPrior log p(θ).
   * @param enter puts θ back in its place, where others were evaluated meanwhile.
   */
  constructor(
    predictors: Predictors,
    likelihood: RowLikelihood,
    fit: SiteFit,
    logPrior: number,
    enter: () => void,
    evaluations: number,
  ) {
    this.#predictors = predictors;
    this.#likelihood = likelihood;
    this.#fit = fit;
    this.#logPrior = logPrior;
    this.#enter = enter;
    this.evaluations = evaluations;
    const { precisions, shifts } = fit;
    this.#flats = flatPowers.map((power) =>
      normalSites(predictors, precisions.map((v) => power * v), shifts.map((v) => power * v))!
    );
    const { means, variances } = fit.normal;
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
      const away = own.mean - means[i];
      const influence = -0.5 * log(1 - precisions[i] * variances[i]) +
        0.5 * away * away / variances[i];
      weights.push(leastShare + Math.min(1, influence));
    }
    this.#lacking = lacking;
    const sum = weights.reduce((a, b) => a + b, 0);
    const rest = 1 - plainShare - flatShare * flatPowers.length;
    this.#shares = Float64Array.from([
      plainShare + (sum > 0 ? 0 : rest),
      ...flatPowers.map(() => flatShare),
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
    const flats = this.#flats.length;
    const start = stream.uniform();
    let [component, before] = [0, 0];
    for (let s = 0; s < count; s++) {
      const at = (s + start) / count;
      while (component + 1 < this.#shares.length && before + this.#shares[component] <= at) {
        before += this.#shares[component];
        component += 1;
      }
      fillNormal(stream, white);
      if (component > flats) this.#withoutRow(this.#lacking[component - 1 - flats], stream, white);
      else if (component > 0) this.#flatter(this.#flats[component - 1], white);
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
      visit({
        logWeight: this.#logPrior + whole - 0.5 * prior - proposal,
        logLikelihood: this.#likelihood.logs,
        logControl: this.logEvidence - logMixture,
        logControls: this.#controls,
      });
    }
  }

  /** White noise of the flatter sites as such of the others. */
  #flatter(flat: NormalSites, white: Float64Array): void {
    const { noise: m } = this.#predictors;
    const { mode, factor } = this.#fit.normal;
    solveUpper(flat.factor, m, white);
    for (let k = 0; k < m; k++) white[k] += flat.mode[k] - mode[k];
    multiplyUpper(factor, m, white);
  }

  /** Log density of flatter sites, without the constant of normal ones. */
  #logFlat({ mode, factor, logRoot }: NormalSites, latents: Float64Array): number {
    const { noise: m } = this.#predictors;
    const away = latents.map((x, k) => x - mode[k]);
    multiplyUpper(factor, m, away);
    let square = 0;
    for (const x of away) square += x * x;
    return logRoot - 0.5 * square;
  }

  /** Moves white noise so that the predictor of a row is drawn anew, as if the row were not there. */
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
    const flats = this.#flats.map((one) => this.#logFlat(one, latents) - plain);
    let top = Math.max(0, ...flats);
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
    flats.forEach((flat, k) => sum += shares[k + 1] * exp(flat - top));
    const first = 1 + flats.length;
    for (let k = 0; k < logs.length; k++) sum += shares[first + k] * exp(logs[k] - top);
    const found = top + log(sum);
    for (let i = 0; i < this.#controls.length; i++) {
      this.#controls[i] += this.logWithout[i] - found;
    }
    return found;
  }
}

/** Lᵀ x in place. */
function multiplyUpper(lower: Float64Array, n: number, x: Float64Array): void {
  for (let i = 0; i < n; i++) {
    let sum = 0;
    for (let k = i; k < n; k++) sum += lower[k * n + i] * x[k];
    x[i] = sum;
  }
}
