/** A table of numbers as a Parquet file, with what describes it in the file's own metadata. */
import { openInMemory } from "./closed_database.ts";
import { literal, quote } from "../basics/sql_names.ts";

/** Columns of equal length by name. */
export type NumberColumns = Readonly<Record<string, ArrayLike<number>>>;

/**
 * Writes a Parquet file (Snappy) whose columns are DOUBLE.
 *
 * @param metadata Texts by key: pairs of the file's footer, as `pyarrow.parquet.read_schema` and
 * DuckDB's `parquet_kv_metadata` read them.
 * @throws RangeError if columns differ in length, or there is none.
 *
 * @example
 * ```ts ignore
 * await writeNumberTable("target.parquet", { log_reward: [0, -1] }, { task: "tiny" });
 * ```
 */
export async function writeNumberTable(
  path: string,
  columns: NumberColumns,
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  const lengths = new Set(Object.values(columns).map((column) => column.length));
  if (lengths.size !== 1) {
    const found = lengths.size === 0 ? "none" : [...lengths].join(", ");
    throw new RangeError(`Cannot write ${path}: wanted columns of one length, found ${found}`);
  }
  const instance = await openInMemory();
  const connection = await instance.connect();
  try {
    const names = Object.keys(columns).map(quote);
    await connection.run(
      `create table written (${names.map((one) => `${one} double`).join(", ")})`,
    );
    const appender = await connection.createAppender("written");
    const values = Object.values(columns);
    for (let row = 0; row < [...lengths][0]; row++) {
      for (const column of values) appender.appendDouble(column[row]);
      appender.endRow();
    }
    appender.closeSync();
    const pairs = Object.entries(metadata).map(([key, text]) => `${quote(key)}: ${literal(text)}`);
    const about = pairs.length === 0 ? "" : `, kv_metadata {${pairs.join(", ")}}`;
    await connection.run(`copy written to ${literal(path)} (format parquet${about})`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}
