/** Rows as they come from stages, made into typed cells, and cells as JSON for the segments. */
import type { Row } from "./row.ts";
import { nearest } from "../../base/nearest.ts";
import type { ColumnType, TableName } from "./schema.ts";
import { columnsOf, schemaOf, tableNames } from "./schema.ts";

/** A value ready for its column: JSON as text, times as microseconds since 1970 in a string. */
export type Cell = null | string | boolean | number | readonly (number | null)[];

/** Cells in the order of the table's columns. */
export type Cells = readonly Cell[];

/** Columns that every row may carry, whether its table has them or not. */
const contextColumns = new Set(["run_id", "stage", "step"]);

/** Columns of a table as rows are made into cells. */
interface TableCells {
  readonly table: TableName;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  /** Names that a row may have. */
  readonly names: ReadonlySet<string>;
}

const prepared = new Map<TableName, TableCells>();

function cellsOf(table: TableName): TableCells {
  const columns = Object.entries(columnsOf(table));
  const names = new Set([...columns.map(([name]) => name), ...contextColumns]);
  const made = { table, columns, names };
  prepared.set(table, made);
  return made;
}

/**
 * The cells of a row; a missing column is null.
 *
 * @param context values of columns that the row lacks; its `run_id` counts before the row's.
 * @throws TypeError (`internal:`) on a column that the table lacks, on a value of another type, and
 * for a row that breaks the table's rules.
 */
export function toCells(table: TableName, given: Row, context: Row = {}): Cells {
  const { columns, names } = prepared.get(table) ?? cellsOf(table);
  for (const name in given) {
    if (names.has(name)) continue;
    throw new TypeError(unknownName(`table "${table}" has no column`, name, [...names]));
  }
  schemaOf(table).check?.({ ...context, ...given });
  const cells: Cell[] = [];
  for (const [name, type] of columns) {
    const isGiven = name in given && !(name === "run_id" && name in context);
    const value = isGiven ? given[name] : context[name];
    const cell = toCell(value, type);
    if (cell === undefined) throw wrongType(table, name, type, value);
    cells.push(cell);
  }
  return cells;
}

function wrongType(table: TableName, name: string, type: ColumnType, value: unknown): TypeError {
  const found = `${typeof value} ${String(value).slice(0, 50)}`;
  return new TypeError(
    `internal: table "${table}", column "${name}": wanted ${type}, found ${found}`,
  );
}

/** @throws TypeError (`internal:`) if there is no such table. */
export function checkTable(name: string): TableName {
  const table = tableNames.find((known) => known === name);
  if (table) return table;
  throw new TypeError(unknownName("the store has no table", name, tableNames));
}

function unknownName(what: string, name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return `internal: ${what} "${name}"${near ? `; did you mean "${near}"?` : ""}`;
}

/** Total over the types of columns; undefined means that the value does not fit. */
const converters: { readonly [T in ColumnType]: (value: unknown) => Cell | undefined } = {
  VARCHAR: (value) => typeof value === "string" ? value : undefined,
  BOOLEAN: (value) => typeof value === "boolean" ? value : undefined,
  INTEGER: (value) => int32(value),
  BIGINT: (value) => integer(value),
  DOUBLE: (value) => typeof value === "number" ? value : undefined,
  TIMESTAMP: (value) => microseconds(value),
  JSON: (value) => JSON.stringify(value, (_, v) => nonFiniteToName(v)),
  "DOUBLE[]": (value) => list(value, (item) => typeof item === "number"),
  "INTEGER[]": (value) => list(value, (item) => int32(item) !== undefined),
};

function toCell(value: unknown, type: ColumnType): Cell | undefined {
  return value === undefined || value === null ? null : converters[type](value);
}

function int32(value: unknown): number | undefined {
  return typeof value === "number" && (value | 0) === value ? value : undefined;
}

function integer(value: unknown): number | undefined {
  const number = typeof value === "bigint" ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) ? number : undefined;
}

function microseconds(value: unknown): string | undefined {
  const time = value instanceof Date ? value : typeof value === "string" ? new Date(value) : null;
  const milliseconds = time ? time.getTime() : value;
  if (typeof milliseconds !== "number" || !Number.isFinite(milliseconds)) return undefined;
  return `${BigInt(Math.round(milliseconds * 1000))}`;
}

function list(value: unknown, fits: (item: unknown) => boolean): number[] | undefined {
  if (value instanceof Int32Array) return [...value]; // each fits, as an integer or a number
  if (!Array.isArray(value) && !ArrayBuffer.isView(value)) return undefined;
  const items = Array.from(value as ArrayLike<unknown>);
  return items.every(fits) ? items as number[] : undefined;
}

/** Cells as a JSON value: NaN and the infinities become their names. */
export function cellsToJson(cells: Cells): unknown {
  if (cells.every(isFiniteCell)) return cells;
  return cells.map((cell) =>
    Array.isArray(cell) ? cell.map(nonFiniteToName) : nonFiniteToName(cell)
  );
}

function isFiniteCell(cell: Cell): boolean {
  if (typeof cell === "number") return Number.isFinite(cell);
  return !Array.isArray(cell) || cell.every((one) => one === null || Number.isFinite(one));
}

/** The opposite of `cellsToJson`, for rows with the columns `names` at the time of writing. */
export function cellsFromJson(
  table: TableName,
  names: readonly string[],
): (json: readonly unknown[]) => Cells {
  const columns = Object.entries(columnsOf(table))
    .map(([name, type]) => [names.indexOf(name), type] as const);
  return (json) => columns.map(([at, type]) => reviveCell(json[at], type));
}

function reviveCell(value: unknown, type: ColumnType): Cell {
  if (value === undefined || value === null) return null;
  if (type === "DOUBLE") return Number(value);
  if (type === "DOUBLE[]") return (value as unknown[]).map(Number);
  return value as Cell;
}

function nonFiniteToName(value: unknown): unknown {
  return typeof value === "number" && !Number.isFinite(value) ? `${value}` : value;
}
