/** The likeliest coefficients a posteriori: Newton's steps, shortened where they would lead down. */
import { cholesky, solveLower, solveUpper } from "../../../numerics/math/mod.ts";
import type { RowLikelihood } from "./row_likelihoods.ts";

/** A linear predictor, its coefficients Normal(0, 1) a priori. */
export interface Design {
  readonly rows: number;
  readonly width: number;
  /** `[rows, width]`: columns times the standard deviations of their coefficients' priors. */
  readonly values: Float64Array;
  /** Mean of the intercept a priori. */
  readonly middle: number;
}

/** Where the posterior is highest. */
export interface PosteriorMode {
  /** `[width]`. */
  readonly at: Float64Array;
  /** `[rows]`. */
  readonly eta: Float64Array;
  /** `[rows]`: of the log likelihood. */
  readonly slopes: Float64Array;
  /** `[rows]`. */
  readonly curvatures: Float64Array;
  /** Nats. */
  readonly logLikelihood: number;
}

const mostSteps = 30;

/**
 * The mode.
 *
 * @param start `[width]`: where the search begins; at 0 if left out.
 * @param steps Newton's steps at most.
 */
export function posteriorMode(
  design: Design,
  likelihood: RowLikelihood,
  start: Float64Array = new Float64Array(design.width),
  steps = mostSteps,
): PosteriorMode {
  let now = evaluated(design, likelihood, start);
  for (let step = 0; step < steps; step++) {
    const move = newtonMove(design, now);
    const gain = move.reduce((sum, one) => sum + one * one, 0);
    if (gain < 1e-10) break;
    const next = shortened(design, likelihood, now, move);
    if (!next) break;
    const risen = next.height - now.height;
    now = next;
    if (risen < 1e-7) break;
  }
  return now;
}

interface Evaluated extends PosteriorMode {
  /** Log posterior but for a constant. */
  readonly height: number;
}

function evaluated(design: Design, likelihood: RowLikelihood, at: Float64Array): Evaluated {
  const { rows } = design;
  const eta = predictorAt(design, at);
  const [slopes, curvatures] = [new Float64Array(rows), new Float64Array(rows)];
  const logLikelihood = likelihood.weigh(eta, slopes, curvatures);
  const height = logLikelihood - 0.5 * at.reduce((sum, one) => sum + one * one, 0);
  return { at, eta, slopes, curvatures, logLikelihood, height };
}

function predictorAt({ rows, width, values, middle }: Design, at: Float64Array): Float64Array {
  const eta = new Float64Array(rows);
  for (let i = 0; i < rows; i++) {
    let sum = middle;
    for (let a = 0; a < width; a++) sum += values[i * width + a] * at[a];
    eta[i] = sum;
  }
  return eta;
}

/** The first of ever shorter steps that leads up. */
function shortened(design: Design, likelihood: RowLikelihood, now: Evaluated, move: Float64Array) {
  for (let share = 1; share > 1e-3; share /= 3) {
    const next = evaluated(design, likelihood, now.at.map((one, a) => one + share * move[a]));
    if (next.height >= now.height) return next;
  }
  return undefined;
}

function newtonMove(design: Design, { at, slopes, curvatures }: Evaluated): Float64Array {
  const { rows, width, values } = design;
  const matrix = precisionOf(design, curvatures);
  if (!cholesky(matrix, width)) throw new Error("internal: the posterior has no curvature");
  const force = at.map((one) => -one);
  for (let i = 0; i < rows; i++) {
    for (let a = 0; a < width; a++) force[a] += slopes[i] * values[i * width + a];
  }
  solveLower(matrix, width, force);
  solveUpper(matrix, width, force);
  return force;
}

/** `[width, width]`, lower triangle: precision of coefficients, given curvatures of the rows. */
export function precisionOf(
  { rows, width, values }: Design,
  curvatures: Float64Array,
): Float64Array {
  const matrix = new Float64Array(width * width);
  for (let i = 0, at = 0; i < rows; i++, at += width) {
    const weight = curvatures[i];
    for (let a = 0; a < width; a++) {
      const one = weight * values[at + a];
      const to = a * width;
      for (let b = 0; b <= a; b++) matrix[to + b] += one * values[at + b];
    }
  }
  for (let a = 0; a < width; a++) matrix[a * width + a] += 1;
  return matrix;
}
