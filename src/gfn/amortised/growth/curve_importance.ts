/** ELPD-LOO of growth curves by importance draws about their fit: rewards of training, near those of the engine. */
import {
  cholesky,
  exp,
  fillNormal,
  lgamma,
  log,
  log1p,
  logSumExp,
} from "../../../numerics/math/mod.ts";
import { RandomStream } from "../../../base/random.ts";
import type { FittedProgram } from "./curve_programs.ts";
import { curveOf, noiseOf } from "./growth_places.ts";
import { type GrowthScales, type MeanCurve, meanCurves, type Sizes } from "./mean_curves.ts";
import { noiseDeviation } from "./noises.ts";

/** Draws of the first round, which finds where the posterior lies, and of the others. */
const [firstRound, laterRound] = [192, 1536] as const;

/** Rounds at most, each about the moments of the one before. */
const mostRounds = 8;

/** Degrees of freedom of the draws' tails. */
const freedom = 6;

/** Effective share of the draws below which an estimate is none, and from which on no round follows. */
const [leastEffective, enoughEffective] = [0.05, 0.2] as const;

/** Log density, nats, of a point, and the likelihood of each row into `rows`; −Infinity where no mean is. */
interface CurveDensity {
  readonly width: number;
  readonly rows: number;
  at(place: Float64Array, rows: Float64Array, begin: number): number;
}

/** A normal density by its mean and Cholesky factor. */
interface Normal {
  readonly mean: Float64Array;
  readonly factor: Float64Array;
}

/** Places, log weights and log likelihoods of rows. */
interface Drawn {
  /** `[draws, width]`. */
  readonly places: Float64Array;
  /** `[draws]`. */
  readonly weights: Float64Array;
  /** `[draws, rows]`. */
  readonly rows: Float64Array;
}

/**
 * ELPD-LOO, nats: p(y_i | y_-i) = Σ w / Σ (w / p(y_i | draw)) over draws of Student's t that is moved
 * to the posterior round by round (Cappé et al. 2008). Coordinates are those of the curve in standard
 * deviations of their priors, log σ, and of Student's noise log 1 / ν.
 *
 * @returns `undefined` where few draws carry the estimate.
 */
export function importanceElpd(
  program: FittedProgram,
  data: Sizes,
  scales: GrowthScales,
): number | undefined {
  const density = densityOf(program, data, scales);
  let about = tempered(drawFrom(beginning(program), firstRound, density), density.width);
  let best: Drawn | undefined;
  let most = leastEffective * laterRound;
  for (let round = 1; about && round < mostRounds; round++) {
    const drawn = drawFrom(about, laterRound, density);
    const effective = effectiveOf(drawn.weights, 1);
    if (effective > most) [best, most] = [drawn, effective];
    if (effective > enoughEffective * laterRound) break;
    about = tempered(drawn, density.width);
  }
  return best && elpdOf(best, density.rows);
}

function elpdOf({ weights, rows }: Drawn, count: number): number {
  const total = logSumExp(weights);
  const left = new Float64Array(weights.length);
  let elpd = 0;
  for (let i = 0; i < count; i++) {
    for (let s = 0; s < left.length; s++) left[s] = weights[s] - rows[s * count + i];
    elpd += total - logSumExp(left);
  }
  return elpd;
}

/** Effective number of draws, with weights to a power. */
function effectiveOf(weights: Float64Array, power: number): number {
  const own = weights.map((one) => power * one);
  const total = logSumExp(own);
  return 1 / own.reduce((sum, one) => sum + exp(2 * (one - total)), 0);
}

/** About the fit: covariance of the straightened curve, the noise at its mean square. */
function beginning({ fit, deviations, covariance, program }: FittedProgram): Normal {
  const { family } = noiseOf(program);
  const inner = deviations.length;
  const width = inner + (family === "student_t" ? 2 : 1);
  const mean = new Float64Array(width);
  const factor = new Float64Array(width * width);
  mean.set(fit.shift);
  for (let a = 0; a < inner; a++) {
    for (let b = 0; b < inner; b++) factor[a * width + b] = covariance[a * inner + b];
  }
  mean[inner] = 0.5 * log(fit.variance);
  factor[inner * width + inner] = 1 / (2 * fit.mean.length);
  if (family === "student_t") {
    mean[inner] -= 0.1;
    factor[inner * width + inner] *= 4;
    mean[inner + 1] = log(0.12);
    factor[(inner + 1) * width + inner + 1] = 0.8;
  }
  if (!cholesky(factor, width)) {
    throw new Error("internal: the covariance is not positive definite");
  }
  return { mean, factor };
}

const halfLog2Pi = 0.9189385332046727;

/** Log density of curve and noise together, with the priors of the model space; half-normal ones as normal. */
export function densityOf(
  { program }: Pick<FittedProgram, "program">,
  { ages, sizes }: Sizes,
  scales: GrowthScales,
): CurveDensity {
  const noise = noiseOf(program);
  const { family, spread } = noise;
  const curve: MeanCurve = meanCurves[curveOf(program)];
  const priors = curve.priors(scales);
  const inner = priors.length;
  const prior = noiseDeviation(noise, scales);
  const logSizes = sizes.map(log);
  const at = new Float64Array(inner);
  const density = (place: Float64Array, rows: Float64Array, begin: number) => {
    let total = 0;
    for (let a = 0; a < inner; a++) {
      const [mean, deviation, half] = priors[a];
      if (half && place[a] < 0) return -Infinity;
      total -= 0.5 * place[a] * place[a];
      at[a] = mean + deviation * place[a];
    }
    const sigma = exp(place[inner]);
    total += place[inner] - sigma * sigma / (2 * prior * prior);
    const isHeavy = family === "student_t";
    const nu = isHeavy ? exp(-place[inner + 1]) : 0;
    if (isHeavy) total += place[inner + 1] - 5 / nu;
    const constant = isHeavy
      ? lgamma((nu + 1) / 2) - lgamma(nu / 2) - 0.5 * log(nu * Math.PI)
      : -halfLog2Pi;
    const of = curve.of(at, scales);
    for (let i = 0; i < ages.length; i++) {
      const mean = of(ages[i]);
      if (!(mean > 0) && spread !== "constant") return -Infinity;
      const scale = spread === "proportional" ? sigma * mean / scales.mean : sigma;
      const logScale = spread === "proportional" ? log(scale) : place[inner];
      const off = (family === "log_normal" ? logSizes[i] - log(mean) : sizes[i] - mean) / scale;
      const kernel = isHeavy ? (nu + 1) / 2 * log(1 + off * off / nu) : 0.5 * off * off;
      const own = constant - logScale - kernel - (family === "log_normal" ? logSizes[i] : 0);
      rows[begin + i] = own;
      total += own;
    }
    return total;
  };
  return { width: inner + (family === "student_t" ? 2 : 1), rows: ages.length, at: density };
}

/** Normals, and scales that make them heavy-tailed: the same for every program, so that differences have less error. */
const normals = new Map<number, { readonly z: Float64Array; readonly scale: Float64Array }>();

function normalsOf(width: number) {
  const known = normals.get(width);
  if (known) return known;
  const random = new RandomStream("importance draws", width);
  const z = new Float64Array(laterRound * width);
  fillNormal(random, z);
  const squares = new Float64Array(freedom);
  const scale = Float64Array.from({ length: laterRound }, () => {
    fillNormal(random, squares);
    return 1 / Math.sqrt(squares.reduce((sum, one) => sum + one * one, 0) / freedom);
  });
  const made = { z, scale };
  normals.set(width, made);
  return made;
}

function drawFrom(
  { mean, factor }: Normal,
  draws: number,
  { width, rows, at }: CurveDensity,
): Drawn {
  const { z, scale } = normalsOf(width);
  const places = new Float64Array(draws * width);
  const likelihoods = new Float64Array(draws * rows);
  const weights = new Float64Array(draws);
  for (let s = 0; s < draws; s++) {
    const place = places.subarray(s * width, (s + 1) * width);
    let square = 0;
    for (let a = 0; a < width; a++) {
      const own = z[s * width + a] * scale[s];
      square += own * own;
      place[a] = mean[a];
      for (let b = 0; b <= a; b++) place[a] += factor[a * width + b] * z[s * width + b] * scale[s];
    }
    const logDraw = -(freedom + width) / 2 * log1p(square / freedom);
    weights[s] = at(place, likelihoods, s * rows) - logDraw;
  }
  return { places, weights, rows: likelihoods };
}

/**
 * Weighted mean and covariance of draws, a little widened: of the largest power of the weights, a half
 * to the power of a whole number, by which enough of them count.
 */
function tempered({ places, weights }: Drawn, width: number): Normal | undefined {
  if (!(logSumExp(weights) > -Infinity)) return undefined;
  let power = 1;
  while (power > 1e-3 && effectiveOf(weights, power) < 6 * width) power /= 2;
  const total = logSumExp(weights.map((one) => power * one));
  const mean = new Float64Array(width);
  const factor = new Float64Array(width * width);
  const shares = weights.map((one) => exp(power * one - total));
  shares.forEach((share, s) => {
    for (let a = 0; a < width; a++) mean[a] += share * places[s * width + a];
  });
  shares.forEach((share, s) => {
    for (let a = 0; a < width; a++) {
      for (let b = 0; b < width; b++) {
        const both = (places[s * width + a] - mean[a]) * (places[s * width + b] - mean[b]);
        factor[a * width + b] += share * both;
      }
    }
  });
  for (let a = 0; a < width; a++) factor[a * width + a] = 1.1 * factor[a * width + a] + 1e-9;
  return cholesky(factor, width) ? { mean, factor } : undefined;
}
