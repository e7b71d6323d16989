/** A data file with new rows for the predictors of a run's data. */
import type { Column, Dataset } from "../base/dataset.ts";
import { inputError } from "../base/diagnostic.ts";
import { listed } from "../base/listed.ts";
import { nearest } from "../base/nearest.ts";
import { parseTable, type RawTable } from "../data/raw_table.ts";
import type { NewRows } from "../engine/score/mod.ts";
import { readInput } from "./input_file.ts";
import { numericCell } from "../data/typed_dataset.ts";

/** New rows, and the levels that only they have. */
export interface NewRowsRead extends NewRows {
  /** By column, in the order of the file; they are numbered on from those of the data. */
  readonly unseen: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads the columns that the data have, categories by the codes of the data; a category that the data do
 * not have gets the next one.
 *
 * @param texts of programs, whose predictors must be in the file.
 * @throws InputError for a cell that is no number, or empty where a category is wanted, and for a
 *     column that a program reads and the file lacks.
 */
export async function newRows(
  file: string,
  data: Dataset,
  texts: readonly string[] = [],
): Promise<NewRowsRead> {
  const table = await parseTable(readInput(file), file);
  const given = data.columns.filter(({ role }) => role !== "response" && role !== "ignore");
  const wanted = given.filter(({ gapsOf }) => gapsOf === undefined);
  const present = wanted.filter(({ name }) => table.columns.has(name));
  if (present.length === 0 && wanted.length > 0) {
    const hint = `the run's data have ${wanted.map(({ name }) => name).join(", ")}`;
    const message = `Cannot predict at ${file}: it has none of the predictors`;
    throw inputError("predict/columns", message, undefined, hint);
  }
  requireRead(table, wanted, texts);
  const unseen = new Map<string, string[]>();
  const columns = new Map(present.map((column) => {
    const strange: string[] = [];
    const values = valuesOf(table, column, strange);
    if (strange.length > 0) unseen.set(column.name, strange);
    return [column.name, values];
  }));
  // New rows lack nothing.
  for (const { name, gapsOf } of given) {
    if (gapsOf !== undefined) columns.set(name, new Float64Array(table.rows));
  }
  return { rows: table.rows, columns, unseen };
}

/** Limits and events say how rows were recorded, which new rows were not. */
const recorded: readonly string[] = ["event", "limit"];

/** @throws InputError `predict/columns` for predictors that programs read and the table lacks. */
function requireRead(table: RawTable, wanted: readonly Column[], texts: readonly string[]): void {
  const isRead = (name: string) =>
    texts.some((one) => one.includes(`data[${JSON.stringify(name)}]`));
  const lacking = wanted.filter(({ name, role }) =>
    !table.columns.has(name) && !recorded.includes(role) && isRead(name)
  ).map(({ name }) => name);
  if (lacking.length === 0) return;
  const others = [...table.columns.keys()].filter((own) =>
    wanted.every(({ name }) => name !== own)
  );
  const meant = nearest(lacking[0], others);
  const near = meant === undefined ? "" : `is "${meant}" a misspelt "${lacking[0]}"? `;
  const message = `Cannot predict at ${table.file}: it lacks ${
    listed(lacking)
  }, which programs read`;
  const hint =
    `${near}add ${lacking.length === 1 ? "the column" : "these columns"}, or give values: ` +
    '--at "x=1,2" averages over the other columns of the data';
  throw inputError("predict/columns", message, undefined, hint);
}

/** Levels that the data do not have go to `unseen`. */
function valuesOf(table: RawTable, column: Column, unseen: string[]): Float64Array {
  const cells = table.columns.get(column.name)!;
  return Float64Array.from(cells, (cell, row) => {
    const value = column.categories ? levelOf(cell, column.categories, unseen) : numericCell(cell);
    if (value !== undefined && Number.isFinite(value)) return value;
    const wanted = column.categories
      ? `one of ${column.categories.slice(0, 12).join(", ")}, or another level`
      : "a number";
    const found = JSON.stringify(typeof cell === "bigint" ? String(cell) : cell ?? null);
    const message = `Cannot predict at ${table.file}: column "${column.name}", row ${row + 1}: ` +
      `found ${found}, wanted ${wanted}`;
    const hint = "correct the cell, or leave its row out";
    throw inputError("predict/cell", message, table.spanOf(column.name, row), hint);
  });
}

/** The code of a level; undefined of an empty cell. */
function levelOf(cell: unknown, known: readonly string[], unseen: string[]): number | undefined {
  const word = String(cell ?? "").trim();
  if (word === "") return undefined;
  const own = known.indexOf(String(cell));
  const code = own >= 0
    ? own
    : known.findIndex((level) => numericCell(level) === numericCell(word));
  if (code >= 0) return code;
  if (!unseen.includes(word)) unseen.push(word);
  return known.length + unseen.indexOf(word);
}
