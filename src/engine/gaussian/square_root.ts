/** Leave-one-out of a normal vector from a triangular factor of its covariance. */
import { log } from "../../base/math/elementary.ts";
import type { Slopes } from "./slopes.ts";

/**
 * Turns rows b_j of `slopes` and a diagonal t into the upper triangular T with Tᵀ T = diag(t)² + B Bᵀ,
 * by one reflection for each row of T (the QR decomposition of [diag(t); Bᵀ]; Householder 1958).
 * Squares are never formed, so that a noise of 10⁻⁴ beside a field of 10² costs no digits. `slopes`
 * are overwritten; t is not negative.
 *
 * @param t `[n]`.
 * @param slopes `[n, d]`.
 * @returns T `[n, n]`, row-major; zeros below its diagonal.
 */
export function triangularFactor(t: Float64Array, slopes: Slopes): Float64Array {
  const n = t.length;
  const { data, from, to, width } = slopes;
  const factor = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    const [begin, end] = [j * width + from[j], j * width + to[j]];
    const norm = Math.sqrt(t[j] * t[j] + dot(data, begin, begin, end - begin));
    factor[j * n + j] = norm;
    if (begin === end || norm === 0) continue;
    const turn = -1 / (norm * (norm + t[j]));
    for (let k = j + 1; k < n; k++) {
      if (to[k] <= from[j] || from[k] >= to[j]) continue;
      const at = k * width + from[j];
      const product = dot(data, begin, at, end - begin);
      factor[j * n + k] = product / norm;
      addTimes(data, at, begin, end - begin, product * turn);
      if (from[j] < from[k]) from[k] = from[j];
      if (to[j] > to[k]) to[k] = to[j];
    }
  }
  return factor;
}

/** Σ x[a + i] · x[b + i], in four sums. */
function dot(x: Float64Array, a: number, b: number, count: number): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  const whole = count - count % 4;
  let i = 0;
  for (; i < whole; i += 4) {
    s0 += x[a + i] * x[b + i];
    s1 += x[a + i + 1] * x[b + i + 1];
    s2 += x[a + i + 2] * x[b + i + 2];
    s3 += x[a + i + 3] * x[b + i + 3];
  }
  for (; i < count; i++) s0 += x[a + i] * x[b + i];
  return (s0 + s1) + (s2 + s3);
}

/** x[to + i] += factor · x[from + i]. */
function addTimes(x: Float64Array, to: number, from: number, count: number, factor: number): void {
  for (let i = 0; i < count; i++) x[to + i] += factor * x[from + i];
}

/** What leave-one-out needs of N(y; m, S), for the precision Q = S⁻¹. */
export interface Precision {
  /** log N(y; m, S), without −n/2 · log 2π. */
  readonly logDensity: number;
  /** Q (y − m) `[n]`. */
  readonly weighted: Float64Array;
  /** Q_ii `[n]`. */
  readonly diagonal: Float64Array;
  /** Q_ij. */
  entry(i: number, j: number): number;
}

/**
 * From the factor of S itself: S = diag(noise)² + A Aᵀ, with `slopes` A `[n, d]`, which are
 * overwritten. Good for any noise, also none. `undefined` where S is singular or not a number.
 */
export function precisionByRows(
  residuals: Float64Array,
  noise: Float64Array,
  slopes: Slopes,
): Precision | undefined {
  const n = residuals.length;
  const factor = triangularFactor(noise, slopes);
  const inverse = invertUpper(factor, n);
  if (!inverse) return undefined;
  // u = T⁻ᵀ r, row by row of the inverse's transpose.
  const white = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    for (let k = i; k < n; k++) white[k] += inverse[i * n + k] * residuals[i];
  }
  const weighted = new Float64Array(n);
  const diagonal = new Float64Array(n);
  let logDensity = 0;
  for (let i = 0; i < n; i++) {
    logDensity -= log(factor[i * n + i]) + 0.5 * white[i] * white[i];
    for (let k = i; k < n; k++) {
      const w = inverse[i * n + k];
      weighted[i] += w * white[k];
      diagonal[i] += w * w;
    }
  }
  const entry = (i: number, j: number) => {
    let sum = 0;
    for (let k = Math.max(i, j); k < n; k++) sum += inverse[i * n + k] * inverse[j * n + k];
    return sum;
  };
  return { logDensity, weighted, diagonal, entry };
}

/** The inverse of an upper triangular `[n, n]`; `undefined` if there is none. */
function invertUpper(t: Float64Array, n: number): Float64Array | undefined {
  const inverse = new Float64Array(n * n);
  for (let i = 0; i < n; i++) if (!(t[i * n + i] > 0 && t[i * n + i] < Infinity)) return undefined;
  for (let i = 0; i < n; i++) {
    const row = i * n;
    inverse[row + i] = 1;
    for (let m = i; m < n; m++) {
      const w = inverse[row + m] / t[m * n + m];
      inverse[row + m] = w;
      if (w === 0) continue;
      for (let k = m + 1; k < n; k++) inverse[row + k] -= w * t[m * n + k];
    }
  }
  return inverse;
}

/** 1 − h_i below which a leverage h_i is too near 1 for Q_ii = (1 − h_i) / noise_i². */
const leastFreedom = 1e-6;

/**
 * From the factor of I + Wᵀ W for W = diag(noise)⁻¹ A: for few latents and many rows (Woodbury's
 * identity). Q = diag(noise)⁻¹ (I − U Uᵀ) diag(noise)⁻¹ with U = W R⁻¹. `undefined` where a row's
 * leverage |u_i|² is so near 1 that digits are lost, and where something is no number.
 *
 * @param noise `[n]`, positive.
 * @param columns the columns of A as rows `[d, n]`; overwritten.
 * @param slopes A `[n, d]`; overwritten.
 */
export function precisionByLatents(
  residuals: Float64Array,
  noise: Float64Array,
  slopes: Slopes,
  columns: Slopes,
): Precision | undefined {
  const [n, d] = [slopes.rows, slopes.width];
  for (let i = 0; i < n; i++) slopes.scale(i, 1 / noise[i]);
  for (let k = 0; k < d; k++) {
    columns.from[k] = 0;
    columns.to[k] = n;
    for (let i = 0; i < n; i++) columns.data[k * n + i] = slopes.data[i * d + k];
  }
  const factor = triangularFactor(new Float64Array(d).fill(1), columns);
  const white = residuals.map((r, i) => r / noise[i]);
  const leverages = new Float64Array(n);
  const along = new Float64Array(d);
  const rows = new Float64Array(n * d);
  for (let i = 0; i < n; i++) {
    for (let k = slopes.from[i]; k < slopes.to[i]; k++) rows[i * d + k] = slopes.data[i * d + k];
    for (let m = slopes.from[i]; m < d; m++) {
      const u = rows[i * d + m] / factor[m * d + m];
      rows[i * d + m] = u;
      if (u === 0) continue;
      leverages[i] += u * u;
      along[m] += u * white[i];
      for (let k = m + 1; k < d; k++) rows[i * d + k] -= u * factor[m * d + k];
    }
    if (!(1 - leverages[i] > leastFreedom)) return undefined;
  }
  // The latents' posterior mean R⁻¹ Uᵀ r.
  const mean = along;
  for (let m = d - 1; m >= 0; m--) {
    for (let k = m + 1; k < d; k++) mean[m] -= factor[m * d + k] * mean[k];
    mean[m] /= factor[m * d + m];
  }
  let logDensity = 0;
  for (let m = 0; m < d; m++) logDensity -= log(factor[m * d + m]) + 0.5 * mean[m] * mean[m];
  const weighted = new Float64Array(n);
  const diagonal = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let rest = white[i];
    for (let k = slopes.from[i]; k < slopes.to[i]; k++) rest -= slopes.data[i * d + k] * mean[k];
    logDensity -= log(noise[i]) + 0.5 * rest * rest;
    weighted[i] = rest / noise[i];
    diagonal[i] = (1 - leverages[i]) / (noise[i] * noise[i]);
  }
  const entry = (i: number, j: number) => {
    let sum = i === j ? 1 : 0;
    for (let k = 0; k < d; k++) sum -= rows[i * d + k] * rows[j * d + k];
    return sum / (noise[i] * noise[j]);
  };
  return { logDensity, weighted, diagonal, entry };
}
