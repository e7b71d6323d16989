/** ELPD-LOO of growth curves straightened about their fit: forecasts before any execution. */
import {
  cholesky,
  exp,
  inverseFromCholesky,
  lgamma,
  log,
  logSumExp,
} from "../../../numerics/math/mod.ts";
import { scoreLinear } from "../linear_elpd.ts";
import type { CurveFit } from "./curve_fit.ts";
import type { GrowthScales, Sizes } from "./mean_curves.ts";
import { type Noise, noiseDeviation, spreadOf } from "./noises.ts";

/** Forecast of a program. */
export interface ForetoldProgram {
  /** ELPD-LOO, nats, of the straightened curve. */
  readonly elpd: number;
  /** Sum of leverages: coordinates that the data choose. */
  readonly effective: number;
  /** The largest leverage. */
  readonly leverage: number;
  /** `[coordinates]`: standard deviations a posteriori, in those of the priors. */
  readonly deviations: Float64Array;
  /** `[coordinates, coordinates]`: their covariance. */
  readonly covariance: Float64Array;
}

/** Leave-one-out under a noise, of a curve that was fitted for its spread. */
export function foretell(
  fit: CurveFit,
  noise: Noise,
  data: Sizes,
  scales: GrowthScales,
): ForetoldProgram {
  const width = fit.shift.length;
  const covariance = posteriorOf(fit.slopes, fit.weights, fit.variance, width);
  const leverages = leveragesOf(fit, covariance);
  const effective = leverages.reduce((sum, one) => sum + one, 0);
  const leverage = leverages.reduce((most, one) => Math.max(most, one), 0);
  const prior = noiseDeviation(noise, scales);
  const own = noise.family === "student_t"
    ? studentElpd(fit, leverages, prior)
    : normalElpd(fit, prior);
  const deviations = fit.shift.map((_, a) => Math.sqrt(covariance[a * width + a]));
  return {
    elpd: own + toSizes(fit, noise, data, scales),
    effective,
    leverage,
    deviations,
    covariance,
  };
}

/** log |d residual / d size|, summed over rows. */
function toSizes(
  { mean }: CurveFit,
  noise: Noise,
  { sizes }: Sizes,
  scales: GrowthScales,
): number {
  const spread = spreadOf(noise);
  if (spread === "constant") return 0;
  if (spread === "logarithm") return sizes.reduce((sum, size) => sum - log(size), 0);
  return mean.reduce((sum, one) => sum - log(one / scales.mean), 0);
}

/** Exact but for the curve's bend within its posterior. */
function normalElpd({ residuals, slopes, shift, variance }: CurveFit, prior: number): number {
  const width = shift.length;
  const y = residuals.map((one, i) => {
    let sum = one;
    for (let a = 0; a < width; a++) sum += slopes[i * width + a] * shift[a];
    return sum;
  });
  const addLogPrior = (logLikelihood: number, variance: number) =>
    logLikelihood + 0.5 * log(variance) - variance / (2 * prior * prior);
  const rows = residuals.length;
  return scoreLinear({ rows, width, design: slopes, y, variance, addLogPrior }).elpd;
}

/** `[rows]`: diagonal of the hat matrix at the fitted noise. */
function leveragesOf(
  { slopes, weights, variance, shift, residuals }: CurveFit,
  inverse: Float64Array,
): Float64Array {
  const width = shift.length;
  return residuals.map((_, i) => {
    let sum = 0;
    for (let a = 0; a < width; a++) {
      for (let b = 0; b < width; b++) {
        sum += slopes[i * width + a] * inverse[a * width + b] * slopes[i * width + b];
      }
    }
    return Math.min(weights[i] * sum / variance, 0.999);
  });
}

/** `[width, width]`: covariance of the coordinates, in standard deviations of their priors. */
function posteriorOf(
  slopes: Float64Array,
  weights: Float64Array,
  variance: number,
  width: number,
): Float64Array {
  const matrix = new Float64Array(width * width);
  for (let i = 0; i < weights.length; i++) {
    for (let a = 0; a < width; a++) {
      const slope = weights[i] / variance * slopes[i * width + a];
      for (let b = 0; b < width; b++) matrix[a * width + b] += slope * slopes[i * width + b];
    }
  }
  for (let a = 0; a < width; a++) matrix[a * width + a] += 1;
  if (!cholesky(matrix, width)) {
    throw new Error("internal: the covariance is not positive definite");
  }
  return inverseFromCholesky(matrix, width);
}

/** Shares of the prior of 1 / ν, Exponential(5), at the middle of eight of equal mass. */
const tails = Array.from({ length: 8 }, (_, k) => -log(1 - (k + 0.5) / 8) / 5);

/** Points of log σ, about that of the residuals. */
const scalesOfNoise = Array.from({ length: 13 }, (_, k) => exp((k - 7) * 0.16));

/**
 * By a lattice of σ and ν, given the curve's parameters and leverages: a row is predicted about its
 * leave-one-out residual, its scale widened by the uncertainty of the curve.
 */
function studentElpd(
  { residuals, variance, weights }: CurveFit,
  leverages: Float64Array,
  prior: number,
): number {
  const rows = residuals.length;
  const center = Math.sqrt(variance);
  const own = new Float64Array(rows * tails.length * scalesOfNoise.length);
  const without = own.slice();
  const totals = new Float64Array(tails.length * scalesOfNoise.length);
  const count = totals.length;
  tails.forEach((tail, t) => {
    const nu = 1 / tail;
    const constant = lgamma((nu + 1) / 2) - lgamma(nu / 2) - 0.5 * log(nu * Math.PI);
    const density = (off: number, scale: number) =>
      constant - log(scale) - (nu + 1) / 2 * log(1 + off * off / (nu * scale * scale));
    scalesOfNoise.forEach((factor, s) => {
      const scale = center * factor;
      const g = t * scalesOfNoise.length + s;
      let total = log(scale) - scale * scale / (2 * prior * prior);
      for (let i = 0; i < rows; i++) {
        const rest = 1 - leverages[i];
        total += own[i * count + g] = density(residuals[i], scale);
        const wide = scale * Math.sqrt(1 + leverages[i] / (rest * Math.max(weights[i], 0.1)));
        without[i * count + g] = density(residuals[i] / rest, wide);
      }
      totals[g] = total;
    });
  });
  let elpd = 0;
  for (let i = 0; i < rows; i++) {
    const left = totals.map((one, g) => one - own[i * count + g]);
    elpd += logSumExp(left.map((one, g) => one + without[i * count + g])) - logSumExp(left);
  }
  return elpd;
}
