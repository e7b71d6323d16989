/** Rows in the order of a column with the times of observation. */
import { type Column, type Dataset, makeDataset } from "../base/dataset.ts";
import { type InputError, inputError } from "../base/diagnostic.ts";
import { listed } from "../base/listed.ts";
import { nearest } from "../base/nearest.ts";

/** Settings of the time of the rows. */
export interface TimeSpec {
  /** The column that orders the rows. */
  readonly column: string;
  /** Number of first rows, which are not scored; a quarter of the rows, if left out. */
  readonly first?: number;
  /** Number of rows that are predicted at once; 1, if left out. */
  readonly ahead?: number;
}

/** Rows in their order, and how many of them are judged. */
export interface TimedRows {
  /** The data with rows in the order of time; the same data, if they were. */
  readonly dataset: Dataset;
  readonly time: { readonly column: string; readonly first: number; readonly ahead: number };
}

/** Rows that a message names. */
const mostNamed = 5;

/**
 * The data in the order of time.
 *
 * @param isOrdered whether the target requires that the rows stand in their order.
 * @throws InputError if there is no such column, if its values are not distinct numbers, if the file's order contradicts it
 * where rows are said to be ordered, or if no row is left to judge.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../base/dataset.ts";
 * import { inTimeOrder } from "./time_order.ts";
 * const data = makeDataset("three", [
 *   { name: "y", role: "response", type: "real", values: Float64Array.of(3, 1, 2) },
 *   { name: "year", role: "time", type: "real", values: Float64Array.of(2003, 2001, 2002) },
 * ]);
 * const { dataset, time } = inTimeOrder(data, { column: "year" });
 * assert.deepEqual([...dataset.columns[0].values], [1, 2, 3]);
 * assert.equal(time.first, 1);
 * ```
 */
export function inTimeOrder(dataset: Dataset, spec: TimeSpec, isOrdered = false): TimedRows {
  const column = timeColumn(dataset, spec.column);
  const order = [...column.values.keys()].sort((a, b) => column.values[a] - column.values[b]);
  refuseTies(column, order);
  const moved = order.findIndex((row, place) => row !== place);
  if (isOrdered && moved >= 0) throw contradiction(column, order[moved], moved);
  const time = judgedRows(dataset, spec);
  return { dataset: moved < 0 ? dataset : inOrder(dataset, order), time };
}

function refuse(what: string, why: string, hint: string): InputError {
  return inputError("data/time", `Cannot order the rows by "${what}": ${why}`, undefined, hint);
}

function timeColumn({ columns, rows }: Dataset, name: string): Column {
  const found = columns.find((one) => one.name === name && one.role !== "ignore");
  if (!found) {
    const known = columns.filter(({ role }) => role !== "ignore" && role !== "response")
      .map((one) => one.name);
    const near = nearest(name, known);
    const hint = `${near ? `did you mean "${near}"? C` : "c"}olumns: ${listed(known)}; one that ` +
      'is not in use is read with role = "time"';
    throw refuse(name, "the data have no such column in use", hint);
  }
  if (found.role === "response") {
    throw refuse(name, "it is the response", "name the column that says when rows were observed");
  }
  if (found.type === "category" || found.shape || found.values.length !== rows) {
    const what = found.categories ? `text such as "${found.categories[0]}"` : "no number per row";
    throw refuse(name, `it holds ${what}`, "give times as numbers: years, days since the first");
  }
  return found;
}

function named(rows: readonly number[]): string {
  const first = rows.slice(0, mostNamed).map((row) => row + 1).join(", ");
  const rest = rows.length > mostNamed ? ` and ${rows.length - mostNamed} more` : "";
  return `rows ${first}${rest}`;
}

function refuseTies({ name, values }: Column, order: readonly number[]): void {
  const tied = order.filter((row, place) =>
    values[row] === values[order[place - 1]] || values[row] === values[order[place + 1]]
  );
  if (tied.length === 0) return;
  const same = tied.filter((row) => values[row] === values[tied[0]]);
  const others = tied.length > same.length ? `, ${tied.length - same.length} more rows tie` : "";
  throw refuse(
    name,
    `${named(same)} have the same time, ${values[tied[0]]}${others}`,
    "give each row a time of its own, or one row to each time",
  );
}

function contradiction({ name, values }: Column, row: number, place: number): InputError {
  return refuse(
    name,
    `the target says rows = "ordered", but row ${row + 1} (${values[row]}) belongs before row ` +
      `${place + 1} (${values[place]})`,
    "leave rows out: time orders them; or sort the file",
  );
}

function judgedRows({ rows }: Dataset, { column, first, ahead = 1 }: TimeSpec) {
  const before = first ?? Math.ceil(rows / 4);
  const time = { column, first: before, ahead };
  if (rows >= before + ahead && before >= 1) return time;
  const wanted = `${before} rows that are not judged and ${ahead} after them`;
  throw inputError(
    "data/time",
    `Cannot judge rows by those before them: the data have ${rows} rows, wanted at least ` + wanted,
    undefined,
    "lower time_first or time_ahead (--time-first, --time-ahead), or leave time out",
  );
}

function inOrder({ name, columns, rows, dropped, holdout }: Dataset, order: readonly number[]) {
  const moved = columns.map((one) => {
    if (one.values.length % rows !== 0 || (one.shape && one.shape[0] !== rows)) return one;
    const width = one.values.length / rows;
    const values = one.values.map((_, at) =>
      one.values[order[Math.floor(at / width)] * width + at % width]
    );
    return { ...one, values };
  });
  return makeDataset(name, moved, dropped, holdout);
}
