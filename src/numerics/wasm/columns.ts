/** Matrices by column. */

/** Columns, each as long as the others. */
export type Columns = readonly Float64Array[];

/** Columns `[rows]`, side by side, all 0. */
export function columnsOf(count: number, rows: number): Columns {
  const all = new Float64Array(count * rows);
  return Array.from({ length: count }, (_, k) => all.subarray(k * rows, (k + 1) * rows));
}
