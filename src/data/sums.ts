/** Columns that are the sum of two others, such as trials of successes and failures. */
import { inputError } from "../base/diagnostic.ts";
import { listed } from "../base/listed.ts";
import type { RawTable } from "./raw_table.ts";
import { isMissing, numericCell } from "./typed_dataset.ts";

/** Pairs of columns, by the column that is their sum. */
type Sums = Readonly<Record<string, { readonly sum?: readonly string[] }>>;

/**
 * The table with the columns that are sums; a cell is missing where a part is.
 *
 * @throws InputError `data/missing-column` where the file lacks a part, or has a column of the name.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { withSums } from "./sums.ts";
 * const columns = new Map([["a", [1, 2]], ["b", ["4", "NA"]]] as [string, (number | string)[]][]);
 * const table = { file: "a.csv", columns, rows: 2, spanOf: () => undefined };
 * assert.deepEqual(withSums(table, { n: { sum: ["a", "b"] } }).columns.get("n"), [5, null]);
 * ```
 */
export function withSums(table: RawTable, specs: Sums): RawTable {
  const asked = Object.entries(specs).flatMap(([name, { sum }]) =>
    sum ? [[name, sum] as const] : []
  );
  if (asked.length === 0) return table;
  const columns = new Map(table.columns);
  for (const [name, parts] of asked) {
    const strange = parts.find((part) => !table.columns.has(part));
    if (strange !== undefined || table.columns.has(name)) throw refused(table, name, strange);
    const cells = parts.map((part) => table.columns.get(part)!);
    columns.set(
      name,
      Array.from({ length: table.rows }, (_, row) => {
        const own = cells.map((column) => column[row]);
        return own.some(isMissing)
          ? null
          : own.reduce((sum: number, cell) => sum + numericCell(cell), 0);
      }),
    );
  }
  return { ...table, columns };
}

function refused({ file, columns }: RawTable, name: string, part: string | undefined): Error {
  const message = part === undefined
    ? `Cannot add up "${name}": ${file} has a column of this name`
    : `Cannot add up "${name}": ${file} has no column "${part}"`;
  const hint = `columns: ${listed([...columns.keys()])}`;
  return inputError("data/missing-column", message, undefined, hint);
}
