/** Findings on rows that lack a value, and on the decision that they ask for. */
import type { Column } from "../base/dataset.ts";

/**
 * Finding on rows that were left out; undefined where there are none.
 *
 * @param rows of the file.
 * @param gaps rows without a value, by column.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { rowsLeftOut } from "./rows_left_out.ts";
 * assert.match(rowsLeftOut(60, 41, new Map([["z", 40], ["x", 3]]))!, /^41 of 60 rows .* z \(40\), x \(3\);/);
 * assert.equal(rowsLeftOut(60, 0, new Map()), undefined);
 * ```
 */
export function rowsLeftOut(
  rows: number,
  dropped: number,
  gaps: ReadonlyMap<string, number>,
): string | undefined {
  if (dropped === 0) return undefined;
  const columns = [...gaps].sort(([, a], [, b]) => b - a);
  const some = columns.slice(0, 6).map(([name, count]) => `${name} (${count})`).join(", ");
  const rest = columns.length > 6 ? ` and ${columns.length - 6} more columns` : "";
  return `${dropped} of ${rows} rows lack a value and are left out of all programs, so that their ` +
    `scores compare: ${some}${rest}; decide whether these rows are like the others; columns ` +
    "that no term uses cost no rows if left out of [stages.data.columns]";
}

/** Finding on missing values that are parameters; undefined where there are none. */
export function valuesModelled(columns: readonly Column[]): string | undefined {
  const some = columns.filter(({ gapsOf }) => gapsOf !== undefined).map(({ gapsOf, values }) =>
    `${gapsOf} (${values.filter((which) => which > 0).length})`
  );
  if (some.length === 0) return undefined;
  return `missing values of ${some.join(", ")} are parameters of the programs of a space, normal ` +
    "about the mean of the others: decide whether they are missing for reasons that have nothing " +
    'to do with their size; else leave such rows out: missing = "drop"';
}
