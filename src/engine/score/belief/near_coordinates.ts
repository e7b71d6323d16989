/** Coordinates that move together in a population, by which steps are taken in blocks. */

/** Coordinates of a block at most: a regression of one response has about as many. */
export const blockSize = 6;

/**
 * Each coordinate with those that are most correlated with it, nearest first.
 *
 * @param positions `[count, dimension]`.
 * @returns `[dimension, blockSize]`; the coordinate itself comes first.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { blockSize, nearCoordinates } from "./near_coordinates.ts";
 * const dimension = 7;
 * // The last coordinate is the first one, turned; the others are steps of their own.
 * const positions = Float64Array.from({ length: 64 * dimension }, (_, i) => {
 *   const [s, k] = [Math.floor(i / dimension), i % dimension];
 *   return k === dimension - 1 ? -(s % 2) : (s >> k) % 2;
 * });
 * const near = nearCoordinates(positions, 64, dimension);
 * assert.deepEqual([...near.subarray(0, 2)], [0, 6]);
 * assert.equal(near[6 * blockSize], 6);
 * ```
 */
export function nearCoordinates(
  positions: Float64Array,
  count: number,
  dimension: number,
): Int32Array {
  const scaled = scaledColumns(positions, count, dimension);
  const near = new Int32Array(dimension * blockSize);
  for (let k = 0; k < dimension; k++) {
    const sizes = Array.from(
      { length: dimension },
      (_, j) => j === k ? Infinity : Math.abs(product(scaled, k * count, j * count, count)),
    );
    const order = [...sizes.keys()].sort((i, j) => sizes[j] - sizes[i] || i - j);
    near.set(order.slice(0, blockSize), k * blockSize);
  }
  return near;
}

/** Columns less their means and of length 1 `[dimension, count]`; one that does not vary is 0. */
function scaledColumns(positions: Float64Array, count: number, dimension: number): Float64Array {
  const out = new Float64Array(dimension * count);
  for (let k = 0; k < dimension; k++) {
    let mean = 0;
    for (let s = 0; s < count; s++) mean += positions[s * dimension + k] / count;
    for (let s = 0; s < count; s++) out[k * count + s] = positions[s * dimension + k] - mean;
    const square = product(out, k * count, k * count, count);
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let s = 0; s < count; s++) out[k * count + s] *= scale;
  }
  return out;
}

function product(x: Float64Array, a: number, b: number, count: number): number {
  let sum = 0;
  for (let s = 0; s < count; s++) sum += x[a + s] * x[b + s];
  return sum;
}
