/** A standard normal vector under one normal factor for each row: posterior of the rows' predictors. */
import { cholesky, log, solveLower, solveUpper } from "../../../numerics/math/mod.ts";

/** The predictors c + A ε of rows, with ε standard normal. */
export interface Predictors {
  /** c `[rows]`. */
  readonly centre: Float64Array;
  /** A `[rows, noise]`. */
  readonly slopes: Float64Array;
  /** Length of ε. */
  readonly noise: number;
}

/** N(ε; 0, I) Π exp(−½ τ_i η_i² + ν_i η_i), with η = c + A ε. */
export interface NormalSites {
  /** Mean of ε `[noise]`. */
  readonly mode: Float64Array;
  /** Cholesky factor L of the precision I + Aᵀ τ A `[noise, noise]`. */
  readonly factor: Float64Array;
  /** Sum of the logarithms of its diagonal. */
  readonly logRoot: number;
  /** A L⁻ᵀ `[rows, noise]`: how predictors move with white noise. */
  readonly moves: Float64Array;
  /** Means of the predictors `[rows]`. */
  readonly means: Float64Array;
  /** Their variances `[rows]`. */
  readonly variances: Float64Array;
}

/** The factor of I + Aᵀ τ A; `undefined` where it is not positive definite. */
export function precisionFactor(
  { slopes, noise: m }: Predictors,
  precisions: Float64Array,
): Float64Array | undefined {
  const out = new Float64Array(m * m);
  for (let k = 0; k < m; k++) out[k * m + k] = 1;
  for (let i = 0; i < precisions.length; i++) {
    const row = i * m;
    if (precisions[i] === 0) continue;
    for (let k = 0; k < m; k++) {
      const own = precisions[i] * slopes[row + k];
      if (own === 0) continue;
      for (let l = 0; l <= k; l++) out[k * m + l] += own * slopes[row + l];
    }
  }
  return cholesky(out, m) ? out : undefined;
}

/** (I + Aᵀ τ A)⁻¹ Aᵀ w, for the factor of the first. */
export function solvedFor(
  { slopes, noise: m }: Predictors,
  factor: Float64Array,
  weights: Float64Array,
): Float64Array {
  const out = new Float64Array(m);
  for (let i = 0; i < weights.length; i++) {
    for (let k = 0; k < m; k++) out[k] += weights[i] * slopes[i * m + k];
  }
  solveLower(factor, m, out);
  solveUpper(factor, m, out);
  return out;
}

/** c + A ε into `out`. */
export function predictorsAt(
  { centre, slopes, noise: m }: Predictors,
  noise: Float64Array,
  out: Float64Array,
): void {
  for (let i = 0; i < centre.length; i++) {
    let sum = centre[i];
    for (let k = 0; k < m; k++) sum += slopes[i * m + k] * noise[k];
    out[i] = sum;
  }
}

/**
 * The normal distribution with these sites.
 *
 * @param precisions τ `[rows]`, not negative.
 * @param shifts ν `[rows]`.
 */
export function normalSites(
  predictors: Predictors,
  precisions: Float64Array,
  shifts: Float64Array,
): NormalSites | undefined {
  const { centre, slopes, noise: m } = predictors;
  const factor = precisionFactor(predictors, precisions);
  if (!factor) return undefined;
  const n = centre.length;
  const weights = shifts.map((nu, i) => nu - precisions[i] * centre[i]);
  const mode = solvedFor(predictors, factor, weights);
  const means = new Float64Array(n);
  predictorsAt(predictors, mode, means);
  const moves = slopes.slice();
  const variances = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    solveLower(factor, m, moves, i * m);
    let sum = 0;
    for (let k = i * m; k < (i + 1) * m; k++) sum += moves[k] * moves[k];
    variances[i] = sum;
  }
  let logRoot = 0;
  for (let k = 0; k < m; k++) logRoot += log(factor[k * m + k]);
  return { mode, factor, logRoot, moves, means, variances };
}
