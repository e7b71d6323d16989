/** Shapes of arrays: NumPy's broadcasting rules, sizes, strides and flat indices. */

/** Extents from the slowest axis to the fastest; `[]` is a scalar. Arrays are row-major. */
export type Shape = readonly number[];

/** Number of elements. */
export function sizeOf(shape: Shape): number {
  let size = 1;
  for (const extent of shape) size *= extent;
  return size;
}

/** Whether two shapes are the same. */
export function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((extent, i) => extent === b[i]);
}

/**
 * The shape to which all of these broadcast by NumPy's rules, or undefined if they do not.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { broadcastShapes } from "./shape.ts";
 * assert.deepEqual(broadcastShapes([5, 1], [3]), [5, 3]);
 * assert.equal(broadcastShapes([5], [3]), undefined);
 * ```
 */
export function broadcastShapes(...shapes: readonly Shape[]): Shape | undefined {
  let rank = 0;
  for (const shape of shapes) rank = Math.max(rank, shape.length);
  const result = new Array<number>(rank).fill(1);
  for (const shape of shapes) {
    const shift = rank - shape.length;
    for (let i = 0; i < shape.length; i++) {
      if (shape[i] === 1 || shape[i] === result[shift + i]) continue;
      if (result[shift + i] !== 1) return undefined;
      result[shift + i] = shape[i];
    }
  }
  return result;
}

/** Row-major strides, in elements. */
export function stridesOf(shape: Shape): number[] {
  const strides = new Array<number>(shape.length);
  let stride = 1;
  for (let i = shape.length - 1; i >= 0; i--) {
    strides[i] = stride;
    stride *= shape[i];
  }
  return strides;
}

/** For each element of `to`, the flat index of the element of `from` that broadcasts there. */
export function broadcastIndex(from: Shape, to: Shape): Int32Array {
  const index = new Int32Array(sizeOf(to));
  const shift = to.length - from.length;
  const strides = stridesOf(from).map((stride, i) => (from[i] === 1 ? 0 : stride));
  forEachIndex(to, (at, flat) => {
    let sum = 0;
    for (let i = 0; i < from.length; i++) sum += at[shift + i] * strides[i];
    index[flat] = sum;
  });
  return index;
}

/** Calls back for every multi-index of a shape, in row-major order; `at` is reused. */
export function forEachIndex(
  shape: Shape,
  visit: (at: readonly number[], flat: number) => void,
): void {
  const at = new Array<number>(shape.length).fill(0);
  const size = sizeOf(shape);
  for (let flat = 0; flat < size; flat++) {
    visit(at, flat);
    for (let i = shape.length - 1; i >= 0; i--) {
      if (++at[i] < shape[i]) break;
      at[i] = 0;
    }
  }
}

/** A shape in the words of a message: `8`, `(8, 3)`, `a number`. */
export function describeShape(shape: Shape): string {
  if (shape.length === 0) return "a number";
  return shape.length === 1 ? `shape (${shape[0]},)` : `shape (${shape.join(", ")})`;
}
