/** Matrix operations of the graph on row-major numbers, in one fixed order of summation. */
import { cholesky } from "../../../numerics/math/mod.ts";
import type { ArrayValue } from "./array_value.ts";

/**
 * `[n, k] × [k, m]` into `out` `[n, m]`; each element sums over k in the order of `sumInOrder`:
 * terms of even and of odd position apart.
 */
export function matrixProduct(a: ArrayValue, b: ArrayValue, out: Float64Array): void {
  const [n, k] = a.shape;
  const m = b.shape[1];
  const last = k - (k & 1);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < m; j++) {
      let [even, odd] = [0, 0];
      for (let l = 0; l < last; l += 2) {
        even += a.values[i * k + l] * b.values[l * m + j];
        odd += a.values[i * k + l + 1] * b.values[(l + 1) * m + j];
      }
      if (last < k) even += a.values[i * k + last] * b.values[last * m + j];
      out[i * m + j] = even + odd;
    }
  }
}

/** The lower Cholesky factor of `a` `[n, n]`, zeros above; NaN throughout if there is none. */
export function choleskyOf(a: Float64Array, n: number, out: Float64Array): void {
  out.set(a);
  if (!cholesky(out, n)) out.fill(NaN);
}

/** Solves `L X = B`, or `Lᵀ X = B`, for lower triangular `l` `[n, n]` and `b` `[n, m]`. */
export function solveTriangular(
  l: Float64Array,
  b: ArrayValue,
  transposed: boolean,
  out: Float64Array,
): void {
  const [n, m] = b.shape;
  out.set(b.values);
  for (let step = 0; step < n; step++) {
    const i = transposed ? n - 1 - step : step;
    for (let j = 0; j < m; j++) {
      let sum = out[i * m + j];
      for (let before = 0; before < step; before++) {
        const k = transposed ? n - 1 - before : before;
        sum -= (transposed ? l[k * n + i] : l[i * n + k]) * out[k * m + j];
      }
      out[i * m + j] = sum / l[i * n + i];
    }
  }
}
