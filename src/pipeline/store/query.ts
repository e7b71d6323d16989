/** SQL over the runs of a project: attached read-only, united in views, and locked in. */
import { DuckDBInstance } from "@duckdb/node-api";
import type { DuckDBConnection } from "@duckdb/node-api";
import { inputError } from "../../base/diagnostic.ts";
import type { QueryResult } from "./query_result.ts";
import { readResult } from "./query_result.ts";
import { attachRuns, createViews, findDamage, findRuns, mend } from "./runs.ts";
import { columnsOf, tableNames } from "./schema.ts";

/** Which runs a query sees, and how it may be ended early. */
export interface QueryOptions {
  /** A run's id, the beginning of one, or "last"; every finished run without it. */
  readonly run?: string;
  readonly signal?: AbortSignal;
}

/**
 * Runs SQL over the finished runs of a project. Each table of the schema is a view over all of
 * them; what a query may touch is that and nothing else: no file, no network, no setting.
 *
 * @throws InputError `query/sql` with DuckDB's message; `query/unknown-run`.
 */
export async function query(
  root: string,
  sql: string,
  options: QueryOptions = {},
): Promise<QueryResult> {
  const first = await runOnce(root, sql, options);
  if (first.kind === "done") return first.result;
  const notes = isDamage(first.message) ? await mendRuns(root, options.run) : [];
  if (notes.length === 0) throw sqlError(first.message);
  const second = await runOnce(root, sql, options, notes);
  if (second.kind === "failed") throw sqlError(second.message);
  return second.result;
}

type Attempt =
  | { readonly kind: "done"; readonly result: QueryResult }
  | { readonly kind: "failed"; readonly message: string };

async function runOnce(
  root: string,
  sql: string,
  { run, signal }: QueryOptions,
  earlier: readonly string[] = [],
): Promise<Attempt> {
  return await inMemory(async (connection) => {
    await createEmptyRuns(connection);
    const { attached, notes } = await attachRuns(connection, root, findRuns(root, run));
    await createViews(connection, attached);
    await connection.run("set enable_external_access = false");
    await connection.run("set lock_configuration = true");
    return await runUserSql(connection, sql, [...earlier, ...notes], signal);
  });
}

/** DuckDB forgets an interruption that comes before a statement runs: it is asked again. */
const interruptEveryMs = 20;

async function runUserSql(
  connection: DuckDBConnection,
  sql: string,
  notes: readonly string[],
  signal: AbortSignal | undefined,
): Promise<Attempt> {
  let again: ReturnType<typeof setInterval> | undefined;
  const interrupt = () => {
    connection.interrupt();
    again = setInterval(() => connection.interrupt(), interruptEveryMs);
  };
  signal?.throwIfAborted();
  signal?.addEventListener("abort", interrupt);
  try {
    const result = await readResult(await connection.stream(sql), notes);
    return { kind: "done", result };
  } catch (error) {
    signal?.throwIfAborted();
    return { kind: "failed", message: error instanceof Error ? error.message : `${error}` };
  } finally {
    signal?.removeEventListener("abort", interrupt);
    clearInterval(again);
  }
}

/** Reads every row of every run, rebuilds the runs that cannot be read, and tells of them. */
async function mendRuns(root: string, run: string | undefined): Promise<string[]> {
  return await inMemory(async (connection) => {
    const notes: string[] = [];
    const { attached } = await attachRuns(connection, root, findRuns(root, run));
    for (const each of attached) {
      const damage = await findDamage(connection, each);
      if (damage) notes.push(`run ${each.runId}: ${await mend(each, damage)}`);
    }
    return notes;
  });
}

/** Lends a connection to a database in memory. */
async function inMemory<T>(use: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  try {
    return await use(connection);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** An empty table of each kind, so that a view has its columns even when no run is there. */
async function createEmptyRuns(connection: DuckDBConnection): Promise<void> {
  await connection.run("create schema empty_runs");
  for (const table of tableNames) {
    const columns = Object.entries(columnsOf(table)).map(([name, type]) => `"${name}" ${type}`);
    await connection.run(`create table empty_runs."${table}" (${columns.join(", ")})`);
  }
}

function sqlError(message: string): Error {
  const hint = `tables: ${tableNames.join(", ")}`;
  return inputError("query/sql", `Cannot run the query: ${message}`, undefined, hint);
}

function isDamage(message: string): boolean {
  return /corrupt|checksum|could not read|fatal error|invalidated/i.test(message);
}
