/** The likeliest curve a posteriori: damped Gauss-Newton steps, the noise at its mean square. */
import { cholesky, log, solveLower, solveUpper } from "../../../numerics/math/mod.ts";
import type { GrowthScales, MeanCurve, Sizes } from "./mean_curves.ts";

/** Scale of the deviations of rows: constant, proportional to the curve, or in the logarithm. */
export type Spread = "constant" | "proportional" | "logarithm";

/** A fitted curve, straightened about the fit. */
export interface CurveFit {
  /** `[coordinates]`. */
  readonly at: Float64Array;
  /** `[rows]`. */
  readonly mean: Float64Array;
  /** `[rows]`: sizes less the curve, over the spread; of logarithms those. */
  readonly residuals: Float64Array;
  /** `[rows, coordinates]`: how the curve moves, over the spread, per standard deviation of each prior. */
  readonly slopes: Float64Array;
  /** `[coordinates]`: how far the fit lies from the mean a priori, in its standard deviations. */
  readonly shift: Float64Array;
  /** `[rows]`: weights of rows. */
  readonly weights: Float64Array;
  /** Mean square of residuals, weighted. */
  readonly variance: number;
}

/** A curve, the data, and how rows differ from it. */
interface FitOptions {
  readonly curve: MeanCurve;
  readonly data: Sizes;
  readonly scales: GrowthScales;
  readonly spread: Spread;
  /** Rows far off count less, as under Student's t with four degrees of freedom. */
  readonly robust: boolean;
  /** `[coordinates]`. */
  readonly start: Float64Array;
}

type Prior = ReturnType<MeanCurve["priors"]>[number];

const mostSteps = 24;

/** Least size that a curve may give. */
const leastMean = 1e-3;

/** The fit; `undefined` where the curve is not finite at the start. */
export function fitCurve(options: FitOptions): CurveFit | undefined {
  const priors = options.curve.priors(options.scales);
  const begin = evaluated(options, options.start);
  if (!begin) return undefined;
  let now = begin;
  let damping = 1e-2;
  for (let step = 0; step < mostSteps; step++) {
    const fit = straightened(options, now, priors);
    const found = nextOf(options, fit, priors, damping);
    now = found.now;
    damping = found.damping;
    if (found.moved < 1e-4) break;
  }
  return straightened(options, now, priors);
}

/** The curve at some parameters, and its residuals. */
function straightened(
  options: FitOptions,
  now: Evaluated,
  priors: readonly Prior[],
): CurveFit & { readonly spreads: Float64Array } {
  const spreads = spreadsOf(options, now.mean);
  const residuals = residualsOf(options, now.mean, spreads);
  const weights = weightsOf(options, residuals);
  const variance = varianceOf(residuals, weights, options.scales);
  const slopes = slopesOf(options, now, spreads, priors);
  return { ...now, residuals, weights, variance, slopes, spreads, shift: shiftOf(priors, now.at) };
}

const mostTries = 6;

/** The first of ever shorter steps that fits no worse; where none does the same place. */
function nextOf(
  options: FitOptions,
  fit: ReturnType<typeof straightened>,
  priors: readonly Prior[],
  damping: number,
) {
  const { weights, variance } = fit;
  const energy = energyOf(fit.residuals, weights, variance, fit.shift);
  let own = damping;
  for (let tries = 0; tries < mostTries; tries++) {
    const move = stepOf(fit, own);
    const at = move && fit.at.map((one, a) => within(priors[a], one + move[a] * priors[a][1]));
    const next = at && evaluated(options, at);
    if (next) {
      const off = residualsOf(options, next.mean, fit.spreads);
      if (energyOf(off, weights, variance, shiftOf(priors, next.at)) <= energy) {
        const moved = move.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
        return { now: next, damping: Math.max(own / 6, 1e-6), moved };
      }
    }
    own *= 6;
  }
  return { now: fit, damping: own, moved: 0 };
}

/** A coordinate of a half-normal prior stays above 0. */
function within([, deviation, half]: Prior, value: number): number {
  return half ? Math.max(1e-4 * deviation, value) : value;
}

interface Evaluated {
  readonly at: Float64Array;
  readonly mean: Float64Array;
}

function evaluated({ curve, data, scales }: FitOptions, at: Float64Array): Evaluated | undefined {
  const of = curve.of(at, scales);
  const least = leastMean * scales.mean;
  const mean = data.ages.map((age) => Math.max(least, of(age)));
  return mean.every((one) => one < 1e6 * scales.mean) ? { at, mean } : undefined;
}

/** `[rows]`: divisors of residuals. */
function spreadsOf({ spread, scales }: FitOptions, mean: Float64Array): Float64Array {
  return mean.map((one) => spread === "proportional" ? one / scales.mean : 1);
}

function residualsOf(
  { data: { sizes }, spread }: FitOptions,
  mean: Float64Array,
  spreads: Float64Array,
): Float64Array {
  if (spread === "logarithm") return sizes.map((size, i) => log(size / mean[i]));
  return sizes.map((size, i) => (size - mean[i]) / spreads[i]);
}

/** Weights of Student's t with four degrees of freedom, its scale that of the middle residual. */
function weightsOf({ robust }: FitOptions, off: Float64Array): Float64Array {
  if (!robust) return new Float64Array(off.length).fill(1);
  const sorted = off.map(Math.abs).sort();
  const scale = Math.max(sorted[sorted.length >> 1] / 0.74, 1e-9);
  return off.map((one) => 5 / (4 + one * one / (scale * scale)));
}

function varianceOf(off: Float64Array, weights: Float64Array, { deviation }: GrowthScales): number {
  let sum = 0;
  for (let i = 0; i < off.length; i++) sum += weights[i] * off[i] * off[i];
  return Math.max(sum / off.length, 1e-10 * deviation * deviation);
}

/** Slopes by differences, over the spread, per standard deviation of each prior. */
function slopesOf(
  options: FitOptions,
  now: Evaluated,
  spreads: Float64Array,
  priors: readonly Prior[],
): Float64Array {
  const width = priors.length;
  const slopes = new Float64Array(now.mean.length * width);
  const isLog = options.spread === "logarithm";
  const least = leastMean * options.scales.mean;
  for (let a = 0; a < width; a++) {
    const step = 1e-5 * priors[a][1];
    const of = options.curve.of(now.at.map((one, b) => b === a ? one + step : one), options.scales);
    for (let i = 0; i < now.mean.length; i++) {
      const moved = Math.max(least, of(options.data.ages[i])) - now.mean[i];
      slopes[i * width + a] = moved / 1e-5 / (isLog ? now.mean[i] : spreads[i]);
    }
  }
  return slopes;
}

function shiftOf(priors: readonly Prior[], at: Float64Array): Float64Array {
  return at.map((one, a) => (one - priors[a][0]) / priors[a][1]);
}

function energyOf(off: Float64Array, weights: Float64Array, variance: number, shift: Float64Array) {
  let sum = 0;
  for (let i = 0; i < off.length; i++) sum += weights[i] * off[i] * off[i];
  return sum / variance + shift.reduce((total, one) => total + one * one, 0);
}

/** The step, in standard deviations of the priors. */
function stepOf(
  { slopes, residuals, weights, variance, shift }: CurveFit,
  damping: number,
): Float64Array | undefined {
  const width = shift.length;
  const matrix = new Float64Array(width * width);
  const force = shift.map((one) => -one);
  for (let i = 0; i < residuals.length; i++) {
    const weight = weights[i] / variance;
    for (let a = 0; a < width; a++) {
      const slope = weight * slopes[i * width + a];
      force[a] += slope * residuals[i];
      for (let b = 0; b < width; b++) matrix[a * width + b] += slope * slopes[i * width + b];
    }
  }
  for (let a = 0; a < width; a++) {
    matrix[a * width + a] = (matrix[a * width + a] + 1) * (1 + damping);
  }
  if (!cholesky(matrix, width)) return undefined;
  solveLower(matrix, width, force);
  solveUpper(matrix, width, force);
  return force.every(Number.isFinite) ? force : undefined;
}
