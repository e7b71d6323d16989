/** Kernels of matrix products, by tiles of a few rows and eight columns. */
import { f32, f32x4, i32, increase, Kernel, range, sequence, when } from "../assembler.ts";
import type { Code, Local, Statement } from "../assembler.ts";
import { bytes, columnsOfTile, rowsOfTile } from "./packing.ts";

// C[M, N] = A[M, K] B[K, N], where B has been packed into panels of eight columns, so that the
// innermost loop reads it in order. A is read by rows where it is stored by rows; where its
// transpose is stored, it is packed into panels of four rows first. Sizes are counts of numbers;
// `…Stride` are distances of rows in bytes. Each output is one sum over k in rising order.

/** Rows of a tile where A is stored by rows: more would not leave all sums in registers. */
const unpackedRows = 5;
/** Rows of A that pass one panel of B before the next: they stay in a near cache. */
const rowBlock = 60;

/** Access of a tile to the numbers of A of step k. */
interface LeftOperand {
  /** Run before a tile, whose first row is `i`. */
  begin(i: Local<"i32">): Statement;
  /** A[i + row, k + ahead] in all lanes. */
  load(row: number, ahead: number): Code<"v128">;
  /** Advances by so many k. */
  advance(steps: number): Statement;
}

/** A stored by rows; rows beyond the last are read as the last, and not written. */
function byRows(kernel: Kernel, a: Local<"i32">, stride: Local<"i32">, rows: Local<"i32">) {
  const pointers = kernel.locals("i32", unpackedRows);
  const last = i32.sub(rows.get, i32.of(1));
  const operand: LeftOperand = {
    begin: (i) =>
      sequence(...pointers.map((pointer, r) => {
        const row = i32.add(i.get, i32.of(r));
        const clamped = i32.select(row, last, i32.lt(row, rows.get));
        return pointer.set(i32.add(a.get, i32.mul(clamped, stride.get)));
      })),
    load: (row, ahead) => f32x4.loadSplat(pointers[row].get, 4 * ahead),
    advance: (steps) => sequence(...pointers.map((one) => increase(one, i32.of(4 * steps)))),
  };
  return operand;
}

/** A packed into panels of four rows, each of `depth` numbers per row. */
function byPanels(kernel: Kernel, a: Local<"i32">, depth: Local<"i32">): LeftOperand {
  const pointer = kernel.local("i32");
  return {
    begin: (i) => pointer.set(i32.add(a.get, bytes(i32.mul(i.get, depth.get)))),
    load: (row, ahead) => f32x4.loadSplat(pointer.get, 4 * row + 4 * rowsOfTile * ahead),
    advance: (steps) => increase(pointer, i32.of(4 * rowsOfTile * steps)),
  };
}

/** The sums of one tile, added to the initial values of `sums`. */
function tileSums(
  kernel: Kernel,
  sums: readonly Local<"v128">[],
  left: LeftOperand,
  right: Local<"i32">,
  depth: Local<"i32">,
): Statement {
  const [k, whole] = kernel.locals("i32", 2);
  const [low, high, a] = kernel.locals("v128", 3);
  const step = (ahead: number): Statement =>
    sequence(
      low.set(f32x4.load(right.get, 4 * columnsOfTile * ahead)),
      high.set(f32x4.load(right.get, 4 * columnsOfTile * ahead + 16)),
      ...Array.from({ length: sums.length / 2 }, (_, r) =>
        sequence(
          a.set(left.load(r, ahead)),
          sums[2 * r].set(f32x4.add(sums[2 * r].get, f32x4.mul(a.get, low.get))),
          sums[2 * r + 1].set(f32x4.add(sums[2 * r + 1].get, f32x4.mul(a.get, high.get))),
        )),
    );
  const advance = (steps: number) =>
    sequence(left.advance(steps), increase(right, i32.of(4 * columnsOfTile * steps)));
  return sequence(
    whole.set(i32.and(depth.get, i32.of(-4))),
    range(k, i32.of(0), whole.get, 4, step(0), step(1), step(2), step(3), advance(4)),
    range(k, whole.get, depth.get, 1, step(0), advance(1)),
  );
}

/** Target of a tile, with its bias and slope, and whether the tile is added to it. */
interface TileOutput {
  readonly c: Local<"i32">;
  readonly stride: Local<"i32">;
  readonly rows: Local<"i32">;
  readonly columns: Local<"i32">;
  readonly bias: Local<"i32">;
  readonly accumulate: Local<"i32">;
  readonly slope: Local<"f32">;
}

/** Sums begin at 0, or at the bias if there is one; a bias is padded to whole panels. */
function beginSums(sums: readonly Local<"v128">[], bias: Local<"i32">, j: Local<"i32">) {
  const at = i32.add(bias.get, bytes(j.get));
  return when(
    bias.get,
    sequence(...sums.map((sum, s) => sum.set(f32x4.load(at, s % 2 === 0 ? 0 : 16)))),
    sequence(...sums.map((sum) => sum.set(f32x4.of(0)))),
  );
}

/** Writes a tile whose eight columns all exist. */
function writeWhole(
  sums: readonly Local<"v128">[],
  out: TileOutput,
  i: Local<"i32">,
  to: Local<"i32">,
) {
  const slope = f32x4.splat(out.slope.get);
  const row = (r: number): Statement => {
    const pair = [sums[2 * r], sums[2 * r + 1]];
    return when(
      i32.lt(i32.add(i.get, i32.of(r)), out.rows.get),
      sequence(
        when(
          out.accumulate.get,
          sequence(
            ...pair.map((sum, half) => sum.set(f32x4.add(f32x4.load(to.get, 16 * half), sum.get))),
          ),
        ),
        ...pair.map((sum, half) =>
          f32x4.store(to.get, f32x4.max(sum.get, f32x4.mul(sum.get, slope)), 16 * half)
        ),
        increase(to, out.stride.get),
      ),
    );
  };
  return sequence(...Array.from({ length: sums.length / 2 }, (_, r) => row(r)));
}

/** Writes a tile at the right edge, number by number. */
function writeEdge(
  kernel: Kernel,
  sums: readonly Local<"v128">[],
  out: TileOutput,
  [i, j]: readonly Local<"i32">[],
  to: Local<"i32">,
) {
  const number = kernel.local("f32");
  const cell = (r: number, column: number): Statement =>
    when(
      i32.lt(i32.add(j.get, i32.of(column)), out.columns.get),
      sequence(
        number.set(f32x4.lane(sums[2 * r + (column >> 2)].get, column & 3)),
        when(
          out.accumulate.get,
          number.set(f32.add(f32.load(to.get, 4 * column), number.get)),
        ),
        f32.store(to.get, f32.max(number.get, f32.mul(number.get, out.slope.get)), 4 * column),
      ),
    );
  const row = (r: number): Statement =>
    when(
      i32.lt(i32.add(i.get, i32.of(r)), out.rows.get),
      sequence(
        ...Array.from({ length: columnsOfTile }, (_, column) => cell(r, column)),
        increase(to, out.stride.get),
      ),
    );
  return sequence(...Array.from({ length: sums.length / 2 }, (_, r) => row(r)));
}

/**
 * C = f(A B + bias) or f(C + A B), f(x) = max(x, slope · x): slope 1 is the identity, 0 is ReLU.
 * (a, aStride, packedB, c, cStride, M, N, K, bias or 0, accumulate, slope); `aStride` is not read
 * if A comes in panels.
 */
function multiply(name: string, panels: boolean): Kernel {
  const kernel = new Kernel(name, "none");
  const [a, aStride, b, c, stride, rows, columns, depth, bias, accumulate] = kernel.integers(10);
  const slope = kernel.parameter("f32");
  const out = { c, stride, rows, columns, bias, accumulate, slope };
  const [block, blockEnd, i, j, right, to] = kernel.locals("i32", 6);
  const tileRows = panels ? rowsOfTile : unpackedRows;
  const sums = kernel.locals("v128", 2 * tileRows);
  const left = panels ? byPanels(kernel, a, depth) : byRows(kernel, a, aStride, rows);
  const row = i32.add(c.get, i32.mul(i.get, stride.get));
  const tile = sequence(
    beginSums(sums, bias, j),
    left.begin(i),
    right.set(i32.add(b.get, bytes(i32.mul(j.get, depth.get)))),
    tileSums(kernel, sums, left, right, depth),
    to.set(i32.add(row, bytes(j.get))),
    when(
      i32.ge(i32.sub(columns.get, j.get), i32.of(columnsOfTile)),
      writeWhole(sums, out, i, to),
      writeEdge(kernel, sums, out, [i, j], to),
    ),
  );
  const next = i32.add(block.get, i32.of(rowBlock));
  return kernel.define([
    range(
      block,
      i32.of(0),
      rows.get,
      rowBlock,
      blockEnd.set(i32.select(next, rows.get, i32.lt(next, rows.get))),
      range(
        j,
        i32.of(0),
        columns.get,
        columnsOfTile,
        range(i, block.get, blockEnd.get, tileRows, tile),
      ),
    ),
  ]);
}

/**
 * Every kernel of this file.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { productKernels } from "./products.ts";
 * assert.deepEqual(productKernels().map(({ name }) => name), ["multiplyRows", "multiplyPanels"]);
 * ```
 */
export function productKernels(): Kernel[] {
  return [
    multiply("multiplyRows", false),
    multiply("multiplyPanels", true),
  ];
}
