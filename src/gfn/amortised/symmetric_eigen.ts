/** Eigenvalues and eigenvectors of a small symmetric matrix, by Jacobi's rotations. */

/** Sweeps after which it is as diagonal as doubles allow. */
const mostSweeps = 12;

/**
 * Overwrites the symmetric `[n, n]` matrix `a` with a diagonal one of its eigenvalues, and gives its
 * eigenvectors as columns, `[n, n]` by rows.
 */
export function diagonalise(a: Float64Array, n: number): Float64Array {
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  for (let sweep = 0; sweep < mostSweeps; sweep++) {
    if (offDiagonal(a, n) === 0) break;
    for (let p = 0; p < n - 1; p++) {
      for (let q = p + 1; q < n; q++) rotate(a, vectors, n, p, q);
    }
  }
  return vectors;
}

/** The sum of squares beside the diagonal; 0 where it is lost in the digits of the diagonal. */
function offDiagonal(a: Float64Array, n: number): number {
  let [beside, along] = [0, 0];
  for (let i = 0; i < n; i++) {
    along += a[i * n + i] * a[i * n + i];
    for (let j = i + 1; j < n; j++) beside += a[i * n + j] * a[i * n + j];
  }
  return beside < 1e-30 * along ? 0 : beside;
}

/** Makes element (p, q) zero, on both sides. */
function rotate(a: Float64Array, vectors: Float64Array, n: number, p: number, q: number): void {
  const apq = a[p * n + q];
  if (apq === 0) return;
  const tau = (a[q * n + q] - a[p * n + p]) / (2 * apq);
  const t = (tau >= 0 ? 1 : -1) / (Math.abs(tau) + Math.sqrt(1 + tau * tau));
  const c = 1 / Math.sqrt(1 + t * t);
  const s = t * c;
  for (let k = 0; k < n; k++) turn(a, k * n + p, k * n + q, c, s);
  for (let k = 0; k < n; k++) turn(a, p * n + k, q * n + k, c, s);
  for (let k = 0; k < n; k++) turn(vectors, k * n + p, k * n + q, c, s);
}

function turn(a: Float64Array, i: number, j: number, c: number, s: number): void {
  const x = a[i];
  const y = a[j];
  a[i] = c * x - s * y;
  a[j] = s * x + c * y;
}
