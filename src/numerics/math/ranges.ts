/** Sums over stretches of arrays. */

/**
 * out[s] += factor · values[offset + s] for s in `from .. to`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { addTimes } from "./ranges.ts";
 * const out = Float64Array.of(1, 1, 1);
 * addTimes(out, 2, Float64Array.of(9, 10, 20, 30), 1, 1, 3);
 * assert.deepEqual([...out], [1, 41, 61]);
 * ```
 */
export function addTimes(
  out: Float64Array,
  factor: number,
  values: Float64Array,
  offset: number,
  from: number,
  to: number,
): void {
  for (let s = from; s < to; s++) out[s] += factor * values[offset + s];
}

/**
 * The largest of the values; −∞ of none.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { largest } from "./ranges.ts";
 * assert.equal(largest(Float64Array.of(-3, 2, 1)), 2);
 * ```
 */
export function largest(values: Float64Array): number {
  let top = -Infinity;
  for (let s = 0; s < values.length; s++) if (values[s] > top) top = values[s];
  return top;
}

/**
 * Copies column `j` of a matrix with `columns` columns, row after row, into the beginning of `out`.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { takeColumn } from "./ranges.ts";
 * const out = new Float64Array(2);
 * takeColumn(Float64Array.of(1, 2, 3, 4), 1, 2, out);
 * assert.deepEqual([...out], [2, 4]);
 * ```
 */
export function takeColumn(
  matrix: Float64Array,
  j: number,
  columns: number,
  out: Float64Array,
  from: number = 0,
): void {
  for (let at = j, s = from; at < matrix.length; at += columns, s++) out[s] = matrix[at];
}

/**
 * Σ a_s for s in `from .. to`, in four partial sums.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { sumRange } from "./ranges.ts";
 * assert.equal(sumRange(Float64Array.of(9, 1, 3, 9), 1, 3), 4);
 * ```
 */
export function sumRange(values: Float64Array, from: number, to: number): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let s = from;
  for (; s + 4 <= to; s += 4) {
    s0 += values[s];
    s1 += values[s + 1];
    s2 += values[s + 2];
    s3 += values[s + 3];
  }
  for (; s < to; s++) s0 += values[s];
  return (s0 + s1) + (s2 + s3);
}

/**
 * Σ a_(i+s) b_(j+s) for s < length, in four partial sums.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { dotRange } from "./ranges.ts";
 * const [a, b] = [Float64Array.of(9, 1, 2), Float64Array.of(3, 4)];
 * assert.equal(dotRange(a, 1, b, 0, 2), 11);
 * ```
 */
export function dotRange(
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  length: number,
): number {
  let s0 = 0;
  let s1 = 0;
  let s2 = 0;
  let s3 = 0;
  let s = 0;
  for (; s + 4 <= length; s += 4) {
    s0 += a[i + s] * b[j + s];
    s1 += a[i + s + 1] * b[j + s + 1];
    s2 += a[i + s + 2] * b[j + s + 2];
    s3 += a[i + s + 3] * b[j + s + 3];
  }
  for (; s < length; s++) s0 += a[i + s] * b[j + s];
  return (s0 + s1) + (s2 + s3);
}

/**
 * Mean of the squares of values[offset .. offset + length).
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { meanSquare } from "./ranges.ts";
 * assert.equal(meanSquare(Float64Array.of(9, 1, 3), 1, 2), 5);
 * ```
 */
export function meanSquare(values: Float64Array, offset: number, length: number): number {
  return dotRange(values, offset, values, offset, length) / length;
}
