/** SQL over the runs of a project: attached read-only, united in views, and locked in. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { inputError } from "../../base/diagnostic.ts";
import { createDocuments, meansDocuments, type RunDocuments } from "./documents.ts";
import { closeToOutside, openInMemory } from "./closed_database.ts";
import type { QueryResult } from "./query_result.ts";
import { readResult } from "./query_result.ts";
import { isAnsweredByIndex, useIndex } from "./run_index.ts";
import { type Attached, attachRuns, createViews, findDamage, mend } from "./runs.ts";
import { findRuns, isBeingWritten } from "./find_runs.ts";
import { columnsOf, type TableName, tableNames } from "./schema.ts";
import { tablesNamed } from "./tables_named.ts";
import { createSweepPoints, meansSweepPoints } from "./sweep_points.ts";
import {
  defaultSqlLimits,
  limitHint,
  type SqlLimits,
  type SqlOutcome,
  withinLimits,
} from "../basics/sql_limits.ts";

/** Which runs a query sees, and how it may be ended early. */
export interface QueryOptions {
  /** A run's id, the beginning of one, or "last"; every finished run without it. */
  readonly run?: string;
  /** Instead of `run`: these alone, by their whole ids; one that is not there is left out. */
  readonly runs?: readonly string[];
  /** Ends the query. */
  readonly signal?: AbortSignal;
  /** Files beside runs that are tables as well. */
  readonly documents?: RunDocuments;
  /** A minute and 2 GiB by default. */
  readonly limits?: Partial<SqlLimits>;
}

/**
 * Runs SQL over the finished runs of a project. Each table of the schema is a view over all of
 * them; a query may touch that and nothing else: no file, no network, no setting.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { query } from "./query.ts";
 * const folder = Deno.makeTempDirSync();
 * const { rows } = await query(folder, "select count(*) as runs from run");
 * assert.equal(Number(rows[0][0]), 0);
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * @throws InputError `query/writes`; `query/sql` with DuckDB's message; `query/unknown-run`; `query/timeout` and
 * `query/memory` if a limit was met.
 */
export async function query(
  root: string,
  sql: string,
  options: QueryOptions = {},
): Promise<QueryResult> {
  requireReading(sql);
  const limits = { ...defaultSqlLimits, ...options.limits };
  const first = await runOnce(root, sql, options, limits);
  if (first.kind === "done") return first.result;
  const notes = first.kind === "failed" && isDamage(first.message)
    ? await mendRuns(root, options.run)
    : [];
  if (notes.length === 0) throw sqlError(first, limits, options.limits !== undefined);
  const second = await runOnce(root, sql, options, limits, notes);
  if (second.kind !== "done") throw sqlError(second, limits, options.limits !== undefined);
  return second.result;
}

/** Statements that write: a table that a query makes would be gone with it. */
const writing =
  /^(?:\s|--.*\n|\/\*(?:(?!\*\/)[^])*\*\/)*(insert|update|delete|create|drop|alter|truncate)\b/i;

/** @throws InputError `query/writes` if the one statement there is would write. */
function requireReading(sql: string): void {
  const [, verb] = writing.exec(sql) ?? [];
  if (verb === undefined || /;\s*\S/.test(sql)) return;
  const message = `Cannot run the query: it would ${verb.toLowerCase()}, and queries only read`;
  const hint = "begin with select, from, with or describe; runs stay what they were";
  throw inputError("query/writes", message, undefined, hint);
}

async function runOnce(
  root: string,
  sql: string,
  { run, runs, signal, documents }: QueryOptions,
  limits: SqlLimits,
  earlier: readonly string[] = [],
): Promise<SqlOutcome<QueryResult>> {
  return await attached(root, { run, runs, sql, documents }, limits, async (connection, notes) => {
    const all = [...earlier, ...notes];
    const read = async () => await readResult(await connection.stream(sql), all, limits.memory);
    return await withinLimits(connection, limits, read, signal);
  });
}

/** One query after the other, each like {@linkcode query}. */
export type Asking = (sql: string) => Promise<QueryResult>;

/**
 * Lends the runs for several queries: they are attached once, which takes longer than most queries.
 * The limits of each query are those of {@linkcode query}.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { queries } from "./query.ts";
 * const folder = Deno.makeTempDirSync();
 * const runs = await queries(folder, {}, (ask) => ask("select count(*) from run"));
 * assert.equal(Number(runs.rows[0][0]), 0);
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * @throws InputError `query/unknown-run`.
 */
export async function queries<T>(
  root: string,
  options: QueryOptions,
  use: (ask: Asking) => Promise<T>,
): Promise<T> {
  const limits = { ...defaultSqlLimits, ...options.limits };
  return await attached(root, options, limits, async (connection, notes) => {
    let last: Promise<unknown> = Promise.resolve();
    const ask = async (sql: string) => {
      const read = async () => await readResult(await connection.stream(sql), notes, limits.memory);
      const outcome = await withinLimits(connection, limits, read, options.signal);
      // A damaged file is rebuilt there, and every failure reported.
      return outcome.kind === "done" ? outcome.result : await query(root, sql, options);
    };
    return await use((sql) => {
      const next = last.then(() => ask(sql));
      last = next.catch(() => undefined);
      return next;
    });
  });
}

/** Lends a connection that sees the runs and nothing else. */
async function attached<T>(
  root: string,
  { run, runs, sql, documents }:
    & Pick<QueryOptions, "run" | "runs" | "documents">
    & { readonly sql?: string },
  limits: SqlLimits,
  use: (connection: DuckDBConnection, notes: readonly string[]) => Promise<T>,
): Promise<T> {
  const ids = runs ? findRuns(root).filter((id) => runs.includes(id)) : findRuns(root, run);
  const wanted = tablesNamed(sql);
  const lend = (attach: typeof attachAll) =>
    inMemory(limits, async (connection) => {
      await createEmptyRuns(connection);
      const found = await attach(connection, root, ids, wanted);
      if (!found) return undefined;
      const { notes, live } = found;
      if (ids.length > 0 && live.length === ids.length) throw allLive(live);
      if (documents && meansDocuments(sql, documents)) {
        await createDocuments(connection, root, ids, documents);
      }
      if (meansSweepPoints(sql)) await createSweepPoints(connection, root);
      for (const statement of closeToOutside) await connection.run(statement);
      return { answer: await use(connection, [...newerThanLast(root, run, ids), ...notes]) };
    });
  const isSmall = (run ?? runs) === undefined && ids.length > 1 && isAnsweredByIndex(sql);
  return (isSmall && await lend(useIndex) || await lend(attachAll))!.answer;
}

/** Runs that are newer than the last one, for they are still being written. */
function newerThanLast(root: string, run: string | undefined, [last]: readonly string[]): string[] {
  if (run !== "last" || last === undefined) return [];
  return findRuns(root).filter((id) => id > last && isBeingWritten(root, id))
    .map((id) => `run ${id}: it is still being written; "last" is ${last}`);
}

async function attachAll(
  connection: DuckDBConnection,
  root: string,
  ids: readonly string[],
  wanted: readonly TableName[],
): Promise<Pick<Attached, "notes" | "live"> | undefined> {
  const { attached, notes, live } = await attachRuns(connection, root, ids, wanted);
  await createViews(connection, attached);
  return { notes, live };
}

/** An answer about no run would look like one about a run without rows. */
function allLive([run, ...others]: readonly string[]): Error {
  const which = others.length > 0 ? `${others.length + 1} runs are` : `run ${run} is`;
  return new Error(
    `Cannot run the query: ${which} still being written\n` +
      "  mend: wait until it ends, or read its log in logs/ of its folder",
  );
}

/** Reads every row of every run, rebuilds the runs that cannot be read, and notes them. */
async function mendRuns(root: string, run: string | undefined): Promise<string[]> {
  return await inMemory({}, async (connection) => {
    const notes: string[] = [];
    const { attached } = await attachRuns(connection, root, findRuns(root, run));
    for (const statement of closeToOutside) await connection.run(statement);
    for (const each of attached) {
      const damage = await findDamage(connection, each);
      if (damage) notes.push(`run ${each.runId}: ${await mend(each, damage)}`);
    }
    return notes;
  });
}

/** Lends a connection to a database in memory. */
async function inMemory<T>(
  limits: Partial<SqlLimits>,
  use: (connection: DuckDBConnection) => Promise<T>,
): Promise<T> {
  const instance = await openInMemory(limits);
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

function sqlError(
  { kind, message }: Exclude<SqlOutcome<unknown>, { kind: "done" }>,
  { timeout, memory }: SqlLimits,
  canRaise: boolean,
): Error {
  const cannot = "Cannot run the query";
  if (kind === "timeout") {
    const hint = limitHint(`--timeout ${10 * timeout}`, canRaise);
    return inputError("query/timeout", `${cannot}: ${message}`, undefined, hint);
  }
  if (kind === "memory") {
    const gib = Math.max(1, Math.ceil((4 * memory) / 1024 ** 3));
    const hint = limitHint(`--memory ${gib}GiB`, canRaise);
    return inputError("query/memory", `${cannot}: ${firstLine(message)}`, undefined, hint);
  }
  const hint = `tables: ${tableNames.join(", ")}`;
  return inputError("query/sql", `${cannot}: ${message}`, undefined, hint);
}

/** Further lines of DuckDB about memory name settings that are locked. */
function firstLine(message: string): string {
  return message.split("\n", 1)[0];
}

function isDamage(message: string): boolean {
  return /corrupt|checksum|could not read|fatal error|invalidated/i.test(message);
}
