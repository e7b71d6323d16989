/** Calls a library that sums rows of a block in several orders so that it sums each row alike. */
import type { Blas, Operand, Product } from "./blas.ts";
import { sumsRowsAlike } from "./rows_alike.ts";

/** Rows that kernels take at once, and how many of those behind may be left over. */
const [block, over] = [12, 3];
/** Columns at either end of a stretch, where half of a block's rows have other sums. */
const edge = 8;
/** Columns kept of a stretch. With its edges it is no more than is packed at a time (320). */
const kept = 304;

/** A stretch of columns that is computed at once, and the part of it that is kept. */
interface Stretch {
  readonly begin: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

const known = new WeakMap<Blas, Blas>();

/**
 * The library, called so that a row of a product with a transposed matrix has the same bits
 * beside any rows; the library itself where no such call is known. Tested once for a library.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { summedAlike } from "./alike_rows.ts";
 * const zeros = { name: "zeros", multiply: () => {} };
 * assert.equal(summedAlike(zeros), zeros);
 * ```
 */
export function summedAlike(blas: Blas): Blas {
  const found = known.get(blas) ?? wayTo(blas);
  known.set(blas, found);
  return found;
}

function wayTo(blas: Blas): Blas {
  if (sumsRowsAlike(blas)) return blas;
  const alike = new AlikeRows(blas);
  return sumsRowsAlike(alike) ? alike : blas;
}

/**
 * Rows in whole blocks, filled up with zeros, and columns by stretches whose edges are left out.
 * OpenBLAS's kernels with AVX2 (kernel/x86_64/sgemm_kernel_8x4_haswell_2.c of 0.3.34) have one sum for
 * a result in a block of twelve rows by sixteen columns, for eight columns alone and for one to three
 * rows; two sums, of even and of odd terms, for four or eight rows, and for six of twelve rows in the
 * eight columns at either end of a packed block. Only results with one sum are kept. Products
 * with a plain second matrix go to the library as they are.
 */
class AlikeRows implements Blas {
  readonly name: string;
  readonly hasBrainFloats?: boolean;
  #rows = new Float32Array(0);
  #stretch = new Float32Array(0);

  constructor(readonly library: Blas) {
    this.name = library.name;
    if (library.hasBrainFloats) this.hasBrainFloats = true;
  }

  multiply(memory: ArrayBuffer, product: Product): void {
    const { rows, columns, a, b } = product;
    if (a.transposed || !b.transposed || b.values instanceof Uint16Array) {
      return this.library.multiply(memory, product);
    }
    const left = rows % block;
    const whole = { ...product, rows: left <= over ? rows : rows + block - left };
    const filled = whole.rows === rows ? a : this.#filled(memory, product, whole.rows);
    for (const stretch of stretchesOf(columns)) {
      this.#multiply(memory, { ...whole, a: filled }, rows, stretch);
    }
  }

  /** The rows of A outside of the memory, behind them rows of zeros. */
  #filled(memory: ArrayBuffer, { a, rows, depth }: Product, whole: number): Operand {
    this.#rows = enough(this.#rows, whole * depth).fill(0, rows * depth, whole * depth);
    const from = numbersOf(memory, a);
    for (let row = 0; row < rows; row++) {
      const begin = row * a.stride;
      this.#rows.set(from.subarray(begin, begin + depth), row * depth);
    }
    return { address: 0, stride: depth, values: this.#rows };
  }

  /** Some columns of the first rows of C. */
  #multiply(memory: ArrayBuffer, whole: Product, rows: number, stretch: Stretch): void {
    const { begin, end, from, to } = stretch;
    const columns = end - begin;
    const b = { ...whole.b, address: whole.b.address + 4 * begin * whole.b.stride };
    const target = new Float32Array(memory, whole.c.address);
    const { stride } = whole.c;
    const out = this.#stretch = enough(this.#stretch, whole.rows * columns);
    if (whole.accumulate) copy(target, begin, stride, out, 0, columns, rows, columns);
    const c = { address: 0, stride: columns, values: out };
    this.library.multiply(memory, { ...whole, columns, b, c });
    copy(out, from - begin, columns, target, from, stride, rows, to - from);
  }
}

/** Stretches of a product's columns: eight alone at either end, long ones without their edges between. */
function stretchesOf(columns: number): Stretch[] {
  const alone = (begin: number, from = begin) => {
    const end = Math.min(begin + edge, columns);
    return { begin, end, from, to: end };
  };
  const even = columns - columns % edge;
  if (even === 0) return [alone(0)];
  const stretches: Stretch[] = [alone(0)];
  for (let from = edge; from < even - edge; from += kept) {
    const to = Math.min(from + kept, even - edge);
    stretches.push({ begin: from - edge, end: to + edge, from, to });
  }
  if (even > edge) stretches.push(alone(even - edge));
  if (even < columns) stretches.push(alone(columns - edge, even));
  return stretches;
}

/** Copies a part of some rows that lie `stride` numbers apart. */
function copy(
  source: Float32Array,
  begin: number,
  stride: number,
  target: Float32Array,
  at: number,
  apart: number,
  rows: number,
  width: number,
): void {
  for (let row = 0; row < rows; row++) {
    const first = begin + row * stride;
    target.set(source.subarray(first, first + width), at + row * apart);
  }
}

function numbersOf(memory: ArrayBuffer, { values, address }: Operand): Float32Array {
  if (!values) return new Float32Array(memory, address);
  return (values as Float32Array).subarray(address / 4);
}

/** An array that holds so many numbers: this one, if it does. */
function enough(array: Float32Array<ArrayBuffer>, count: number): Float32Array<ArrayBuffer> {
  return array.length >= count ? array : new Float32Array(count);
}
