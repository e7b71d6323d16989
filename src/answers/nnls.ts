/** Least squares without negative coefficients. */

/**
 * The minimum of xᵀGx − 2bᵀx over x ≥ 0, by the active sets of Lawson and Hanson (1974), Solving
 * Least Squares Problems, ch. 23, on the normal equations. Columns that repeat one another share by
 * a small ridge.
 *
 * @param gram `[n, n]`, symmetric and positive semidefinite.
 * @param right `[n]`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { nonNegativeLeastSquares } from "./nnls.ts";
 * const x = nonNegativeLeastSquares(Float64Array.of(1, 0, 0, 1), Float64Array.of(2, -1));
 * assert.ok(Math.abs(x[0] - 2) < 1e-9 && x[1] === 0);
 * ```
 */
export function nonNegativeLeastSquares(gram: Float64Array, right: Float64Array): Float64Array {
  const n = right.length;
  const x = new Float64Array(n);
  const active: number[] = [];
  const scale = Math.max(...Array.from({ length: n }, (_, i) => gram[i * n + i]), 1e-300);
  for (let round = 0; round < 3 * n + 10; round++) {
    const next = steepest(gram, right, x, active, 1e-12 * scale);
    if (next < 0) break;
    active.push(next);
    for (;;) {
      const free = solved(gram, right, active, 1e-13 * scale);
      const blocking = step(x, free, active);
      if (!blocking) break;
      for (let i = active.length - 1; i >= 0; i--) if (x[active[i]] === 0) active.splice(i, 1);
      if (active.length === 0) break;
    }
  }
  return x;
}

/** The coefficient at 0 that lowers the sum the most, or −1 if none does. */
function steepest(
  gram: Float64Array,
  right: Float64Array,
  x: Float64Array,
  active: readonly number[],
  least: number,
): number {
  const n = right.length;
  let best = -1;
  let most = least;
  for (let i = 0; i < n; i++) {
    if (active.includes(i)) continue;
    let slope = right[i];
    for (const j of active) slope -= gram[i * n + j] * x[j];
    if (slope > most) [best, most] = [i, slope];
  }
  return best;
}

/** The unconstrained minimum over the active coefficients, by Cholesky. */
function solved(
  gram: Float64Array,
  right: Float64Array,
  active: readonly number[],
  ridge: number,
): Float64Array {
  const [n, m] = [right.length, active.length];
  const factor = new Float64Array(m * m);
  const y = new Float64Array(m);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = gram[active[i] * n + active[j]] + (i === j ? ridge : 0);
      for (let l = 0; l < j; l++) sum -= factor[i * m + l] * factor[j * m + l];
      factor[i * m + j] = i === j ? Math.sqrt(Math.max(sum, ridge)) : sum / factor[j * m + j];
    }
    let sum = right[active[i]];
    for (let l = 0; l < i; l++) sum -= factor[i * m + l] * y[l];
    y[i] = sum / factor[i * m + i];
  }
  for (let i = m - 1; i >= 0; i--) {
    for (let l = i + 1; l < m; l++) y[i] -= factor[l * m + i] * y[l];
    y[i] /= factor[i * m + i];
  }
  return y;
}

/** Moves to the solution, or as far as signs allow; true if some coefficient reached 0 before. */
function step(x: Float64Array, free: Float64Array, active: readonly number[]): boolean {
  let share = 1;
  let first = -1;
  active.forEach((i, a) => {
    if (free[a] > 0) return;
    const own = x[i] / (x[i] - free[a]);
    if (own < share || first < 0) [share, first] = [Math.min(share, own), a];
  });
  active.forEach((i, a) => x[i] += share * (free[a] - x[i]));
  if (first < 0) return false;
  active.forEach((i, a) => {
    if (a === first || x[i] <= 0) x[i] = 0;
  });
  return true;
}
