/** Forecasts of ELPD-LOO of every program of a generalised linear model, by one fit of all predictors. */
import { cholesky, log, solveLower, solveUpper } from "../../../numerics/math/mod.ts";
import { members } from "../normal_regressions.ts";
import type { StandardRows } from "../standard_rows.ts";
import { type Design, type PosteriorMode, posteriorMode, precisionOf } from "./posterior_mode.ts";
import { type RowLikelihood, studentRows } from "./row_likelihoods.ts";
import { marginalVariance, tilt } from "./cavities.ts";
import { designOf, likelihoodOf } from "./score_program.ts";
import { likeliestNoise, type Noise, weightedSquare } from "./student_elpd.ts";

/** The fit of the program that has all predictors. */
export interface WholeFit {
  readonly design: Design;
  readonly mode: PosteriorMode;
  /** Noise of Student's family. */
  readonly noise?: Noise;
}

/** Fits it. */
export function fitWhole(rows: StandardRows): WholeFit {
  const design = designOf(rows, rows.columns.map((_, j) => j));
  if (rows.family === "student_t") {
    const noise = likeliestNoise(design, rows.y);
    const likelihood = studentRows(rows.y, noise.sigma, noise.nu);
    return { design, noise, mode: posteriorMode(design, likelihood, noise.start, 4) };
  }
  return { design, mode: posteriorMode(design, likelihoodOf(rows)) };
}

/** Newton's steps of each program from where the whole fit has it. */
const steps = 1;

/** `[2^predictors]`: forecasts, nats. */
export function forecasts(rows: StandardRows, { design, mode, noise }: WholeFit): Float64Array {
  const { width, middle } = design;
  const precision = precisionOf(design, mode.curvatures);
  const force = new Float64Array(width);
  for (let i = 0; i < design.rows; i++) {
    const pull = mode.curvatures[i] * (mode.eta[i] - middle) + mode.slopes[i];
    for (let a = 0; a < width; a++) force[a] += pull * design.values[i * width + a];
  }
  const likelihood = noise ? undefined : likelihoodOf(rows);
  return Float64Array.from({ length: 2 ** (width - 1) }, (_, bits) => {
    const places = [0, ...members(bits).map((j) => j + 1)];
    const own = partOf(design, places);
    const start = solved(precision, force, width, places);
    if (likelihood) return foretold(own, likelihood, posteriorMode(own, likelihood, start, steps));
    return foretoldStudent(own, rows.y, noise!, start);
  });
}

/** Columns of some places. */
function partOf({ rows, width, values, middle }: Design, places: readonly number[]): Design {
  const k = places.length;
  const own = new Float64Array(rows * k);
  for (let i = 0; i < rows; i++) {
    for (let a = 0; a < k; a++) own[i * k + a] = values[i * width + places[a]];
  }
  return { rows, width: k, values: own, middle };
}

/** The likeliest coefficients of some places, as the whole fit straightens the likelihood. */
function solved(
  precision: Float64Array,
  force: Float64Array,
  width: number,
  places: readonly number[],
): Float64Array {
  const k = places.length;
  const matrix = new Float64Array(k * k);
  for (let a = 0; a < k; a++) {
    for (let b = 0; b <= a; b++) matrix[a * k + b] = precision[places[a] * width + places[b]];
  }
  if (!cholesky(matrix, k)) throw new Error("internal: the posterior has no curvature");
  const at = Float64Array.from(places, (place) => force[place]);
  solveLower(matrix, k, at);
  solveUpper(matrix, k, at);
  return at;
}

function foretoldStudent(
  design: Design,
  y: Float64Array,
  { nu, sigma }: Noise,
  start: Float64Array,
): number {
  let own = sigma;
  let mode = posteriorMode(design, studentRows(y, own, nu), start, 0);
  for (let step = 0; step < 2; step++) {
    own *= Math.sqrt(weightedSquare(mode, y) / y.length);
    mode = posteriorMode(design, studentRows(y, own, nu), mode.at, 1);
  }
  return foretold(design, studentRows(y, own, nu), mode);
}

/** Share of a row's own precision in its predictor from which its likelihood is not straightened. */
const telling = 0.1;

/**
 * Each row is predicted from its cavity at the mode: in closed form, its likelihood straightened, or by
 * quadrature where the row has a large leverage.
 */
function foretold(design: Design, likelihood: RowLikelihood, mode: PosteriorMode): number {
  const { rows } = design;
  const { marginals, means, variances } = cavitiesAt(design, mode);
  const [slopes, curvatures] = [new Float64Array(rows), new Float64Array(rows)];
  const own = new Float64Array(rows);
  likelihood.weigh(means, slopes, curvatures, own);
  let total = 0;
  for (let i = 0; i < rows; i++) {
    const variance = variances[i];
    if (mode.curvatures[i] * marginals[i] > telling) {
      const about = { mean: mode.eta[i], variance: marginals[i] };
      total += tilt(likelihood, i, about, { mean: means[i], variance }).logZ;
    } else {
      const whole = 1 + curvatures[i] * variance;
      total += own[i] + 0.5 * (slopes[i] * slopes[i] * variance / whole - log(whole));
    }
  }
  return total;
}

/** Least share of a row's precision that other rows have. */
const leastRest = 1e-3;

/** `[rows]`: variances of linear predictors at the mode; means and variances without their rows, one step from it. */
function cavitiesAt(design: Design, { eta, slopes, curvatures }: PosteriorMode) {
  const { rows, width } = design;
  const factor = precisionOf(design, curvatures);
  if (!cholesky(factor, width)) throw new Error("internal: the posterior has no curvature");
  const [means, variances] = [new Float64Array(rows), new Float64Array(rows)];
  const marginals = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    const v = marginalVariance(design, factor, i);
    marginals[i] = v;
    variances[i] = v / Math.max(1 - curvatures[i] * v, leastRest);
    means[i] = eta[i] - variances[i] * slopes[i];
  }
  return { marginals, means, variances };
}
