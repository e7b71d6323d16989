/** Tests whether a library sums a row of a product alike, independent of the rows beside it. */
import type { Blas } from "./blas.ts";

/** Columns and terms: fewer than kernels take at a time, and more, with an end of every kind. */
const shapes = [[192, 160], [667, 600]] as const;

/** Rows of products, and the place of the tested row: within and behind the blocks of kernels. */
const places = [[48, 7], [48, 8], [48, 47], [31, 28], [20, 16], [15, 14], [13, 12], [
  8,
  3,
]] as const;

const known = new WeakMap<Blas, boolean>();

/**
 * True if a row has the same bits first of 48, at other places, and among fewer rows. OpenBLAS's kernels for
 * AVX-512 do so; those with AVX2 sum the rows of a block in several orders. Tested once for a library.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { sumsRowsAlike } from "./rows_alike.ts";
 * // A library whose products are all 0 sums alike; one that counts its calls does not.
 * const numbers = (memory: ArrayBuffer) => new Float32Array(memory);
 * assert.ok(sumsRowsAlike({ name: "zeros", multiply: (memory) => numbers(memory).fill(0) }));
 * let calls = 0;
 * assert.ok(!sumsRowsAlike({ name: "calls", multiply: (memory) => numbers(memory).fill(calls++) }));
 * ```
 */
export function sumsRowsAlike(blas: Blas): boolean {
  const found = known.get(blas) ?? tried(blas);
  known.set(blas, found);
  return found;
}

function tried(blas: Blas): boolean {
  return shapes.every(([columns, depth]) => {
    const weights = numbersOf("weights", columns * depth);
    const first = rowAt(blas, weights, depth, 48, 0);
    return places.every(([rows, place]) => {
      const row = rowAt(blas, weights, depth, rows, place);
      return row.every((value, column) => value === first[column]);
    });
  });
}

/** The results of one row of numbers that stands at a place among others. */
function rowAt(
  blas: Blas,
  weights: Float32Array<ArrayBuffer>,
  depth: number,
  rows: number,
  place: number,
): Float32Array {
  const columns = weights.length / depth;
  const memory = new ArrayBuffer(4 * rows * (depth + columns));
  const numbers = new Float32Array(memory);
  numbers.set(numbersOf("others", rows * depth));
  numbers.set(numbersOf("row", depth), place * depth);
  const a = { address: 0, stride: depth };
  const b = { address: 0, stride: depth, transposed: true, values: weights };
  const c = { address: 4 * rows * depth, stride: columns };
  blas.multiply(memory, { rows, columns, depth, a, b, c, accumulate: false });
  const begin = rows * depth + place * columns;
  return numbers.slice(begin, begin + columns);
}

/** Numbers in [−0.5, 0.5) that depend on a name. */
function numbersOf(name: string, count: number): Float32Array<ArrayBuffer> {
  let state = name.length * 0x9e3779b9 >>> 0;
  return Float32Array.from({ length: count }, () => {
    state = Math.imul(state, 1664525) + 1013904223 >>> 0;
    return state / 2 ** 32 - 0.5;
  });
}
