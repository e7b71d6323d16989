/** A data set whose rows stand in another order. */
import { type Dataset, makeDataset } from "../../../base/dataset.ts";
import { RandomStream } from "../../../base/random.ts";

/**
 * The rows in an order that the key draws; values without an axis of rows stay as they are.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { permutedRows } from "./permuted.ts";
 * const values = Float64Array.of(1, 2, 3, 4);
 * const data = makeDataset("four", [{ name: "y", role: "response", type: "real", values }]);
 * const [{ values: moved }] = permutedRows(data, ["seed"]).columns;
 * assert.deepEqual([...moved].sort(), [1, 2, 3, 4]);
 * ```
 */
export function permutedRows(dataset: Dataset, key: readonly (string | number)[]): Dataset {
  const { rows } = dataset;
  const order = permutation(rows, new RandomStream(...key, "permutation"));
  const columns = dataset.columns.map((column) => {
    const shape = column.shape ?? [column.values.length];
    if (shape[0] !== rows) return column;
    const width = column.values.length / rows;
    const values = Float64Array.from(
      column.values,
      (_, k) => column.values[order[Math.floor(k / width)] * width + k % width],
    );
    return { ...column, values };
  });
  return makeDataset(dataset.name, columns, dataset.dropped);
}

/** Fisher and Yates (1938). */
function permutation(n: number, random: RandomStream): number[] {
  const order = Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}
