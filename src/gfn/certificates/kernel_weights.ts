/** A Gaussian process by its kernel: weights of the values, and the evidence at the best amplitude. */
import { cholesky, log, solveLower } from "../../numerics/math/mod.ts";

/** Fit of the values under a kernel. */
interface KernelWeights {
  /** K⁻¹ y `[n]`. */
  readonly weights: Float64Array;
  /** log marginal likelihood with the amplitude at its best, up to a constant; −∞ where K is not positive. */
  readonly logEvidence: number;
}

/**
 * @param kernel K with the noise on its diagonal `[n, n]`; overwritten by its factor.
 * @param y values `[n]`.
 */
export function kernelWeights(kernel: Float64Array, y: ArrayLike<number>): KernelWeights {
  const n = y.length;
  if (!cholesky(kernel, n)) return { weights: new Float64Array(n), logEvidence: -Infinity };
  const weights = Float64Array.from(y);
  solveLower(kernel, n, weights);
  let [energy, logDeterminant] = [0, 0];
  for (let i = 0; i < n; i++) {
    energy += weights[i] * weights[i];
    logDeterminant += 2 * log(kernel[i * n + i]);
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let m = i + 1; m < n; m++) weights[i] -= kernel[m * n + i] * weights[m];
    weights[i] /= kernel[i * n + i];
  }
  return { weights, logEvidence: -0.5 * (n * log(energy / n + 1e-12) + logDeterminant) };
}
