/** The evidence log p(y) of a posterior, from what scored it. */
import { exp, largest, log, logSumExp } from "../../numerics/math/mod.ts";

/** log p(y): the prior's average of the likelihood, nats. */
export interface Evidence {
  /** The estimate. */
  readonly value: number;
  /** Its Monte Carlo standard error. */
  readonly error: number;
}

/**
 * The log of the mean weight: of importance draws, or of groups of particles by their estimates of p(y). The error is that of independent draws, which draws in nets do not
 * exceed (Owen 1997).
 *
 * @param logWeights log p(θ, y) − log q(θ) at draws of q `[draws]`.
 * @param images other images of what was drawn from, each with as much mass.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { evidenceOfWeights } from "./evidence.ts";
 * const { value, error } = evidenceOfWeights(Float64Array.of(-3, -3, -3, -3), 1);
 * assert.ok(Math.abs(value - (Math.log(2) - 3)) < 1e-12 && error === 0);
 * ```
 */
export function evidenceOfWeights(logWeights: Float64Array, images: number = 0): Evidence {
  const top = largest(logWeights);
  let [sum, squares] = [0, 0];
  for (const value of logWeights) {
    const weight = exp(value - top);
    sum += weight;
    squares += weight * weight;
  }
  const count = logWeights.length;
  const error = Math.sqrt(Math.max(0, squares / (sum * sum) - 1 / count));
  return { value: top + log(sum / count) + log(1 + images), error };
}

/**
 * From points of a lattice, each for as much volume: the trapezoidal rule. The error is the square of the difference that
 * every other point along the first axis makes (Trefethen and Weideman 2014).
 *
 * @param points log densities, and whether each is even along that axis.
 */
export function evidenceOfLattice(
  points: readonly { readonly logDensity: number; readonly isEven: boolean }[],
  logVolume: number,
): Evidence {
  const whole = logSumExp(points.map(({ logDensity }) => logDensity));
  const coarse = points.filter(({ isEven }) => isEven).map(({ logDensity }) => logDensity);
  const away = coarse.length > 0 ? Math.abs(logSumExp(coarse) + log(2) - whole) : Infinity;
  return { value: whole + logVolume, error: away < 1 ? away * away : away };
}
