/** Small dense linear algebra over row-major Float64Arrays: Cholesky factors and what they solve. */

/**
 * Overwrites the lower triangle of the symmetric `n` × `n` matrix `a` with its Cholesky factor L,
 * a = L Lᵀ, and clears the upper triangle. Returns whether `a` was positive definite; if not, its
 * contents are undefined.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { cholesky } from "./linalg.ts";
 * const a = Float64Array.of(4, 2, 2, 10);
 * assert.ok(cholesky(a, 2));
 * assert.deepEqual([...a], [2, 0, 1, 3]);
 * ```
 */
export function cholesky(a: Float64Array, n: number): boolean {
  for (let j = 0; j < n; j++) {
    let pivot = a[j * n + j];
    for (let k = 0; k < j; k++) pivot -= a[j * n + k] * a[j * n + k];
    if (!(pivot > 0 && pivot < Infinity)) return false;
    const root = Math.sqrt(pivot);
    a[j * n + j] = root;
    for (let i = j + 1; i < n; i++) {
      let sum = a[i * n + j];
      for (let k = 0; k < j; k++) sum -= a[i * n + k] * a[j * n + k];
      a[i * n + j] = sum / root;
      a[j * n + i] = 0;
    }
  }
  return true;
}

/** Solves L x = b in place; `lower` is a Cholesky factor, b is `x[offset .. offset + n)`. */
export function solveLower(lower: Float64Array, n: number, x: Float64Array, offset = 0): void {
  for (let i = 0; i < n; i++) {
    let sum = x[offset + i];
    for (let k = 0; k < i; k++) sum -= lower[i * n + k] * x[offset + k];
    x[offset + i] = sum / lower[i * n + i];
  }
}

/** Solves Lᵀ x = b in place; `lower` is a Cholesky factor, b is `x[offset .. offset + n)`. */
export function solveUpper(lower: Float64Array, n: number, x: Float64Array, offset = 0): void {
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[offset + i];
    for (let k = i + 1; k < n; k++) sum -= lower[k * n + i] * x[offset + k];
    x[offset + i] = sum / lower[i * n + i];
  }
}

/** The inverse of the matrix whose Cholesky factor is `lower`. */
export function inverseFromCholesky(lower: Float64Array, n: number): Float64Array {
  const inverse = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    inverse[j * n + j] = 1;
    solveLower(lower, n, inverse, j * n);
    solveUpper(lower, n, inverse, j * n);
  }
  return inverse;
}
