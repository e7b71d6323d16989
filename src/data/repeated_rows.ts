/** Tables of frequencies as the rows that they count. */
import { inputError } from "../base/diagnostic.ts";
import { listed } from "../base/listed.ts";
import type { RawTable } from "./raw_table.ts";
import { isMissing, numericCell } from "./typed_dataset.ts";

/** Rows of the whole table at most: each is scored for itself. */
const mostRows = 200_000;

/**
 * The table with each row repeated by the count in a column, without that column.
 *
 * @throws InputError `data/missing-column`, or `data/frequency` where it is no whole number of 0 or more,
 * or the rows are too many.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { repeatedRows } from "./repeated_rows.ts";
 * const columns = new Map([["sex", ["f", "m", "x"]], ["Freq", ["2", "1", "0"]]]);
 * const table = { file: "a.csv", columns, rows: 3, spanOf: () => undefined };
 * const { rows, columns: all } = repeatedRows(table, "Freq");
 * assert.deepEqual([rows, ...all.get("sex")!], [3, "f", "f", "m"]);
 * ```
 */
export function repeatedRows(table: RawTable, frequency?: string): RawTable {
  if (frequency === undefined) return table;
  const cells = table.columns.get(frequency);
  if (!cells) {
    const message = `Cannot use ${table.file}: there is no column "${frequency}"`;
    const hint = `columns: ${listed([...table.columns.keys()])}`;
    throw inputError("data/missing-column", message, undefined, hint);
  }
  const counts = cells.map((cell) => isMissing(cell) ? 0 : numericCell(cell));
  const bad = counts.findIndex((count) => !Number.isInteger(count) || count < 0);
  if (bad >= 0) throw refused(table, frequency, `row ${bad + 1} holds ${String(cells[bad])}`);
  const rows = counts.reduce((a, b) => a + b, 0);
  if (rows > mostRows) throw refused(table, frequency, `its sum is ${rows}`);
  const sources = counts.flatMap((count, row) => Array<number>(count).fill(row));
  const columns = new Map(
    [...table.columns].filter(([name]) => name !== frequency)
      .map(([name, own]) => [name, sources.map((row) => own[row])] as const),
  );
  return { ...table, columns, rows, spanOf: (name, row) => table.spanOf(name, sources[row]) };
}

function refused({ file }: RawTable, name: string, why: string): Error {
  const message = `Cannot repeat the rows of ${file} as often as "${name}" says: ${why}`;
  const hint = `wanted whole numbers from 0 on, ${mostRows} together at most; weights of other ` +
    "kinds are none: each datum counts once";
  return inputError("data/frequency", message, undefined, hint);
}
