/** Estimates ELPD of a program to the first order: the fit at its mode, less its effective parameters. */
import type { Dataset } from "../../../base/dataset.ts";
import { RandomStream } from "../../../base/random.ts";
import { cholesky, type LogDensity, type PointwiseDensity } from "../../../numerics/math/mod.ts";
import { compileLogDensity } from "../../inference/density/compile.ts";
import { nonCentred } from "../../inference/density/non_centred.ts";
import { type Climb, climb } from "../../inference/mcmc/bfgs.ts";
import { uniformStart } from "../../inference/mcmc/start.ts";
import type { CheckedProgram } from "../../language/ir/program.ts";

/** A fit at a mode. */
export interface PredictedFit {
  /** log likelihood at the mode, less the effective number of parameters, nats: ELPD to the first order. */
  readonly elpd: number;
  /** The effective number of parameters. */
  readonly parameters: number;
  /** Where it is `[dimension]`. */
  readonly mode: Float64Array;
}

/** Dimension up to which parameters are counted. */
const mostDimensions = 64;

/** Whether fits of a program are comparable: with more parameters than are counted, they are not. */
export function isComparable({ mode }: PredictedFit): boolean {
  return mode.length <= mostDimensions;
}

/**
 * log p(y | θ) at the mode, less tr(I H⁻¹) of the likelihood's information I and the posterior's H (Gelman, Hwang and
 * Vehtari 2014, equation 9, counts parameters so by draws): ELPD to the first order, by climbs and a few gradients.
 *
 * @param from where to climb from; the best of a few places of the prior, if left out.
 */
export function predictedFit(
  program: CheckedProgram,
  dataset: Dataset,
  from?: Float64Array,
): PredictedFit {
  const density = compileLogDensity(nonCentred(program) ?? program, dataset, { backend: "plain" });
  return fitFrom(density, from ?? startOf(density, program));
}

function fitFrom(density: PointwiseDensity, start: Float64Array): PredictedFit {
  const { position: mode, logDensity } = climbed(density, start, 100 + 5 * start.length);
  const each = new Float64Array(density.observations);
  if (!(Math.abs(logDensity) < Infinity)) return unfit(start);
  density.logLikelihood(mode, 0, each, 0);
  const fit = each.reduce((sum, one) => sum + one, 0);
  const parameters = effectiveParameters(density, mode);
  const elpd = fit - parameters;
  return elpd > -Infinity ? { elpd, parameters, mode } : unfit(start);
}

/** Standard deviation of a prior below which its coordinate is climbed in units of that. */
const needle = 0.01;

/**
 * A climb; beside needles of priors the other coordinates would hardly move.
 *
 * @param deviations of the prior near the start.
 */
function climbed(
  density: PointwiseDensity,
  start: Float64Array,
  evaluations: number,
  deviations = deviationsOfPrior(density, start),
): Pick<Climb, "position" | "logDensity"> {
  const d = start.length;
  const units = deviations.map((one) => one < needle ? one : 1);
  if (units.every((one) => one === 1)) return climb(density, start, evaluations);
  const times = (x: Float64Array) => x.map((one, i) => one * units[i]);
  const inUnits: LogDensity = {
    dimension: d,
    logDensity(position, gradient, offset) {
      const own = new Float64Array(d);
      const value = density.logDensity(times(position), own, 0);
      gradient.set(times(own), offset);
      return value;
    },
  };
  const { position, logDensity } = climb(
    inUnits,
    start.map((one, i) => one / units[i]),
    evaluations,
  );
  return { position: times(position), logDensity };
}

/** The density without its rows. */
function priorOf(density: PointwiseDensity): LogDensity {
  return density.without(Array.from({ length: density.observations }, (_, i) => i));
}

/** Standard deviation of each coordinate by the curvature of the prior at a place; NaN where that has another sign. */
function deviationsOfPrior(density: PointwiseDensity, at: Float64Array): Float64Array {
  const prior = curvature(priorOf(density), at);
  return at.map((_, i) => 1 / Math.sqrt(prior[i * at.length + i]));
}

/** Of a program that has no density there. */
export function unfit(mode: Float64Array = new Float64Array(0)): PredictedFit {
  return { elpd: -Infinity, parameters: 0, mode };
}

/** Where a climb ended, and the log density there. */
interface Mode {
  readonly value: number;
  readonly position: Float64Array;
}

/** Nats that another climb must gain to be another mode. */
const noGain = 0.1;

/** The best of a few places to climb from. */
function startOf(density: PointwiseDensity, { hash }: CheckedProgram): Float64Array {
  const budget = { used: 0, limit: Infinity };
  let best: Mode | undefined;
  for (const attempt of [0, 1, 2]) {
    const stream = new RandomStream("constants", hash, attempt);
    const from = uniformStart(density, stream, budget);
    if (!from) continue;
    const { logDensity: value, position } = climbed(density, from, 100 + 10 * from.length);
    if (!best || value > best.value) best = { value, position };
  }
  return best ? throughFlats(density, best) : new Float64Array(density.dimension);
}

/** Dimension up to which each coordinate is tried elsewhere. */
const mostTried = 12;
/** Where that is, in deviations of the prior from the mode. */
const elsewhere = 2.5;

/**
 * The best of a mode and of climbs from where one of its coordinates is far from there: an amplitude `exp(d)` that
 * begins in the flat never leaves it.
 */
function throughFlats(density: PointwiseDensity, mode: Mode): Float64Array {
  const { dimension: d } = density;
  if (d > mostTried) return mode.position;
  const deviations = deviationsOfPrior(density, mode.position);
  let best = mode;
  for (const [i, deviation] of deviations.entries()) {
    if (!(deviation < Infinity)) continue;
    for (const side of [-elsewhere, elsewhere]) {
      const from = Float64Array.from(mode.position);
      from[i] += side * deviation;
      const { logDensity: value, position } = climbed(density, from, 100 + 5 * d, deviations);
      if (value > best.value + noGain) best = { value, position };
    }
  }
  return best.position;
}

/** d − tr(P H⁻¹) with the curvatures P of the prior and H of the posterior: all of d where H has another sign. */
function effectiveParameters(density: PointwiseDensity, mode: Float64Array): number {
  const d = mode.length;
  if (d === 0 || d > mostDimensions) return 0;
  const whole = curvature(density, mode);
  const before = curvature(priorOf(density), mode);
  if (!cholesky(whole, d)) return d;
  let trace = 0;
  for (let k = 0; k < d; k++) trace += solved(whole, d, before, k);
  return Math.min(d, Math.max(0, d - trace));
}

/** Element k, k of H⁻¹ P, from the factor of H. */
function solved(factor: Float64Array, d: number, right: Float64Array, k: number): number {
  const x = Float64Array.from({ length: d }, (_, i) => right[i * d + k]);
  for (let i = 0; i < d; i++) {
    for (let j = 0; j < i; j++) x[i] -= factor[i * d + j] * x[j];
    x[i] /= factor[i * d + i];
  }
  for (let i = d - 1; i >= k; i--) {
    for (let j = i + 1; j < d; j++) x[i] -= factor[j * d + i] * x[j];
    x[i] /= factor[i * d + i];
  }
  return x[k];
}

/** Steps of differences, which double as the scale of unconstrained coordinates. */
const step = 1e-4;

/** Negative Hessian by central differences of the gradient `[d, d]`. */
function curvature(density: LogDensity, at: Float64Array): Float64Array {
  const d = at.length;
  const out = new Float64Array(d * d);
  const point = Float64Array.from(at);
  const [above, below] = [new Float64Array(d), new Float64Array(d)];
  for (let i = 0; i < d; i++) {
    const h = step * Math.max(1e-3, Math.abs(at[i]));
    point[i] = at[i] + h;
    density.logDensity(point, above, 0);
    point[i] = at[i] - h;
    density.logDensity(point, below, 0);
    point[i] = at[i];
    for (let j = 0; j < d; j++) {
      const half = (below[j] - above[j]) / (4 * h);
      out[i * d + j] += half;
      out[j * d + i] += half;
    }
  }
  return out;
}
