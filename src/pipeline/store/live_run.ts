/** A run that is being written, as tables: its segments, which lag by half a second, read into memory. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { join } from "node:path";
import type { Cells } from "./cells.ts";
import { appendCells } from "./database.ts";
import { fill, type RowDatabase } from "./run_store.ts";
import { createStatements, type TableName } from "./schema.ts";
import { SegmentLog } from "./segments.ts";

/**
 * Attaches a run under a name, with the rows of the tables that are wanted. The last line of a segment may be half written, and is left out; no
 * file of the run is locked or changed, so that the run does not see its readers.
 */
export async function attachLive(
  connection: DuckDBConnection,
  { folder, runId, alias }: {
    readonly folder: string;
    readonly runId: string;
    readonly alias: string;
  },
  wanted: readonly TableName[],
): Promise<void> {
  await connection.run(`attach ':memory:' as ${alias}`);
  await connection.run(`use ${alias}.main`);
  try {
    for (const statement of createStatements()) await connection.run(statement);
    const rows = new SegmentLog(join(folder, "rows"));
    await fill(new InMemory(connection, alias), rows, runId, new Set(wanted));
  } finally {
    await connection.run("use memory.main");
  }
}

/** Tables of an attached database that is in memory. */
class InMemory implements RowDatabase {
  constructor(readonly connection: DuckDBConnection, readonly alias: string) {}

  async run(sql: string, values: readonly (string | number)[] = []): Promise<void> {
    await this.connection.run(sql, [...values]);
  }

  async select(sql: string): Promise<readonly (readonly unknown[])[]> {
    return (await this.connection.runAndReadAll(sql)).getRowsJS();
  }

  async append(table: TableName, rows: readonly Cells[]): Promise<void> {
    const appender = await this.connection.createAppender(table, "main", this.alias);
    appendCells(appender, table, rows);
    appender.closeSync();
  }
}
