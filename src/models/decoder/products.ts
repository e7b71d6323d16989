/** Matrix products of a decoder: with weights outside of the memory, and within it. */
import { roundUp } from "../../numerics/wasm/kernels/mod.ts";
import {
  type Blas,
  copyWide,
  type FrozenNumbers,
  type Operand,
  sumsRowsAlike,
} from "../../numerics/blas/mod.ts";
import type { DecoderMemory } from "./decoder_memory.ts";

/** A matrix in the memory: rows lie `stride` numbers apart. */
export interface Rows {
  /** Address in bytes. */
  readonly address: number;
  /** Numbers from one row to the next. */
  readonly stride: number;
}

/** Sizes of C[rows, columns] = A[rows, depth] op(B). */
export interface Sizes {
  /** Rows of A and C. */
  readonly rows: number;
  /** Columns of C. */
  readonly columns: number;
  /** Terms of each sum. */
  readonly depth: number;
}

/** Numbers of weights that are staged at a time: a tile and its packed copy stay in a near cache. */
const stagedNumbers = 1 << 17;
/**
 * OpenBLAS sums in other orders where it takes its kernels for a vector (one row) or for small
 * matrices, in this form those of up to 1,200 results (interface/gemm.c and
 * kernel/x86_64/sgemm_small_kernel_permit_skylakex.c of 0.3.34): such products get rows of zeros.
 */
const [fewestRows, fewestResults] = [4, 1201];

/** Terms that are summed one by one: sums of such sums round less than one long sum. */
const summedAtOnce = 256;

/**
 * Computes products with own kernels or a library. Results of a row of `affine` and `timesTransposed`
 * do not depend on the number of rows, so that a token has one score on every path; to the bit by own
 * kernels, and by libraries that sum rows alike.
 */
export class Products {
  #packed = 0;
  #packedSize = 0;
  #staged = 0;
  #stagedSize = 0;
  #isOwn = false;

  /** Stages and packs operands in `memory`. */
  constructor(readonly memory: DecoderMemory) {}

  get #blas(): Blas | undefined {
    return this.#isOwn ? undefined : this.memory.blas;
  }

  /**
   * Whether a row of products with such weights has the same bits beside any other rows. Results of a
   * device count as alike: own kernels instead would take days.
   */
  isAlike(weights: FrozenNumbers): boolean {
    const { blas, device } = this.memory;
    if (device || !blas) return true;
    return sumsRowsAlike(blas) && (weights instanceof Float32Array || !blas.hasBrainFloats);
  }

  /** Computes by own kernels during `run`, even where there is a library or device. */
  byOwnKernels(run: () => void): void {
    this.#isOwn = true;
    try {
      run();
    } finally {
      this.#isOwn = false;
    }
  }

  /**
   * C (+)= A Wᵀ for weights `[columns, depth]` outside of the memory. A library reads them where
   * they are, a device has a copy. Otherwise they are copied into the memory tile by tile, as single
   * precision: for own kernels, and for a library that does not multiply bfloat16.
   */
  affine(
    a: Rows,
    weights: FrozenNumbers,
    c: Rows,
    { rows, columns, depth }: Sizes,
    accumulate = false,
  ): void {
    const { memory } = this;
    const device = this.#isOwn ? undefined : memory.device;
    const b = { address: 0, stride: depth, transposed: true, values: weights };
    const sizes = { rows, columns, depth };
    if (device) return device.multiply(memory.buffer, { ...sizes, a, b, c, accumulate });
    const library = this.#libraryFor(weights);
    if (library) return this.#byLibrary(library, a, b, c, sizes, accumulate);
    const tile = Math.max(8, Math.floor(stagedNumbers / depth / 8) * 8);
    this.#reserve(tile * depth);
    for (let begin = 0; begin < columns; begin += tile) {
      const count = Math.min(tile, columns - begin);
      const part = weights.subarray(begin * depth, (begin + count) * depth);
      copyWide(part, memory.f32(this.#staged, part.length));
      const staged = { address: this.#staged, stride: depth };
      const target = { ...c, address: c.address + 4 * begin };
      this.timesTransposed(a, staged, target, { rows, columns: count, depth }, accumulate);
    }
  }

  /** The library, if it multiplies numbers that are held like this. */
  #libraryFor(weights: FrozenNumbers): Blas | undefined {
    const blas = this.#blas;
    return weights instanceof Float32Array || blas?.hasBrainFloats ? blas : undefined;
  }

  /** C (+)= A Bᵀ for B `[columns, depth]` in the memory. */
  timesTransposed(a: Rows, b: Rows, c: Rows, sizes: Sizes, accumulate = false): void {
    const { rows, columns, depth } = sizes;
    const [{ kernels }, blas] = [this.memory, this.#blas];
    const keep = accumulate ? 1 : 0;
    if (blas) return this.#byLibrary(blas, a, { ...b, transposed: true }, c, sizes, accumulate);
    this.#pack(Math.min(depth, summedAtOnce) * roundUp(columns, 8));
    for (let begin = 0; begin < depth; begin += summedAtOnce) {
      const part = Math.min(summedAtOnce, depth - begin);
      const left = { ...a, address: a.address + 4 * begin };
      kernels.packTransposed(b.address + 4 * begin, 4 * b.stride, part, columns, this.#packed);
      this.#multiply(left, c, { rows, columns, depth: part }, begin > 0 ? 1 : keep);
    }
  }

  /** C (+)= A op(B) with enough rows that the library sums as it sums for many. */
  #byLibrary(blas: Blas, a: Rows, b: Operand, c: Rows, sizes: Sizes, accumulate: boolean): void {
    const { memory } = this;
    const { rows, columns, depth } = sizes;
    const enough = Math.max(fewestRows, Math.ceil(fewestResults / columns));
    if (rows >= enough) {
      return blas.multiply(memory.buffer, { ...sizes, a, b, c, accumulate });
    }
    const [left, out] = [memory.zeros(enough * depth), memory.zeros(enough * columns)];
    const [padded, result] = [{ address: left, stride: depth }, { address: out, stride: columns }];
    this.#copyRows(a, padded, rows, depth);
    if (accumulate) this.#copyRows(c, result, rows, columns);
    const product = { rows: enough, columns, depth, a: padded, b, c: result, accumulate };
    blas.multiply(memory.buffer, product);
    this.#copyRows(result, c, rows, columns);
    for (const address of [left, out]) memory.free(address);
  }

  #copyRows(from: Rows, to: Rows, rows: number, width: number): void {
    for (let row = 0; row < rows; row++) {
      const [target, source] = [to, from].map(({ address, stride }) => address + 4 * row * stride);
      this.memory.copy(target, source, width);
    }
  }

  /** C (+)= A B for B `[depth, columns]` in the memory. */
  times(a: Rows, b: Rows, c: Rows, sizes: Sizes, accumulate = false): void {
    const [{ kernels, buffer }, blas] = [this.memory, this.#blas];
    if (blas) return blas.multiply(buffer, { ...sizes, a, b, c, accumulate });
    const { columns, depth } = sizes;
    this.#pack(depth * roundUp(columns, 8));
    kernels.packPanels(b.address, 4 * b.stride, depth, columns, this.#packed);
    this.#multiply(a, c, sizes, accumulate ? 1 : 0);
  }

  /**
   * dX += dY W for weights `[depth, columns]` outside of the memory, of which no copy is kept: the
   * gradient of the input of a frozen map.
   */
  affineBackward(
    dy: Rows,
    weights: FrozenNumbers,
    dx: Rows,
    { rows, columns, depth }: Sizes,
  ): void {
    const { memory } = this;
    const library = memory.device ?? this.#libraryFor(weights);
    if (library) {
      const b = { address: 0, stride: columns, values: weights };
      const product = { rows, columns, depth, a: dy, b, c: dx, accumulate: true };
      return library.multiply(memory.buffer, product);
    }
    const tile = Math.max(8, Math.floor(stagedNumbers / columns / 8) * 8);
    this.#reserve(tile * columns);
    for (let begin = 0; begin < depth; begin += tile) {
      const count = Math.min(tile, depth - begin);
      const part = weights.subarray(begin * columns, (begin + count) * columns);
      copyWide(part, memory.f32(this.#staged, part.length));
      const left = { ...dy, address: dy.address + 4 * begin };
      const b = { address: this.#staged, stride: columns };
      this.times(left, b, dx, { rows, columns, depth: count }, true);
    }
  }

  /** C += Aᵀ B for A `[depth, rows]` and B `[depth, columns]` in the memory. */
  outer(a: Rows, b: Rows, c: Rows, sizes: Sizes): void {
    const { kernels, blas, buffer } = this.memory;
    const { rows, columns, depth } = sizes;
    if (blas) {
      const left = { ...a, transposed: true };
      return blas.multiply(buffer, { ...sizes, a: left, b, c, accumulate: true });
    }
    const most = Math.min(depth, summedAtOnce);
    this.#pack(most * (roundUp(columns, 8) + roundUp(rows, 8)));
    const packedLeft = this.#packed + 4 * most * roundUp(columns, 8);
    for (let begin = 0; begin < depth; begin += summedAtOnce) {
      const part = Math.min(summedAtOnce, depth - begin);
      const [left, right] = [a, b].map(({ address, stride }) => address + 4 * begin * stride);
      kernels.packLeft(left, 4 * a.stride, part, rows, packedLeft);
      kernels.packPanels(right, 4 * b.stride, part, columns, this.#packed);
      const out = [c.address, 4 * c.stride, rows, columns, part];
      kernels.multiplyPanels(packedLeft, 0, this.#packed, ...out, 0, 1, 1);
    }
  }

  #multiply(a: Rows, c: Rows, { rows, columns, depth }: Sizes, keep: number): void {
    const [left, out] = [[a.address, 4 * a.stride], [c.address, 4 * c.stride]];
    const sizes = [rows, columns, depth];
    this.memory.kernels.multiplyRows(...left, this.#packed, ...out, ...sizes, 0, keep, 1);
  }

  #pack(count: number): void {
    if (count <= this.#packedSize) return;
    if (this.#packed !== 0) this.memory.free(this.#packed);
    this.#packed = this.memory.allocate(this.#packedSize = count);
  }

  #reserve(count: number): void {
    if (count <= this.#stagedSize) return;
    if (this.#staged !== 0) this.memory.free(this.#staged);
    this.#staged = this.memory.allocate(this.#stagedSize = count);
  }
}
