/** A data file with new rows for the predictors of a run's data. */
import type { Column, Dataset } from "../base/dataset.ts";
import { inputError } from "../base/diagnostic.ts";
import { parseTable, type RawTable } from "../data/raw_table.ts";
import type { NewRows } from "../engine/score/predictions.ts";
import { readInput } from "./input_file.ts";
import { numericCell } from "../data/typed_dataset.ts";

/**
 * Reads the columns that the data have, categories by the codes of the data.
 *
 * @throws InputError for a cell that is no number, or a category that the data do not have.
 */
export async function newRows(file: string, data: Dataset): Promise<NewRows> {
  const table = await parseTable(readInput(file), file);
  const wanted = data.columns.filter(({ role }) => role !== "response" && role !== "ignore");
  const present = wanted.filter(({ name }) => table.columns.has(name));
  if (present.length === 0 && wanted.length > 0) {
    const hint = `the run's data have ${wanted.map(({ name }) => name).join(", ")}`;
    const message = `Cannot predict at ${file}: it has none of the predictors`;
    throw inputError("predict/columns", message, undefined, hint);
  }
  const columns = new Map(present.map((column) => [column.name, valuesOf(table, column)]));
  return { rows: table.rows, columns };
}

function valuesOf(table: RawTable, column: Column): Float64Array {
  const cells = table.columns.get(column.name)!;
  return Float64Array.from(cells, (cell, row) => {
    const value = column.categories ? column.categories.indexOf(String(cell)) : numericCell(cell);
    if (column.categories ? value >= 0 : Number.isFinite(value)) return value;
    const wanted = column.categories
      ? `one of ${column.categories.slice(0, 12).join(", ")}`
      : "a number";
    const found = JSON.stringify(typeof cell === "bigint" ? String(cell) : cell ?? null);
    const message = `Cannot predict at ${table.file}: column "${column.name}", row ${row + 1}: ` +
      `found ${found}, wanted ${wanted}`;
    const hint = "correct the cell, or leave its row out";
    throw inputError("predict/cell", message, table.spanOf(column.name, row), hint);
  });
}
