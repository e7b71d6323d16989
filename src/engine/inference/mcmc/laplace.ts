/** Laplace's approximation of a posterior around a mode. */
import type { RandomStream } from "../../../base/random.ts";
import {
  cholesky,
  fillNormal,
  inverseFromCholesky,
  log,
  type LogDensity,
} from "../../../numerics/math/mod.ts";
import { type Climb, climb } from "./bfgs.ts";
import type { GradientBudget } from "./budget.ts";
import { diagonalOf } from "./metric.ts";

/** The normal distribution that touches a posterior at a mode. */
export interface LaplaceApproximation {
  /** The mode `[dimension]`. */
  readonly mode: Float64Array;
  /** Inverse of the negative Hessian around it `[d, d]`. */
  readonly covariance: Float64Array;
  /** Cholesky factor of the covariance `[d, d]`. */
  readonly factor: Float64Array;
  /** Log of the posterior's mass around the mode, less a constant, by which modes are compared. */
  readonly evidence: number;
}

/**
 * Climbs from `from` to a mode, and inverts the negative Hessian there. Its differences are taken
 * over distances in which the log density falls by about a half, so that it measures the width of
 * the posterior even where the gradient jumps, as with Laplace noise. If it is not positive
 * definite, its diagonal must do. `undefined` where there is no mode or no curvature.
 */
export function laplaceApproximation(
  density: LogDensity,
  from: Float64Array,
  budget: GradientBudget,
): LaplaceApproximation | undefined {
  const d = from.length;
  const top = climb(density, from, 100 + 10 * d);
  budget.used += top.evaluations;
  if (!top.converged && !top.stalled) return undefined;
  const hessian = negativeHessian(density, top.position, wideSteps(density, top, budget));
  budget.used += 2 * d;
  const variances = diagonalOf(hessian, d).map((h) => 1 / h);
  let covariance: Float64Array;
  if (cholesky(hessian, d)) covariance = inverseFromCholesky(hessian, d);
  else if (variances.every((v) => v > 0 && v < Infinity)) covariance = diagonalMatrix(variances);
  else return undefined;
  const factor = Float64Array.from(covariance);
  if (!cholesky(factor, d)) return undefined;
  let evidence = top.logDensity;
  for (let i = 0; i < d; i++) evidence += log(factor[i * d + i]);
  return { mode: top.position, covariance, factor, evidence };
}

/** A draw from the approximation. */
export function drawAround(around: LaplaceApproximation, stream: RandomStream): Float64Array {
  const { mode, factor } = around;
  const d = mode.length;
  const white = new Float64Array(d);
  fillNormal(stream, white);
  return mode.map((m, i) => {
    let sum = m;
    for (let k = 0; k <= i; k++) sum += factor[i * d + k] * white[k];
    return sum;
  });
}

function diagonalMatrix(values: Float64Array): Float64Array {
  const d = values.length;
  const out = new Float64Array(d * d);
  for (let i = 0; i < d; i++) out[i * d + i] = values[i];
  return out;
}

/** Per coordinate, the distance to both sides in which the log density falls by 0.2 to 1. */
function wideSteps(density: LogDensity, top: Climb, budget: GradientBudget): Float64Array {
  const d = top.position.length;
  const point = Float64Array.from(top.position);
  const gradient = new Float64Array(d);
  const at = (i: number, step: number) => {
    point[i] = top.position[i] + step;
    const value = density.valueAlone?.(point, 0) ?? density.logDensity(point, gradient, 0);
    point[i] = top.position[i];
    return value;
  };
  return point.map((_, i) => {
    let step = Math.sqrt(top.inverseHessian[i * d + i]);
    if (!(step > 1e-4 && step < 1)) step = 0.05;
    for (let attempt = 0; attempt < 20; attempt++) {
      const fall = top.logDensity - 0.5 * (at(i, step) + at(i, -step));
      budget.used += 2;
      if (fall >= 0.2 && fall <= 1) break;
      step *= fall > 0 ? Math.min(5, Math.max(0.1, Math.sqrt(0.5 / fall))) : 5;
    }
    return step;
  });
}

/** Central differences of the gradient over `steps` `[dimension]` to both sides. */
function negativeHessian(
  density: LogDensity,
  position: Float64Array,
  steps: Float64Array,
): Float64Array {
  const d = position.length;
  const hessian = new Float64Array(d * d);
  const point = Float64Array.from(position);
  const above = new Float64Array(d);
  const below = new Float64Array(d);
  for (let i = 0; i < d; i++) {
    point[i] = position[i] + steps[i];
    density.logDensity(point, above, 0);
    point[i] = position[i] - steps[i];
    density.logDensity(point, below, 0);
    point[i] = position[i];
    for (let j = 0; j < d; j++) {
      const half = (below[j] - above[j]) / (4 * steps[i]);
      hessian[i * d + j] += half;
      hessian[j * d + i] += half;
    }
  }
  return hessian;
}
