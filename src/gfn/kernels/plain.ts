/** The same computations in plain code and double precision, as a reference for the kernels. */
import { exp } from "../../numerics/math/mod.ts";

/** A matrix stored by rows. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly values: ArrayLike<number>;
}

/** `[rows, columns]` from a function of both indices. */
export function matrix(
  rows: number,
  columns: number,
  value: (i: number, j: number) => number,
): Matrix {
  const values = new Float64Array(rows * columns);
  values.forEach((_, at) => values[at] = value(Math.floor(at / columns), at % columns));
  return { rows, columns, values };
}

const at = (m: Matrix, i: number, j: number): number => m.values[i * m.columns + j];

function sum(count: number, term: (k: number) => number): number {
  let total = 0;
  for (let k = 0; k < count; k++) total += term(k);
  return total;
}

/** a b. */
export function product(a: Matrix, b: Matrix): Matrix {
  return matrix(a.rows, b.columns, (i, j) => sum(a.columns, (k) => at(a, i, k) * at(b, k, j)));
}

export function transpose(a: Matrix): Matrix {
  return matrix(a.columns, a.rows, (i, j) => at(a, j, i));
}

/** The scale 1 / √(mean x² + 1e-6) of each row. */
export function rowScales(x: Matrix): Float64Array {
  const mean = (i: number) => sum(x.columns, (k) => at(x, i, k) * at(x, i, k)) / x.columns;
  return Float64Array.from({ length: x.rows }, (_, i) => 1 / Math.sqrt(mean(i) + 1e-6));
}

/** RMS normalisation with a gain per column. */
export function normalised(x: Matrix, gain: ArrayLike<number>): Matrix {
  const scales = rowScales(x);
  return matrix(x.rows, x.columns, (i, j) => at(x, i, j) * scales[i] * gain[j]);
}

/** Gradients of {@linkcode normalised} with respect to x and to the gain. */
export function normalisedGradient(x: Matrix, gain: ArrayLike<number>, dy: Matrix) {
  const scales = rowScales(x);
  const unit = (i: number, j: number) => at(x, i, j) * scales[i];
  const along = Float64Array.from(
    { length: x.rows },
    (_, i) => sum(x.columns, (k) => at(dy, i, k) * gain[k] * unit(i, k)) / x.columns,
  );
  return {
    dx: matrix(x.rows, x.columns, (i, j) => {
      return scales[i] * (at(dy, i, j) * gain[j] - unit(i, j) * along[i]);
    }),
    dGain: matrix(1, x.columns, (_, j) => sum(x.rows, (i) => at(dy, i, j) * unit(i, j))),
  };
}

/** Softmax of `scale` times the first i + 1 numbers of row i; 0 beyond. */
export function causalSoftmax(scores: Matrix, scale: number): Matrix {
  const weight = (i: number, j: number) => j > i ? 0 : exp(scale * at(scores, i, j));
  return matrix(scores.rows, scores.columns, (i, j) => {
    return weight(i, j) / sum(scores.columns, (k) => weight(i, k));
  });
}

/** scale · p (dp − Σ p dp), row by row. */
export function softmaxBackward(p: Matrix, dp: Matrix, scale: number): Matrix {
  return matrix(p.rows, p.columns, (i, j) => {
    const along = sum(p.columns, (k) => at(p, i, k) * at(dp, i, k));
    return scale * at(p, i, j) * (at(dp, i, j) - along);
  });
}
