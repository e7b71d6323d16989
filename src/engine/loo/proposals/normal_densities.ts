/** Normal densities near importance draws: unlike those of the target, their integrals are known. */
import { type Columns, columnsOf } from "../../../numerics/wasm/mod.ts";
import {
  addTimes,
  cholesky,
  dotRange,
  inverseFromCholesky,
  log,
} from "../../../numerics/math/mod.ts";
import { featureCount } from "./features.ts";
import type { StandardisedDraws } from "./fit_triangular.ts";
import { thresholds } from "../thresholds.ts";

/** log √(2π). */
const logRootTwoPi = 0.9189385332046728;

/** Some normal densities in the same coordinates z = (x − centre) / scale. */
export interface NormalDensities {
  /** `[dimension]`. */
  readonly centre: Float64Array;
  /** `[dimension]`, > 0. */
  readonly scale: Float64Array;
  /** By density, its logarithm: coefficients of 1, of the z_j, and of the z_j z_k for k ≤ j. */
  readonly polynomials: readonly Float64Array[];
}

/**
 * The normal densities with the means and the covariances that the draws have with each of these
 * weights; those whose covariance is not positive definite are left out.
 *
 * @param weights each with sum 1 `[draws]`.
 */
export function fitNormals(
  { centre, scale, features }: StandardisedDraws,
  weights: readonly Float64Array[],
): NormalDensities {
  const monomials = monomialsOf(Array.from(centre, (_, j) => features[featureCount(j)]));
  const logUnit = scale.reduce((sum, unit) => sum + log(unit) + logRootTwoPi, 0);
  const polynomials = weights.flatMap((own) =>
    logNormal(monomials.map((one) => dotRange(one, 0, own, 0, own.length)), scale.length) ?? []
  );
  for (const polynomial of polynomials) polynomial[0] -= logUnit;
  return { centre, scale, polynomials };
}

/**
 * The logarithms of the densities at vectors, by density `[draws]`.
 *
 * @param positions `[draws, dimension]`.
 */
export function logNormalDensities(
  { centre, scale, polynomials }: NormalDensities,
  positions: Float64Array,
): Columns {
  const d = centre.length;
  const draws = positions.length / d;
  const z = columnsOf(d, draws);
  z.forEach((column, j) => {
    const perUnit = 1 / scale[j];
    for (let s = 0; s < draws; s++) column[s] = (positions[s * d + j] - centre[j]) * perUnit;
  });
  const monomials = monomialsOf(z);
  return polynomials.map(([constant, ...coefficients]) => {
    const out = new Float64Array(draws).fill(constant);
    coefficients.forEach((c, k) => addTimes(out, c, monomials[k], 0, 0, draws));
    return out;
  });
}

/** The z_j, and the z_j z_k for k ≤ j. */
function monomialsOf(z: Columns): Columns {
  const d = z.length;
  const products = columnsOf(d * (d + 1) / 2, z[0].length);
  let at = 0;
  for (let j = 0; j < d; j++) {
    for (let k = 0; k <= j; k++, at++) {
      for (let s = 0; s < z[j].length; s++) products[at][s] = z[j][s] * z[k][s];
    }
  }
  return [...z, ...products];
}

/** Coefficients of log N(z) from the means of the monomials, less what units and dimension add. */
function logNormal(means: readonly number[], d: number): Float64Array | undefined {
  const covariance = new Float64Array(d * d);
  for (let j = 0, at = d; j < d; j++) {
    for (let k = 0; k <= j; k++, at++) covariance[j * d + k] = means[at] - means[j] * means[k];
    covariance[j * d + j] *= 1 + thresholds.covarianceRidge;
  }
  if (!cholesky(covariance, d)) return undefined;
  return polynomialOf(means, covariance);
}

/** −½ (z − m)ᵀ P (z − m) − Σ log F_jj for the factor F of a covariance and its inverse P. */
function polynomialOf(mean: readonly number[], factor: Float64Array): Float64Array {
  const d = Math.sqrt(factor.length);
  const precision = inverseFromCholesky(factor, d);
  const out = new Float64Array(1 + d + d * (d + 1) / 2);
  for (let j = 0, at = 1 + d; j < d; j++) {
    let linear = 0;
    for (let k = 0; k < d; k++) linear += precision[j * d + k] * mean[k];
    for (let k = 0; k < j; k++) out[at++] = -precision[j * d + k];
    out[at++] = -0.5 * precision[j * d + j];
    out[1 + j] = linear;
    out[0] -= log(factor[j * d + j]) + 0.5 * linear * mean[j];
  }
  return out;
}
