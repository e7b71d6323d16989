/** The metric of a sampler as a linear map from white to posterior coordinates. */
import { cholesky } from "../../../numerics/math/mod.ts";

/**
 * A factor L of the (approximate) posterior covariance L Lᵀ. The sampler moves in the coordinates
 * y = L⁻¹ q, where the momentum is standard normal; this is the same dynamics as mass matrix
 * (L Lᵀ)⁻¹ in q, and every product with the mass matrix becomes a plain dot product.
 */
export interface Metric {
  /** Whether the factor is a triangle. */
  readonly dense: boolean;
  /** Lower triangle, row-major `[d, d]`, if dense; otherwise its diagonal `[d]`. */
  readonly factor: Float64Array;
}

/** The unit metric. */
export function unitMetric(dimension: number): Metric {
  return { dense: false, factor: new Float64Array(dimension).fill(1) };
}

/** The diagonal metric with these variances; `undefined` unless all are positive and finite. */
export function diagonalMetric(variances: Float64Array): Metric | undefined {
  const usable = variances.every((v) => v > 0 && v < Infinity);
  return usable ? { dense: false, factor: variances.map(Math.sqrt) } : undefined;
}

/** The dense metric with this covariance `[d, d]`; `undefined` if it is not positive definite. */
function denseMetric(covariance: Float64Array, dimension: number): Metric | undefined {
  const factor = Float64Array.from(covariance);
  return cholesky(factor, dimension) ? { dense: true, factor } : undefined;
}

/** Dimension up to which a metric may be dense. */
export const maxDenseDimension = 12;
/** Largest correlation from which a dense metric pays. */
const denseCorrelation = 0.3;

/**
 * The metric with this covariance `[d, d]`: dense if it `mayBeDense` and that pays (few dimensions,
 * and correlations that a diagonal cannot follow), else its diagonal; `undefined` if it is neither.
 */
export function chooseMetric(
  covariance: Float64Array,
  dimension: number,
  mayBeDense: boolean,
): Metric | undefined {
  const pays = mayBeDense && dimension <= maxDenseDimension &&
    largestCorrelation(covariance, dimension) > denseCorrelation;
  return (pays ? denseMetric(covariance, dimension) : undefined) ??
    diagonalMetric(diagonalOf(covariance, dimension));
}

/** The diagonal of a `[d, d]` matrix. */
export function diagonalOf(matrix: Float64Array, dimension: number): Float64Array {
  return Float64Array.from({ length: dimension }, (_, i) => matrix[i * dimension + i]);
}

/** The largest absolute correlation of a covariance `[d, d]`. */
function largestCorrelation(covariance: Float64Array, dimension: number): number {
  const scale = diagonalOf(covariance, dimension).map(Math.sqrt);
  let largest = 0;
  for (let i = 0; i < dimension; i++) {
    for (let j = 0; j < i; j++) {
      const r = Math.abs(covariance[i * dimension + j]) / (scale[i] * scale[j]);
      if (r > largest) largest = r;
    }
  }
  return largest;
}
