/** The runs of a project that SQL may read: found, attached read-only, and mended where damaged. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { join } from "node:path";
import { attachLive } from "./live_run.ts";
import { isBeingWritten } from "./find_runs.ts";
import { isLockConflict, isOpenHere } from "./database.ts";
import { RunStore } from "./run_store.ts";
import { columnsOf, schemaVersion, type TableName, tableNames } from "./schema.ts";
import { literal } from "../basics/sql_names.ts";

/** A run that has been attached, under its name in SQL. */
interface AttachedRun {
  readonly runId: string;
  readonly folder: string;
  readonly alias: string;
  /** A process writes it: its segments were read. */
  readonly isLive?: boolean;
}

/** Result of attaching runs. */
export interface Attached {
  readonly attached: readonly AttachedRun[];
  /** Warnings: runs that could not be read, or had to be mended. */
  readonly notes: readonly string[];
  /** Ids of the runs that a process writes. */
  readonly live: readonly string[];
}

/**
 * Attaches runs; those that could not be read, or had to be mended, are named in `notes`.
 *
 * @param wanted Tables of a running run that are read; its others are not.
 */
export async function attachRuns(
  connection: DuckDBConnection,
  root: string,
  runIds: readonly string[],
  wanted: readonly TableName[] = tableNames,
): Promise<Attached> {
  const runs = runIds.map((runId, i) => {
    return { runId, folder: join(root, "runs", runId), alias: `run_${i}` };
  });
  const [one] = runs;
  if (runs.length === 1 && isBeingWritten(root, one.runId)) {
    await attachLive(connection, one, withPrograms(wanted));
    return { attached: [{ ...one, isLive: true }], notes: [], live: [] };
  }
  const obstacles = new Map<AttachedRun, string>();
  for (const run of runs) {
    const obstacle = await attach(connection, run);
    if (obstacle !== undefined) obstacles.set(run, obstacle);
  }
  for (const run of await findShort(connection, runs.filter((run) => !obstacles.has(run)))) {
    await connection.run(`detach ${run.alias}`);
    obstacles.set(run, "the file is shorter than its header says");
  }
  return await overcome(connection, runs, obstacles);
}

/** Tables, and that of the texts which views show instead of digests. */
function withPrograms(tables: readonly TableName[]): readonly TableName[] {
  return tables.some((table) => "program" in columnsOf(table)) ? [...tables, "program"] : tables;
}

async function overcome(
  connection: DuckDBConnection,
  runs: readonly AttachedRun[],
  obstacles: ReadonlyMap<AttachedRun, string>,
): Promise<Attached> {
  const attached = new Set(runs.filter((run) => !obstacles.has(run)));
  const [notes, live]: [string[], string[]] = [[], []];
  for (const [run, obstacle] of obstacles) {
    const isWritten = isLive(run, obstacle);
    if (isWritten) live.push(run.runId);
    const text = isWritten ? "it is still being written" : await mend(run, obstacle);
    const usable = !isWritten && await attach(connection, run) === undefined;
    if (usable) attached.add(run);
    notes.push(`run ${run.runId}: ${usable ? "" : "left out: "}${text}`);
  }
  return { attached: runs.filter((run) => attached.has(run)), notes, live };
}

/** Opened for writing, here or by another process. */
function isLive(run: AttachedRun, obstacle: string): boolean {
  return isOpenHere(databasePath(run)) || isLockConflict(obstacle);
}

function databasePath({ folder }: AttachedRun): string {
  return join(folder, "run.duckdb");
}

/** Rebuilds a run's database from its segments; returns the fault and the outcome. */
export async function mend(run: AttachedRun, damage: string): Promise<string> {
  if (hasNoRows(run)) return "it has no rows yet";
  if (damage.startsWith(versionObstacle)) return damage;
  const short = damage.split("\n")[0].slice(0, 200);
  try {
    const { rows, damagedLines, damagedFiles } = await RunStore.rebuild(run.folder);
    const lost = [[damagedLines, "line"], [damagedFiles, "file"]].map(([count, what]) =>
      Number(count) > 0 ? `, ${count} damaged ${what}${count === 1 ? "" : "s"} left out` : ""
    ).join("");
    return `the database was damaged (${short}); rebuilt from its segments, ${rows} rows${lost}`;
  } catch (error) {
    return `${short}; ${error instanceof Error ? error.message : error}`;
  }
}

/** A run that is about to be made, or was killed then: there is nothing to rebuild. */
function hasNoRows({ folder }: AttachedRun): boolean {
  try {
    return Deno.readDirSync(join(folder, "rows")).next().done === true;
  } catch {
    return false;
  }
}

/** Undefined if the run is attached; else the obstacle, in DuckDB's words. */
async function attach(
  connection: DuckDBConnection,
  run: AttachedRun,
): Promise<string | undefined> {
  const path = databasePath(run);
  if (isOpenHere(path)) return "it is open in this process";
  try {
    await connection.run(`attach ${literal(path)} as ${run.alias} (read_only)`);
    return await otherVersion(connection, run);
  } catch (error) {
    return error instanceof Error ? error.message : `${error}`;
  }
}

/** Obstacle to uniting a run of another schema version with others. */
async function otherVersion(
  connection: DuckDBConnection,
  { alias }: AttachedRun,
): Promise<string | undefined> {
  const sql = `select max(version) from ${alias}.main.schema_version`;
  const [[version]] = (await connection.runAndReadAll(sql)).getRowsJS();
  if (version === schemaVersion) return undefined;
  await connection.run(`detach ${alias}`);
  return `${versionObstacle} ${version}, this Sluice reads version ${schemaVersion}`;
}

const versionObstacle = "its tables are of version";

/** The runs whose file is shorter than three headers of 4 KiB and the blocks that it counts. */
async function findShort(
  connection: DuckDBConnection,
  runs: readonly AttachedRun[],
): Promise<AttachedRun[]> {
  const sql = "select database_name, 12288 + total_blocks * block_size from pragma_database_size()";
  const rows = (await connection.runAndReadAll(sql)).getRowsJS();
  const sizes = new Map(rows.map(([name, size]) => [String(name), Number(size)]));
  return runs.filter((run) => Deno.statSync(databasePath(run)).size < sizes.get(run.alias)!);
}

/** The first complaint of DuckDB when it reads every row of a run; undefined if it has none. */
export async function findDamage(
  connection: DuckDBConnection,
  { alias }: AttachedRun,
): Promise<string | undefined> {
  try {
    for (const table of (await tablesByDatabase(connection)).get(alias) ?? []) {
      await connection.run(`select bit_xor(hash(t)) from ${alias}.main."${table}" t`);
    }
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : `${error}`;
  }
}

/** Views that unite the attached runs, one for each table of the schema. */
export async function createViews(
  connection: DuckDBConnection,
  attached: readonly AttachedRun[],
): Promise<void> {
  for (const table of tableNames) {
    await createView(
      connection,
      table,
      attached.map((one) => selectReadable(one.alias, table, one.isLive)),
    );
  }
}

/** A view under the name of a table; without `parts` it has its columns and no row. */
export async function createView(
  connection: DuckDBConnection,
  table: TableName,
  parts: readonly string[],
): Promise<void> {
  const digest = "program" in columnsOf(table)
    ? ", program as program_sha256, program as scored_sha256"
    : "";
  const empty = `select *${digest} from empty_runs."${table}"`;
  const sql = [empty, ...parts].join(" union all by name ");
  await connection.run(`create or replace view "${table}" as ${sql}`);
}

/** A run is attached only where no process writes it: one of status `running` was killed. */
const statusNow = "case status when 'running' then 'interrupted' else status end";

/**
 * The rows of a table of a run; where a column names a program by its digest, the view shows the
 * text, and by whose execution it is scored.
 */
export function selectReadable(alias: string, table: TableName, isLive = false): string {
  const rows = `${alias}.main."${table}"`;
  if (table === "run" && !isLive) return `select * replace (${statusNow} as status) from ${rows}`;
  if (!("program" in columnsOf(table))) return `select * from ${rows}`;
  return `select t.* replace (coalesce(p.text, t.program) as program), ` +
    `t.program as program_sha256, coalesce(p.scored_as, t.program) as scored_sha256 ` +
    `from ${rows} t left join ${alias}.main.program p on p.sha256 = t.program`;
}

async function tablesByDatabase(connection: DuckDBConnection): Promise<Map<string, string[]>> {
  const sql = "select database_name, list(table_name) from duckdb_tables() group by all";
  const rows = (await connection.runAndReadAll(sql)).getRowsJS();
  return new Map(rows.map(([name, tables]) => [String(name), tables as string[]]));
}
