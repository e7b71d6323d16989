/** Matrices by column. */

/** Columns, each as long as the others. */
export type Columns = readonly Float64Array[];

/**
 * Columns `[rows]`, side by side, all 0.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { columnsOf } from "./columns.ts";
 * const [x, y] = columnsOf(2, 3);
 * assert.equal(x.buffer, y.buffer); // side by side
 * assert.equal(y.length, 3);
 * ```
 */
export function columnsOf(count: number, rows: number): Columns {
  const all = new Float64Array(count * rows);
  return Array.from({ length: count }, (_, k) => all.subarray(k * rows, (k + 1) * rows));
}
