/** Small dense linear algebra over row-major Float64Arrays: Cholesky factors and triangular solves. */

/**
 * Overwrites the lower triangle of the symmetric `n` × `n` matrix `a` with its Cholesky factor L,
 * a = L Lᵀ, and clears the upper triangle. Returns whether `a` was positive definite; if not, its
 * contents are undefined. Each element is a sum in the order of its columns; four are made at once.
 *
 * @param least least ratio of a squared pivot to its diagonal element: cancellation makes it tiny.
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
export function cholesky(a: Float64Array, n: number, least = 0): boolean {
  for (let i = 0; i < n; i++) {
    const row = i * n;
    let k = 0;
    for (; k + 3 < i; k += 4) fourInRow(a, n, row, k);
    for (; k < i; k++) {
      const other = k * n;
      let sum = a[row + k];
      for (let m = 0; m < k; m++) sum -= a[row + m] * a[other + m];
      a[row + k] = sum / a[other + k];
    }
    const whole = a[row + i];
    let pivot = whole;
    for (let m = 0; m < i; m++) pivot -= a[row + m] * a[row + m];
    if (!(pivot > least * whole && pivot > 0 && pivot < Infinity)) return false;
    a[row + i] = Math.sqrt(pivot);
    a.fill(0, row + i + 1, row + n);
  }
  return true;
}

/** Elements k to k + 3 of a row of the factor, of which those before are known. */
function fourInRow(a: Float64Array, n: number, row: number, k: number): void {
  const first = k * n;
  const second = first + n;
  const third = second + n;
  const fourth = third + n;
  let s0 = a[row + k];
  let s1 = a[row + k + 1];
  let s2 = a[row + k + 2];
  let s3 = a[row + k + 3];
  for (let m = 0; m < k; m++) {
    const x = a[row + m];
    s0 -= x * a[first + m];
    s1 -= x * a[second + m];
    s2 -= x * a[third + m];
    s3 -= x * a[fourth + m];
  }
  s0 /= a[first + k];
  s1 -= s0 * a[second + k];
  s1 /= a[second + k + 1];
  s2 -= s0 * a[third + k];
  s2 -= s1 * a[third + k + 1];
  s2 /= a[third + k + 2];
  s3 -= s0 * a[fourth + k];
  s3 -= s1 * a[fourth + k + 1];
  s3 -= s2 * a[fourth + k + 2];
  s3 /= a[fourth + k + 3];
  a[row + k] = s0;
  a[row + k + 1] = s1;
  a[row + k + 2] = s2;
  a[row + k + 3] = s3;
}

/**
 * Solves L x = b in place; `lower` is a Cholesky factor, b is `x[offset .. offset + n)`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { solveLower } from "./linalg.ts";
 * const x = Float64Array.of(2, 7);
 * solveLower(Float64Array.of(2, 0, 3, 4), 2, x);
 * assert.deepEqual([...x], [1, 1]);
 * ```
 */
export function solveLower(lower: Float64Array, n: number, x: Float64Array, offset = 0): void {
  for (let i = 0; i < n; i++) {
    let sum = x[offset + i];
    for (let k = 0; k < i; k++) sum -= lower[i * n + k] * x[offset + k];
    x[offset + i] = sum / lower[i * n + i];
  }
}

/**
 * Solves Lᵀ x = b in place; `lower` is a Cholesky factor, b is `x[offset .. offset + n)`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { solveUpper } from "./linalg.ts";
 * const x = Float64Array.of(5, 4);
 * solveUpper(Float64Array.of(2, 0, 3, 4), 2, x); // Lᵀ = [[2, 3], [0, 4]]
 * assert.deepEqual([...x], [1, 1]);
 * ```
 */
export function solveUpper(lower: Float64Array, n: number, x: Float64Array, offset = 0): void {
  for (let i = n - 1; i >= 0; i--) {
    let sum = x[offset + i];
    for (let k = i + 1; k < n; k++) sum -= lower[k * n + i] * x[offset + k];
    x[offset + i] = sum / lower[i * n + i];
  }
}

/**
 * The inverse of the matrix whose Cholesky factor is `lower`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { inverseFromCholesky } from "./linalg.ts";
 * const lower = Float64Array.of(2, 0, 0, 4); // of [[4, 0], [0, 16]]
 * assert.deepEqual([...inverseFromCholesky(lower, 2)], [0.25, 0, 0, 0.0625]);
 * ```
 */
export function inverseFromCholesky(lower: Float64Array, n: number): Float64Array {
  const inverse = new Float64Array(n * n);
  for (let j = 0; j < n; j++) {
    inverse[j * n + j] = 1;
    solveLower(lower, n, inverse, j * n);
    solveUpper(lower, n, inverse, j * n);
  }
  return inverse;
}
