/** Kernels of attention: scores, their softmax, and values mixed by it, in one order of sums. */
import {
  type Code,
  f32,
  f32x4,
  i32,
  increase,
  Kernel,
  type Local,
  range,
  sequence,
  type Statement,
  when,
} from "../../numerics/wasm/mod.ts";
import { bytes, laneSum, softmaxRow } from "../../numerics/wasm/kernels/mod.ts";

// Widths are multiples of four. Addresses and strides are in bytes, counts in numbers. Outputs of a
// row do not depend on the rows beside it: tokens one by one give the bits of all at once.

const { add, mul } = f32x4;
const zero = i32.of(0);

/**
 * Row t becomes the softmax of `scale` times its first `seen` + t numbers, 0 beyond: (scores,
 * stride, rows, seen, scale).
 */
function softmaxChunk(): Kernel {
  const kernel = new Kernel("softmaxChunk", "none");
  const [scores, stride, rows, seen] = kernel.integers(4);
  const scale = kernel.parameter("f32");
  const [t, j, padded] = kernel.locals("i32", 3);
  return kernel.define([
    range(
      t,
      zero,
      rows.get,
      1,
      softmaxRow(kernel, scores, seen, scale),
      padded.set(bytes(i32.and(i32.add(seen.get, i32.of(3)), i32.of(-4)))),
      range(j, padded.get, stride.get, 16, f32x4.store(i32.add(scores.get, j.get), f32x4.of(0))),
      increase(scores, stride.get),
      increase(seen, i32.of(1)),
    ),
  ]);
}

/** Rows and columns of a tile of `dotTiles`: its sums stay in registers. */
const [dotTileRows, dotTileColumns] = [4, 2];

/**
 * y[r, c] = Σₖ x[r, k] w[c, k], each sum on four lanes for any number of rows and columns:
 * (x, xStride, w, wStride, y, yStride, rows, columns, depth).
 */
function dotTiles(): Kernel {
  const kernel = new Kernel("dotTiles", "none");
  const [x, xStride, w, wStride, y, yStride, rows, count, depth] = kernel.integers(9);
  const [c, r, k, end, to] = kernel.locals("i32", 5);
  const left = kernel.locals("i32", dotTileRows);
  const right = kernel.locals("i32", dotTileColumns);
  const sums = kernel.locals("v128", dotTileRows * dotTileColumns);
  const [number, ...numbers] = kernel.locals("v128", 1 + dotTileColumns);
  const sum = kernel.local("f32");
  const at = (base: Local<"i32">) => i32.add(base.get, k.get);
  const clamped = (index: Code<"i32">, length: Local<"i32">) =>
    i32.select(index, i32.sub(length.get, i32.of(1)), i32.lt(index, length.get));
  const begin = (
    pointers: readonly Local<"i32">[],
    base: Local<"i32">,
    first: Local<"i32">,
    length: Local<"i32">,
    stride: Local<"i32">,
  ) =>
    pointers.map((pointer, i) => {
      const row = clamped(i32.add(first.get, i32.of(i)), length);
      return pointer.set(i32.add(base.get, i32.mul(row, stride.get)));
    });
  const step = sequence(
    ...numbers.map((one, j) => one.set(f32x4.load(at(right[j])))),
    ...left.map((pointer, i) =>
      sequence(
        number.set(f32x4.load(at(pointer))),
        ...numbers.map((one, j) => {
          const total = sums[dotTileColumns * i + j];
          return total.set(add(total.get, mul(number.get, one.get)));
        }),
      )
    ),
  );
  const cell = (i: number, j: number) =>
    when(
      i32.and(
        i32.lt(i32.add(r.get, i32.of(i)), rows.get),
        i32.lt(i32.add(c.get, i32.of(j)), count.get),
      ),
      sequence(
        sum.set(laneSum(sums[dotTileColumns * i + j])),
        f32.store(to.get, sum.get, 4 * j),
      ),
    );
  const columnsOfTile = Array.from({ length: dotTileColumns }, (_, j) => j);
  return kernel.define([
    end.set(bytes(depth.get)),
    range(
      c,
      zero,
      count.get,
      dotTileColumns,
      ...begin(right, w, c, count, wStride),
      range(
        r,
        zero,
        rows.get,
        dotTileRows,
        ...begin(left, x, r, rows, xStride),
        ...sums.map((one) => one.set(f32x4.of(0))),
        range(k, zero, end.get, 16, step),
        to.set(i32.add(i32.add(y.get, i32.mul(r.get, yStride.get)), bytes(c.get))),
        ...left.map((_, i) =>
          sequence(...columnsOfTile.map((j) => cell(i, j)), increase(to, yStride.get))
        ),
      ),
    ),
  ]);
}

/** Rows of a tile of `mixRows`. */
const mixedRows = 5;

/**
 * y[r, c] = Σₖ x[r, k] w[k, c], each a sum over k in rising order: (x, xStride, w, wStride, y,
 * yStride, rows, columns, depth); `columns` is a multiple of eight.
 */
function mixRows(): Kernel {
  const kernel = new Kernel("mixRows", "none");
  const [x, xStride, w, wStride, y, yStride, rows, count, depth] = kernel.integers(9);
  const [c, r, k, from, to] = kernel.locals("i32", 5);
  const left = kernel.locals("i32", mixedRows);
  const sums = kernel.locals("v128", 2 * mixedRows);
  const [low, high, number] = kernel.locals("v128", 3);
  const last = i32.sub(rows.get, i32.of(1));
  const begin = left.map((pointer, i) => {
    const row = i32.add(r.get, i32.of(i));
    const clamped = i32.select(row, last, i32.lt(row, rows.get));
    return pointer.set(i32.add(x.get, i32.mul(clamped, xStride.get)));
  });
  const step = sequence(
    low.set(f32x4.load(from.get)),
    high.set(f32x4.load(from.get, 16)),
    ...left.map((pointer, i) =>
      sequence(
        number.set(f32x4.loadSplat(pointer.get)),
        sums[2 * i].set(add(sums[2 * i].get, mul(number.get, low.get))),
        sums[2 * i + 1].set(add(sums[2 * i + 1].get, mul(number.get, high.get))),
        increase(pointer, i32.of(4)),
      )
    ),
    increase(from, wStride.get),
  );
  const write = (i: number) =>
    when(
      i32.lt(i32.add(r.get, i32.of(i)), rows.get),
      sequence(
        f32x4.store(to.get, sums[2 * i].get),
        f32x4.store(to.get, sums[2 * i + 1].get, 16),
        increase(to, yStride.get),
      ),
    );
  return kernel.define([
    range(
      c,
      zero,
      count.get,
      8,
      range(
        r,
        zero,
        rows.get,
        mixedRows,
        ...begin,
        ...sums.map((one) => one.set(f32x4.of(0))),
        from.set(i32.add(w.get, bytes(c.get))),
        range(k, zero, depth.get, 1, step),
        to.set(i32.add(i32.add(y.get, i32.mul(r.get, yStride.get)), bytes(c.get))),
        ...left.map((_, i) => write(i)),
      ),
    ),
  ]);
}

/**
 * Attention of one position, for the heads that share keys and values `[count, size]`: (query, keys,
 * values, count, heads, size, scratch, out, scale). Heads of `query` and `out` lie side by side;
 * `size` is a multiple of eight, `scratch` has room for `count` + 3 numbers. Sums are in the order of
 * `dotTiles` and `mixRows`.
 */
function attendOne(): Kernel {
  const kernel = new Kernel("attendOne", "none");
  const [query, keys, values, count, heads, size, scratch, out] = kernel.integers(8);
  const scale = kernel.parameter("f32");
  const [head, t, k, from, bytesOfRow] = kernel.locals("i32", 5);
  const [low, high, weight] = kernel.locals("v128", 3);
  const at = (base: Local<"i32">) => i32.add(base.get, k.get);
  const each = (...body: readonly Statement[]) => range(k, zero, bytesOfRow.get, 32, ...body);
  const clear = sequence(low.set(f32x4.of(0)), high.set(f32x4.of(0)));
  const score = i32.add(scratch.get, bytes(t.get));
  const along = (begin: Code<"i32">, ...body: readonly Statement[]) =>
    sequence(
      from.set(begin),
      range(t, zero, count.get, 1, ...body, increase(from, bytesOfRow.get)),
    );
  const term = (part: number) =>
    low.set(add(low.get, mul(f32x4.load(at(query), part), f32x4.load(at(from), part))));
  const weighted = (sum: Local<"v128">, part: number) =>
    sum.set(add(sum.get, mul(weight.get, f32x4.load(from.get, part))));
  return kernel.define([
    bytesOfRow.set(bytes(size.get)),
    range(
      head,
      zero,
      heads.get,
      1,
      along(
        keys.get,
        clear,
        each(term(0), term(16)),
        f32.store(score, laneSum(low)),
      ),
      softmaxRow(kernel, scratch, count, scale),
      each(
        clear,
        along(
          at(values),
          weight.set(f32x4.loadSplat(score)),
          weighted(low, 0),
          weighted(high, 16),
        ),
        f32x4.store(at(out), low.get),
        f32x4.store(at(out), high.get, 16),
      ),
      ...[query, out].map((one) => increase(one, bytesOfRow.get)),
    ),
  ]);
}

/** Names of the kernels of this file. */
export const attentionKernelNames = ["softmaxChunk", "dotTiles", "mixRows", "attendOne"] as const;

/** Every kernel of this file. */
export function attentionKernels(): Kernel[] {
  return [softmaxChunk(), dotTiles(), mixRows(), attendOne()];
}
