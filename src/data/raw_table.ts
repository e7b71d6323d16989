/** Data files as raw tables: CSV, JSON and Parquet, before any meaning is given to a column. */
import { parse } from "csv-parse/sync";
import { inputError } from "../base/diagnostic.ts";
import { lineSpan, type Span } from "../base/span.ts";
import { decodeText, hasSeparatorLine, separators, sniffDelimiter, withPoints } from "./dialect.ts";
import { cellsOf, type DeclaredColumn, type SchemaTable, schemaTable } from "./table_schema.ts";

/** One cell as the file holds it; `""`, null and undefined count as missing. */
export type Cell = string | number | boolean | bigint | null | undefined;

/** Columns by name in file order, all of the same length. */
export interface RawTable {
  readonly file: string;
  readonly columns: ReadonlyMap<string, readonly Cell[]>;
  readonly rows: number;
  /** Columns that the file's schema, if any, declares categories. */
  readonly declared?: ReadonlyMap<string, DeclaredColumn>;
  /** Where row `row` (from 0) of a column stands in the file, for formats made of lines. */
  spanOf(column: string, row: number): Span | undefined;
}

/** Reads a data file by its extension: `.csv`, `.tsv`, `.json` or `.parquet`. */
export async function parseTable(bytes: Uint8Array, file: string): Promise<RawTable> {
  if (bytes.length === 0) throw empty(file);
  const extension = file.slice(file.lastIndexOf(".") + 1).toLowerCase();
  if (extension === "parquet") return await parseParquet(bytes, file);
  const text = decodeText(bytes);
  if (extension === "json") return parseJsonTable(text, file);
  if (extension === "csv") return parseDelimited(text, file, sniffDelimiter(text, file));
  if (extension === "tsv") return parseDelimited(text, file, "\t");
  const message = `Cannot read ${file}: found the extension ".${extension}", wanted .csv, .tsv, ` +
    ".json or .parquet";
  throw inputError("data/format", message);
}

function empty(file: string) {
  const hint = "a data file needs a header line and at least one row";
  return inputError("data/empty", `Cannot read ${file}: the file has no rows`, undefined, hint);
}

function parseDelimited(text: string, file: string, delimiter: string): RawTable {
  if (text.trim() === "") throw empty(file);
  const records = readRecords(text, file, delimiter);
  const [header, ...body] = records;
  if (body.length === 0) throw empty(file);
  if (header.record.every(isMeasured)) throw noNames(file);
  const columns = new Map<string, Cell[]>();
  header.record.forEach((name, index) => {
    if (columns.has(name)) throw duplicate(file, name, index);
    const cells = body.map((row) => row.record[index]);
    columns.set(name, delimiter === "," ? cells : withPoints(cells));
  });
  const spanOf = (column: string, row: number) => {
    const index = header.record.indexOf(column);
    const before = body[row]?.record.slice(0, index) ?? [];
    const at = 1 + before.reduce((sum, cell) => sum + cell.length + 1, 0);
    return lineSpan(file, body[row]?.line ?? 1, at, body[row]?.record[index]?.length ?? 1);
  };
  return { file, columns, rows: body.length, spanOf };
}

/** A number with decimals, which is no name of a column. */
function isMeasured(name: string): boolean {
  return /^[+-]?\d*\.\d+([eE][+-]?\d+)?$/.test(name);
}

function noNames(file: string) {
  const message = `Cannot read ${file}: its first line has numbers instead of names`;
  const hint = "write a line with the names of the columns above it";
  return inputError("data/header", message, lineSpan(file, 1, 1), hint);
}

interface CsvRecord {
  readonly record: string[];
  readonly line: number;
}

function readRecords(text: string, file: string, delimiter: string): CsvRecord[] {
  try {
    const from_line = hasSeparatorLine(text) ? 2 : 1;
    const options = { delimiter, info: true, skip_empty_lines: true, trim: true, from_line };
    const rows = parse(text, options) as unknown as {
      record: string[];
      info: { lines: number };
    }[];
    return rows.map(({ record, info }) => ({ record, line: info.lines }));
  } catch (error) {
    throw notReadable(error as CsvFault, text, file, delimiter);
  }
}

/** Fault of a line, as the reader of CSV throws it. */
interface CsvFault extends Error {
  readonly code?: string;
  readonly lines?: number;
  /** Cells of a line that has more or fewer than the header. */
  readonly record?: readonly string[];
}

function notReadable(fault: CsvFault, text: string, file: string, delimiter: string): Error {
  const { code, message, record = [], lines: line = 1 } = fault;
  const span = lineSpan(file, line, 1);
  const cannot = `Cannot read ${file}`;
  const wanted = Number(/expect (\d+)/.exec(message)?.[1]);
  if (code !== "CSV_RECORD_INCONSISTENT_FIELDS_LENGTH" || !wanted) {
    const hint = code === "CSV_QUOTE_NOT_CLOSED"
      ? 'close the quotation mark; one within a text is doubled: "6"" nails"'
      : "write it as comma-separated values (RFC 4180)";
    return inputError("data/csv", `${cannot}: ${message}`, span, hint);
  }
  const cells = record.length === 1 ? "1 cell" : `${record.length} cells`;
  const written = record.join(delimiter);
  const other = separators.find((one) => one !== delimiter && written.split(one).length === wanted);
  const hint = /^#/m.test(text)
    ? 'delete the lines that begin with "#": they are no rows'
    : other
    ? `cells are separated by ${sign(delimiter)} in the header and by ${sign(other)} here: write ` +
      "one of them throughout"
    : "every row needs as many cells as the header has names";
  const why = `line ${line} has ${cells}, the header has ${wanted}`;
  return inputError("data/csv", `${cannot}: ${why}`, span, hint);
}

function sign(separator: string): string {
  return separator === "\t" ? "a tab" : `"${separator}"`;
}

function duplicate(file: string, name: string, index: number) {
  const message = `Cannot read ${file}: found two columns named "${name}"`;
  const hint = "give one of them another name";
  return inputError("data/duplicate-column", message, lineSpan(file, 1, index + 1), hint);
}

function parseJsonTable(text: string, file: string): RawTable {
  const value = parseJson(text, file);
  const described = schemaTable(value);
  if (described) return tableOf(described, file);
  const columns = new Map<string, readonly Cell[]>();
  const isRows = Array.isArray(value);
  if (isRows && !value.every(isRecord)) throw notTabular(file);
  const names = isRows ? [...new Set(value.flatMap(Object.keys))] : Object.keys(value as object);
  for (const name of names) columns.set(name, jsonColumn(value, name, isRows));
  const lengths = [...columns.values()].map((column) => column.length);
  if (lengths.length === 0 || lengths[0] === 0) throw empty(file);
  if (lengths.some((length) => length !== lengths[0])) {
    const found = names.map((name, i) => `${name}: ${lengths[i]}`).join(", ");
    throw inputError("data/ragged", `Cannot read ${file}: columns differ in length (${found})`);
  }
  return { file, columns, rows: lengths[0], spanOf: () => undefined };
}

function tableOf(table: SchemaTable, file: string): RawTable {
  const columns = new Map(
    table.names.map((name) => [name, cellsOf(table, name).map(cellOf)] as const),
  );
  const rows = table.rows.length;
  if (rows === 0) throw empty(file);
  return { file, columns, rows, declared: table.declared, spanOf: () => undefined };
}

function parseJson(text: string, file: string): unknown {
  try {
    const value = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch (error) {
    throw inputError("data/json", `Cannot read ${file}: ${(error as Error).message}`);
  }
  throw notTabular(file);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function notTabular(file: string) {
  const hint = 'write {"age": [1, 2], "length": [3, 4]} or [{"age": 1, "length": 3}, …]';
  return inputError("data/json", `Cannot read ${file}: wanted columns or rows`, undefined, hint);
}

function jsonColumn(value: unknown, name: string, isRows: boolean): readonly Cell[] {
  if (isRows) return (value as Record<string, unknown>[]).map((row) => cellOf(row[name]));
  const column = (value as Record<string, unknown>)[name];
  return Array.isArray(column) ? column.map(cellOf) : [cellOf(column)];
}

/** A list or a table counts as a word: its contents may be of any kind and depth. */
function cellOf(value: unknown): Cell {
  if (typeof value !== "object" || value === null || value instanceof Date) return value as Cell;
  return Array.isArray(value) ? "(a list)" : "(a table)";
}

async function parseParquet(bytes: Uint8Array, file: string): Promise<RawTable> {
  const { parquetReadObjects } = await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  const buffer = bytes.slice().buffer;
  const rows = await parquetReadObjects({ file: buffer, compressors }).catch((error: Error) => {
    throw inputError("data/parquet", `Cannot read ${file}: ${error.message}`);
  });
  if (rows.length === 0) throw empty(file);
  const names = Object.keys(rows[0]);
  const columns = new Map(names.map((name) => [name, rows.map((row) => cellOf(row[name]))]));
  return { file, columns, rows: rows.length, spanOf: () => undefined };
}
