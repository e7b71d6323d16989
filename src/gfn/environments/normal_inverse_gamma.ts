/** The marginal likelihood of a linear model with conjugate priors, in closed form. */
import { cholesky, lgamma, log, solveLower } from "../../numerics/math/mod.ts";

const log2Pi = 1.8378770664093453;

/** Sums over the data from which every sub-model is scored; columns are basis functions. */
export interface RegressionSums {
  /** Number of data. */
  readonly count: number;
  /** Number of columns K. */
  readonly width: number;
  /** `[K, K]`: ΦᵀΦ. */
  readonly gram: Float64Array;
  /** `[K]`: Φᵀy. */
  readonly projection: Float64Array;
  /** yᵀy. */
  readonly energy: number;
}

/** The sums of columns `[K][count]` and responses. */
export function regressionSums(
  columns: readonly (readonly number[])[],
  y: readonly number[],
): RegressionSums {
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + value * b[i], 0);
  return {
    count: y.length,
    width: columns.length,
    gram: Float64Array.from(columns.flatMap((a) => columns.map((b) => dot(a, b)))),
    projection: Float64Array.from(columns, (a) => dot(a, y)),
    energy: dot(y, y),
  };
}

/** Priors of one sub-model. */
interface ConjugatePriors {
  /** Shape a of the inverse gamma prior of the noise variance. */
  readonly shape: number;
  /** Scale b of it. */
  readonly scale: number;
  /** Columns that take part. */
  readonly columns: readonly number[];
  /** Standard deviation of each of their coefficients, in units of the noise. */
  readonly widths: readonly number[];
}

/**
 * log p(y) of y ~ Normal(Φ β, σ²), β_j | σ² ~ Normal(0, s_j² σ²), σ² ~ InverseGamma(a, b):
 *
 *     − n/2 log 2π + ½ (log |V_n| − log |V_0|) + a log b − a_n log b_n + log Γ(a_n) − log Γ(a)
 *
 * with V_0 = diag(s²), V_n⁻¹ = V_0⁻¹ + ΦᵀΦ, a_n = a + n/2, b_n = b + ½ (yᵀy − yᵀΦ V_n Φᵀy)
 * (Murphy 2012, Machine Learning: A Probabilistic Perspective, section 7.6.3).
 */
export function logMarginalLikelihood(sums: RegressionSums, priors: ConjugatePriors): number {
  const { shape, scale, columns, widths } = priors;
  const k = columns.length;
  const precision = new Float64Array(k * k);
  const explained = new Float64Array(k);
  let logPriorVolume = 0;
  columns.forEach((column, i) => {
    columns.forEach((other, j) => {
      precision[i * k + j] = sums.gram[column * sums.width + other];
    });
    precision[i * k + i] += 1 / (widths[i] * widths[i]);
    explained[i] = sums.projection[column];
    logPriorVolume += log(widths[i]);
  });
  if (!cholesky(precision, k)) throw new Error("internal: the precision is not positive definite");
  solveLower(precision, k, explained);
  let [logVolume, fit] = [0, 0];
  for (let i = 0; i < k; i++) {
    logVolume -= log(precision[i * k + i]);
    fit += explained[i] * explained[i];
  }
  const shapeAfter = shape + sums.count / 2;
  const scaleAfter = scale + (sums.energy - fit) / 2;
  return -sums.count / 2 * log2Pi + logVolume - logPriorVolume +
    shape * log(scale) - shapeAfter * log(scaleAfter) + lgamma(shapeAfter) - lgamma(shape);
}
