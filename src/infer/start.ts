/** Where a chain starts, and with which metric: by Laplace's approximation, or as Stan does. */
import type { RandomStream } from "../base/random.ts";
import { cholesky, inverseFromCholesky } from "../math/linalg.ts";
import type { LogDensity } from "../math/log_density.ts";
import { fillNormal } from "../math/random_normal.ts";
import { climb } from "./bfgs.ts";
import type { GradientBudget } from "./budget.ts";
import {
  denseMetric,
  diagonalMetric,
  diagonalOf,
  largestCorrelation,
  type Metric,
  unitMetric,
} from "./metric.ts";

/** A starting point with finite log density, and a first guess of the metric. */
export interface ChainStart {
  /** Where to start `[dimension]`. */
  readonly position: Float64Array;
  /** First guess of the metric. */
  readonly metric: Metric;
  /**
   * Covariance (`[d, d]` if the metric is dense, else variances `[d]`) that windowed estimates are
   * shrunk towards.
   */
  readonly reference: Float64Array;
}

/** Dimension up to which a start may be by Laplace, and the metric dense. */
export const maxLaplaceDimension = 40;
/** Dimension up to which the metric may be dense. */
export const maxDenseDimension = 12;
/** Largest correlation at the mode from which a dense metric pays. */
const denseCorrelation = 0.3;
const attempts = 100;

/**
 * Stan's start: uniform in (−2, 2) in every coordinate until log density and gradient are finite,
 * in at most 100 attempts; unit metric. `undefined` if there is none. Where the density names a
 * starting region, that interval is scaled by its spread and moved to its centre, as PyMC starts
 * around the support points of the priors; later attempts come closer to the centre.
 */
export function uniformStart(
  density: LogDensity,
  stream: RandomStream,
  budget: GradientBudget,
): ChainStart | undefined {
  const d = density.dimension;
  const position = new Float64Array(d);
  const region = density.startingRegion;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const shrink = 1 - attempt / attempts;
    for (let i = 0; i < d; i++) {
      const jitter = 4 * stream.uniform() - 2;
      position[i] = region ? region.centre[i] + shrink * region.spread[i] * jitter : jitter;
    }
    if (isUsable(density, position, budget)) {
      return { position, metric: unitMetric(d), reference: new Float64Array(d).fill(1) };
    }
  }
  return undefined;
}

function isUsable(density: LogDensity, position: Float64Array, budget: GradientBudget): boolean {
  const gradient = new Float64Array(position.length);
  budget.used += 1;
  const value = density.logDensity(position, gradient, 0);
  return Math.abs(value) < Infinity && gradient.every((g) => Math.abs(g) < Infinity);
}

/**
 * A start from Laplace's approximation: climbs from `from` to a mode, inverts the negative Hessian
 * there, and draws from the normal distribution that they define. Returns `from` itself where there
 * is no such approximation (no convergence, Hessian not positive definite, too many dimensions).
 */
export function laplaceStart(
  density: LogDensity,
  from: ChainStart,
  stream: RandomStream,
  budget: GradientBudget,
): ChainStart {
  const d = density.dimension;
  if (d > maxLaplaceDimension) return from;
  const top = climb(density, from.position, 100 + 10 * d);
  budget.used += top.evaluations;
  if (!top.converged) return from;
  const hessian = negativeHessian(density, top.position, diagonalOf(top.inverseHessian, d));
  budget.used += 2 * d;
  if (!cholesky(hessian, d)) return from;
  const covariance = inverseFromCholesky(hessian, d);
  const factor = denseMetric(covariance, d);
  const metric = factor && chooseMetric(covariance, factor, d);
  if (!factor || !metric) return from;
  const position = drawAround(density, top.position, factor.factor, stream, budget);
  const reference = metric.dense ? covariance : diagonalOf(covariance, d);
  return position ? { position, metric, reference } : from;
}

/** Dense if it pays: few dimensions, and correlations that a diagonal cannot follow. */
function chooseMetric(covariance: Float64Array, dense: Metric, d: number): Metric | undefined {
  const pays = d <= maxDenseDimension && largestCorrelation(covariance, d) > denseCorrelation;
  return pays ? dense : diagonalMetric(diagonalOf(covariance, d));
}

/** Central differences of the gradient, with steps of 10⁻³ of the scales `variances` name. */
function negativeHessian(
  density: LogDensity,
  position: Float64Array,
  variances: Float64Array,
): Float64Array {
  const d = position.length;
  const hessian = new Float64Array(d * d);
  const point = Float64Array.from(position);
  const above = new Float64Array(d);
  const below = new Float64Array(d);
  for (let i = 0; i < d; i++) {
    const step = Math.min(1e-2, 1e-3 * Math.sqrt(variances[i]));
    point[i] = position[i] + step;
    density.logDensity(point, above, 0);
    point[i] = position[i] - step;
    density.logDensity(point, below, 0);
    point[i] = position[i];
    for (let j = 0; j < d; j++) {
      const half = (below[j] - above[j]) / (4 * step);
      hessian[i * d + j] += half;
      hessian[j * d + i] += half;
    }
  }
  return hessian;
}

/** A draw from N(mode, L Lᵀ) at which the density is finite. */
function drawAround(
  density: LogDensity,
  mode: Float64Array,
  factor: Float64Array,
  stream: RandomStream,
  budget: GradientBudget,
): Float64Array | undefined {
  const d = mode.length;
  const white = new Float64Array(d);
  for (let attempt = 0; attempt < attempts; attempt++) {
    fillNormal(stream, white);
    const position = mode.map((m, i) => {
      let sum = m;
      for (let k = 0; k <= i; k++) sum += factor[i * d + k] * white[k];
      return sum;
    });
    if (isUsable(density, position, budget)) return position;
  }
  return undefined;
}
