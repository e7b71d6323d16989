/** Puts rows in another order, on which a program must not depend. */
import type { Column, Dataset } from "./dataset.ts";
import { RandomStream } from "./random.ts";

/**
 * An order of `n` rows in one cycle (Sattolo 1986), so that no row keeps its place and only columns
 * that are constant stay the same. The key must be one that a program cannot know: its own digest.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { cycleOfRows } from "./row_cycle.ts";
 * const order = cycleOfRows(5, ["key"]);
 * assert.deepEqual([...order].sort(), [0, 1, 2, 3, 4]);
 * assert.ok(order.every((row, i) => row !== i));
 * ```
 */
export function cycleOfRows(n: number, key: readonly (string | number)[]): Int32Array {
  const random = new RandomStream("rows", ...key);
  const order = Int32Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = random.below(i);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/**
 * The data set with row `order[i]` instead of row `i`; columns without an axis of rows stay as they are. It keeps the
 * digest: programs are read on it, not scored.
 */
export function rowsInOrder(dataset: Dataset, order: Int32Array): Dataset {
  return { ...dataset, columns: dataset.columns.map((column) => columnInOrder(column, order)) };
}

/** A column in another order of rows; a symmetric table of all pairs of rows in both directions. */
function columnInOrder(column: Column, order: Int32Array): Column {
  const { values, shape = [values.length] } = column;
  const rows = order.length;
  if (shape[0] !== rows) return column;
  const width = values.length / rows;
  const within = isTableOfPairs(values, shape) ? order : undefined;
  const at = (k: number) => {
    const [row, place] = [Math.floor(k / width), k % width];
    return order[row] * width + (within ? within[place] : place);
  };
  return { ...column, values: values.map((_, k) => values[at(k)]) };
}

/** A distance or an adjacency of every two rows. */
function isTableOfPairs(values: Float64Array, shape: readonly number[]): boolean {
  const [n, m] = shape;
  if (shape.length !== 2 || n !== m) return false;
  return values.every((value, k) => value === values[(k % n) * n + Math.floor(k / n)]);
}
