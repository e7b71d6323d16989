/**
 * The index: small tables of all finished runs in one database, so that a question about them opens one
 * file and not that of every run. It is a copy, in `.sluice`, and made again where it does not fit.
 */
import type { DuckDBConnection } from "@duckdb/node-api";
import { join } from "node:path";
import { explainWrites, removeIfThere } from "../../base/atomic.ts";
import { stampOf } from "../../base/file_stamp.ts";
import { type Attached, attachRuns, createView, selectReadable } from "./runs.ts";
import { columnsOf, schemaVersion, type TableName, tableNames } from "./schema.ts";
import { tablesNamed } from "./tables_named.ts";
import { literal } from "../basics/sql_names.ts";

/** Tables that the index holds. */
const indexed: readonly TableName[] = ["run", "param", "stage_run", "evaluation"];

/** True if all tables that the SQL may mean are in the index. */
export function isAnsweredByIndex(sql: string | undefined): boolean {
  return tablesNamed(sql).every((table) => indexed.includes(table));
}

/**
 * Makes the views of indexed tables over the index, brought up to date; the other views are empty.
 * Undefined if there is no index to be had, for another process writes it or the disk refuses: the
 * connection is then useless.
 */
export async function useIndex(
  connection: DuckDBConnection,
  root: string,
  runIds: readonly string[],
): Promise<Pick<Attached, "notes" | "live"> | undefined> {
  const path = join(root, ".sluice", `index-${schemaVersion}.duckdb`);
  try {
    const stamps = stampsOf(root, runIds);
    if (!await isThere(connection, path)) await make(connection, path);
    const old = await heldStamps(connection);
    const changed = runIds.filter((id) => old.get(id) !== stamps.get(id));
    const gone = [...old.keys()].filter((id) => !stamps.has(id));
    const told = changed.length + gone.length > 0
      ? await update(connection, path, { root, changed, gone })
      : { notes: [], live: [] };
    for (const table of tableNames) {
      const parts = indexed.includes(table) ? [selectIndexed(table)] : [];
      await createView(connection, table, parts);
    }
    return told;
  } catch {
    return undefined;
  }
}

function selectIndexed(table: TableName): string {
  return `(select * exclude (in_run) from (${selectReadable("run_index", table)}))`;
}

/** Size, times and inode of each run's database, and of what was not yet brought into it. */
function stampsOf(root: string, runIds: readonly string[]): Map<string, string> {
  const found = runIds.map((id) => [id, stampOfRun(join(root, "runs", id, "run.duckdb"))] as const);
  return new Map(found);
}

function stampOfRun(path: string): string {
  return [path, `${path}.wal`].map((one) => {
    try {
      return stampOf(one);
    } catch {
      return "none";
    }
  }).join(", ");
}

async function isThere(connection: DuckDBConnection, path: string): Promise<boolean> {
  try {
    await attach(connection, path, "read_only");
    await heldStamps(connection);
    return true;
  } catch {
    await connection.run("detach run_index").catch(() => {});
    return false;
  }
}

async function attach(connection: DuckDBConnection, path: string, how = "read_write") {
  await connection.run(`attach ${literal(path)} as run_index (${how})`);
}

/** Makes a new index; a file at the path that is no index is removed. */
async function make(connection: DuckDBConnection, path: string): Promise<void> {
  explainWrites(path, () => Deno.mkdirSync(join(path, ".."), { recursive: true }));
  [path, `${path}.wal`].forEach(removeIfThere);
  await attach(connection, path);
  await connection.run("create table run_index.held (in_run VARCHAR, stamp VARCHAR)");
  for (const table of indexed) {
    const columns = Object.entries(columnsOf(table)).map(([name, type]) => `"${name}" ${type}`);
    const list = [...columns, "in_run VARCHAR"].join(", ");
    await connection.run(`create table run_index."${table}" (${list})`);
  }
}

async function heldStamps(connection: DuckDBConnection): Promise<Map<string, string>> {
  const rows = await connection.runAndReadAll("select in_run, stamp from run_index.main.held");
  return new Map(rows.getRowsJS().map(([run, stamp]) => [String(run), String(stamp)]));
}

interface Changes {
  readonly root: string;
  readonly changed: readonly string[];
  readonly gone: readonly string[];
}

/** Runs that are attached at once: each takes memory while it is. */
const runsAtOnce = 32;

/** Brings the runs that changed into the index. */
async function update(connection: DuckDBConnection, path: string, changes: Changes) {
  const { root, changed, gone } = changes;
  await connection.run("detach run_index");
  await attach(connection, path);
  await forget(connection, [...changed, ...gone]);
  const told: { notes: string[]; live: string[] } = { notes: [], live: [] };
  for (let at = 0; at < changed.length; at += runsAtOnce) {
    const { notes, live } = await addRuns(connection, root, changed.slice(at, at + runsAtOnce));
    told.notes.push(...notes);
    told.live.push(...live);
  }
  await connection.run("detach run_index");
  await attach(connection, path, "read_only");
  return told;
}

async function forget(connection: DuckDBConnection, runs: readonly string[]): Promise<void> {
  for (const table of ["held", ...indexed]) {
    const those = runs.map(literal).join(", ");
    await connection.run(`delete from run_index.main."${table}" where in_run in (${those})`);
  }
}

async function addRuns(connection: DuckDBConnection, root: string, runIds: readonly string[]) {
  const { attached, notes, live } = await attachRuns(connection, root, runIds);
  const stamps = stampsOf(root, runIds); // a run that was rebuilt has another
  await connection.run("begin");
  for (const { alias, runId } of attached) {
    const id = literal(runId);
    for (const table of indexed) {
      const rows = `select *, ${id} as in_run from ${alias}.main."${table}"`;
      await connection.run(`insert into run_index.main."${table}" by name ${rows}`);
    }
    const held = `${id}, ${literal(stamps.get(runId)!)}`;
    await connection.run(`insert into run_index.main.held values (${held})`);
  }
  await connection.run("commit");
  for (const { alias } of attached) await connection.run(`detach ${alias}`);
  return { notes, live };
}
