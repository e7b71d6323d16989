/** Kernels that pack operands of matrix products into panels. */
import { f32, f32x4, i32, increase, Kernel, range, sequence, v128, when } from "../assembler.ts";
import type { Code, Local, Statement } from "../assembler.ts";

// A panel holds a few rows (of the left operand) or columns (of the right one), k by k, so that the
// innermost loop of a product reads it in order; the last one is filled up with zeros.

/** Rows of a packed panel of the left operand. */
export const rowsOfTile = 4;
/** Columns of a packed panel of the right operand. */
export const columnsOfTile = 8;

/**
 * The bytes of so many numbers.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { assemble, Kernel } from "../assembler.ts";
 * import { bytes } from "./packing.ts";
 * const kernel = new Kernel("bytesOf", "i32");
 * const [count] = kernel.integers(1);
 * kernel.define([], bytes(count.get));
 * const host = { memory: new WebAssembly.Memory({ initial: 1 }) };
 * const made = new WebAssembly.Instance(new WebAssembly.Module(assemble([kernel])), { host });
 * const { bytesOf } = made.exports as Record<string, (...of: number[]) => number>;
 * assert.equal(bytesOf(3), 12); // of single precision
 * ```
 */
export const bytes = (count: Code<"i32">): Code<"i32"> => i32.shl(count, i32.of(2));

/** Copies `count` numbers from `source`, a step apart, to `target`, the rest of `width` zeros. */
function copyEdge(
  kernel: Kernel,
  target: Code<"i32">,
  source: Local<"i32">,
  step: Code<"i32">,
  count: Local<"i32">,
  width: number,
): Statement {
  const [j, from] = kernel.locals("i32", 2);
  const at = i32.add(target, bytes(j.get));
  return sequence(
    from.set(source.get),
    range(
      j,
      i32.of(0),
      i32.of(width),
      1,
      when(
        i32.lt(j.get, count.get),
        f32.store(at, f32.load(from.get)),
        f32.store(at, f32.of(0)),
      ),
      when(i32.lt(j.get, i32.sub(count.get, i32.of(1))), increase(from, step)),
    ),
  );
}

/**
 * Packs `[depth, count]`, stored by rows, into panels of `width` columns: (source, stride, depth,
 * count, target).
 */
function packRows(name: string, width: number): Kernel {
  const kernel = new Kernel(name, "none");
  const [source, stride, depth, count, target] = kernel.integers(5);
  const [panel, k, from, to, rest] = kernel.locals("i32", 5);
  const vectors = Array.from(
    { length: width / 4 },
    (_, v) => f32x4.store(to.get, f32x4.load(from.get, 16 * v), 16 * v),
  );
  const advance = [increase(from, stride.get), increase(to, i32.of(4 * width))];
  return kernel.define([
    to.set(target.get),
    range(
      panel,
      i32.of(0),
      count.get,
      width,
      from.set(i32.add(source.get, bytes(panel.get))),
      rest.set(i32.sub(count.get, panel.get)),
      when(
        i32.ge(rest.get, i32.of(width)),
        range(k, i32.of(0), depth.get, 1, ...vectors, ...advance),
        range(
          k,
          i32.of(0),
          depth.get,
          1,
          copyEdge(kernel, to.get, from, i32.of(4), rest, width),
          ...advance,
        ),
      ),
    ),
  ]);
}

/** The transpose of four vectors. */
function transposed(rows: readonly Code<"v128">[], spare: readonly Local<"v128">[]): {
  readonly first: Statement;
  readonly columns: readonly Code<"v128">[];
} {
  const [a, b, c, d] = spare;
  const first = sequence(
    a.set(v128.shuffle(rows[0], rows[1], [0, 4, 1, 5])),
    b.set(v128.shuffle(rows[0], rows[1], [2, 6, 3, 7])),
    c.set(v128.shuffle(rows[2], rows[3], [0, 4, 1, 5])),
    d.set(v128.shuffle(rows[2], rows[3], [2, 6, 3, 7])),
  );
  const columns = [
    v128.shuffle(a.get, c.get, [0, 1, 4, 5]),
    v128.shuffle(a.get, c.get, [2, 3, 6, 7]),
    v128.shuffle(b.get, d.get, [0, 1, 4, 5]),
    v128.shuffle(b.get, d.get, [2, 3, 6, 7]),
  ];
  return { first, columns };
}

/**
 * Packs the transpose of `[count, depth]`, stored by rows, into panels of eight columns: (source,
 * stride, depth, count, target).
 */
function packTransposed(): Kernel {
  const kernel = new Kernel("packTransposed", "none");
  const [source, stride, depth, count, target] = kernel.integers(5);
  const [panel, k, row, to, rest, whole] = kernel.locals("i32", 6);
  const pointers = kernel.locals("i32", columnsOfTile);
  const spare = kernel.locals("v128", 4);
  const four = (half: number): Statement => {
    const rows = pointers.slice(4 * half, 4 * half + 4).map((pointer) => f32x4.load(pointer.get));
    const { first, columns } = transposed(rows, spare);
    const stores = columns.map((column, i) => f32x4.store(to.get, column, 32 * i + 16 * half));
    return sequence(first, ...stores);
  };
  const setPointers = pointers.map((pointer, i) =>
    pointer.set(i32.add(row.get, i32.mul(stride.get, i32.of(i))))
  );
  const scalar = sequence(
    copyEdge(kernel, to.get, row, stride.get, rest, columnsOfTile),
    increase(row, i32.of(4)),
    increase(to, i32.of(4 * columnsOfTile)),
  );
  return kernel.define([
    to.set(target.get),
    range(
      panel,
      i32.of(0),
      count.get,
      columnsOfTile,
      row.set(i32.add(source.get, i32.mul(panel.get, stride.get))),
      rest.set(i32.sub(count.get, panel.get)),
      whole.set(i32.select(
        i32.and(depth.get, i32.of(-4)),
        i32.of(0),
        i32.ge(rest.get, i32.of(columnsOfTile)),
      )),
      ...setPointers,
      range(
        k,
        i32.of(0),
        whole.get,
        4,
        four(0),
        four(1),
        ...pointers.map((pointer) => increase(pointer, i32.of(16))),
        increase(row, i32.of(16)),
        increase(to, i32.of(16 * columnsOfTile)),
      ),
      range(k, whole.get, depth.get, 1, scalar),
    ),
  ]);
}

/**
 * Every kernel of this file.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { packingKernels } from "./packing.ts";
 * assert(packingKernels().some(({ name }) => name === "packPanels"));
 * ```
 */
export function packingKernels(): Kernel[] {
  return [
    packRows("packPanels", columnsOfTile),
    packRows("packLeft", rowsOfTile),
    packTransposed(),
  ];
}
