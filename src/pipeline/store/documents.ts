/** Files beside the databases of runs as tables of SQL. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { join } from "node:path";

/** A JSON file that runs may have, and the tables that it holds. */
export interface RunDocuments {
  /** Name of the file in the folder of a run. */
  readonly file: string;
  /** By name: SQL that selects a table from `run_document (run_id VARCHAR, document JSON)`. */
  readonly tables: Readonly<Record<string, string>>;
}

/** Whether SQL may mean one of the tables. */
export function meansDocuments(sql: string | undefined, { tables }: RunDocuments): boolean {
  const words = new Set(sql?.toLowerCase().match(/\w+/g));
  return Object.keys(tables).some((table) => words.has(table));
}

/** Makes the tables; a run without the file, or whose file is no JSON, has no row in them. */
export async function createDocuments(
  connection: DuckDBConnection,
  root: string,
  runIds: readonly string[],
  { file, tables }: RunDocuments,
): Promise<void> {
  await connection.run("create table run_document (run_id VARCHAR, document JSON)");
  for (const runId of runIds) {
    const text = readJsonText(join(root, "runs", runId, file));
    if (text === undefined) continue;
    await connection.run("insert into run_document values ($1, $2)", [runId, text]);
  }
  for (const [table, sql] of Object.entries(tables)) {
    await connection.run(`create table "${table}" as ${sql}`);
  }
}

function readJsonText(path: string): string | undefined {
  try {
    const text = Deno.readTextFileSync(path);
    JSON.parse(text);
    return text;
  } catch {
    return undefined;
  }
}
