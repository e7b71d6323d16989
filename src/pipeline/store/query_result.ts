/** The result of a query, and its forms: table, JSON, CSV and Parquet. */
import { JSDuckDBValueConverter } from "@duckdb/node-api";
import type { DuckDBDataChunk, DuckDBResult, DuckDBType } from "@duckdb/node-api";
import { join } from "node:path";
import { printable } from "../../base/printable.ts";
import { closeToOutside, openInMemory } from "./closed_database.ts";
import { columnTexts } from "./column_texts.ts";
import { plainValue } from "./plain_value.ts";
import { literal, quote } from "../basics/sql_names.ts";

const queryFormats = ["table", "json", "csv", "parquet"] as const;
/** A form in which a result can be written. */
export type QueryFormat = (typeof queryFormats)[number];

/** A column of a result; the type is DuckDB's name for it, `JSON` included. */
export interface ResultColumn {
  /** Name or alias in the query; not unique. */
  readonly name: string;
  /** Type in SQL: `DOUBLE`, `VARCHAR[]`, `JSON`. */
  readonly type: string;
}

/** Rows of a query, in memory. */
export class QueryResult {
  /** In the order of the query. */
  readonly columns: readonly ResultColumn[];
  /** `[rows, columns]`: null, boolean, number, string, and for nested types arrays and objects. */
  readonly rows: readonly (readonly unknown[])[];
  /** Remarks: runs that were left out or rebuilt. */
  readonly notes: readonly string[];
  readonly #types: readonly DuckDBType[];
  readonly #chunks: readonly DuckDBDataChunk[];

  /** Turns chunks of DuckDB into plain rows; `types` and `columns` are in one order. */
  constructor(
    columns: readonly ResultColumn[],
    types: readonly DuckDBType[],
    chunks: readonly DuckDBDataChunk[],
    notes: readonly string[],
  ) {
    [this.columns, this.#types, this.#chunks, this.notes] = [columns, types, chunks, notes];
    const rows = chunks.flatMap((chunk) => chunk.convertRows(JSDuckDBValueConverter));
    this.rows = rows.map((row) => row.map((value, i) => plainValue(value, columns[i].type)));
  }

  /** The rows as objects by column name. */
  objects(): Record<string, unknown>[] {
    return this.rows.map((row) =>
      Object.fromEntries(this.columns.map(({ name }, i) => [name, row[i]]))
    );
  }

  /** An array of objects, two spaces deep. NaN and the infinities, which JSON lacks, are null. */
  toJson(): string {
    return JSON.stringify(this.objects(), null, 2) + "\n";
  }

  /** RFC 4180 with a header; null is empty, nested values are JSON. */
  toCsv(): string {
    const lines = [this.columns.map((column) => column.name), ...this.rows];
    return lines.map((line) => line.map(csvField).join(",") + "\r\n").join("");
  }

  /**
   * Aligned text: names, a rule, the rows; numbers to the right; texts cut to `width`. Characters
   * that would move the cursor or turn the direction of text are shown as pictures.
   */
  toTable(width = 60): string {
    const names = this.columns.map(({ name }) => visible(name).replaceAll("\n", "⏎"));
    const texts = names.map((_, i) =>
      columnTexts(this.rows.map((row) => visible(cellText(row[i]))), width)
    );
    const lines = this.rows.map((_, at) => texts.map((column) => column[at]));
    const widths = names.map((name, i) =>
      Math.max(...[name, ...lines.map((line) => line[i])].map((text) => [...text].length))
    );
    const right = this.columns.map((_, i) => this.rows.some((row) => typeof row[i] === "number"));
    const render = (line: readonly string[]) =>
      line.map((text, i) => pad(text, widths[i], right[i])).join("  ").trimEnd();
    const rule = widths.map((w) => "─".repeat(w)).join("  ");
    return [render(names), rule, ...lines.map(render)].join("\n") + "\n";
  }

  /**
   * A Parquet file with DuckDB's own types. The rows are handed to a second database, which never
   * sees the user's SQL and therefore may write a file.
   */
  async toParquet(): Promise<Uint8Array> {
    // The working directory is the one place where the command line may write.
    const folder = await Deno.makeTempDir({ dir: ".", prefix: ".sluice-" });
    try {
      const path = join(folder, "result.parquet");
      await writeParquet(path, this.columns, this.#types, this.#chunks);
      return await Deno.readFile(path);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  }

  /** The result in the form that was asked for. */
  async format(format: QueryFormat): Promise<string | Uint8Array> {
    if (format === "parquet") return await this.toParquet();
    return { table: () => this.toTable(), json: () => this.toJson(), csv: () => this.toCsv() }
      [format]();
  }
}

/** Bytes that a cell takes at least, once it is a value of JavaScript. */
const cellBytes = 16;

/**
 * Reads all of a result into memory.
 *
 * @throws Error `Out of Memory Error: …`, as from DuckDB, if the cells alone need more than
 * `memory` bytes.
 */
export async function readResult(
  result: DuckDBResult,
  notes: readonly string[],
  memory = Infinity,
): Promise<QueryResult> {
  const chunks: DuckDBDataChunk[] = [];
  let held = 0;
  for (let chunk = await result.fetchChunk(); chunk?.rowCount; chunk = await result.fetchChunk()) {
    chunks.push(chunk);
    held += cellBytes * chunk.rowCount * chunk.columnCount;
    if (held > memory) throw new Error("Out of Memory Error: the result has too many rows");
  }
  const types = result.columnTypes();
  const columns = result.deduplicatedColumnNames().map((name, i) => {
    return { name, type: types[i].alias ?? String(types[i]) };
  });
  return new QueryResult(columns, types, chunks, notes);
}

async function writeParquet(
  path: string,
  columns: readonly ResultColumn[],
  types: readonly DuckDBType[],
  chunks: readonly DuckDBDataChunk[],
): Promise<void> {
  const instance = await openInMemory();
  const connection = await instance.connect();
  try {
    await connection.run(`set allowed_paths = [${literal(path)}]`);
    for (const statement of closeToOutside) await connection.run(statement);
    const list = columns.map(({ name }, i) => `${quote(name)} ${types[i].alias ?? types[i]}`);
    await connection.run(`create table result (${list.join(", ")})`);
    const appender = await connection.createAppender("result");
    for (const chunk of chunks) appender.appendDataChunk(chunk);
    appender.closeSync();
    await connection.run(`copy result to ${literal(path)} (format parquet, compression zstd)`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

function cellText(value: unknown): string {
  if (value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Text of one line that is safe to print: line feeds are left to `columnTexts`. */
function visible(text: string): string {
  return printable(text).replaceAll("\t", "␉");
}

function pad(text: string, width: number, right: boolean): string {
  const space = " ".repeat(width - [...text].length);
  return right ? space + text : text + space;
}

function csvField(value: unknown): string {
  const text = cellText(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
