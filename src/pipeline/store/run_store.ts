/** The store of one run: rows go to segments and to DuckDB; it resumes, rewinds, and is rebuilt. */
import { basename, join } from "node:path";
import { inputError } from "../../base/diagnostic.ts";
import { explainWrites, removeIfThere } from "../../base/atomic.ts";
import { hashRegular } from "../../base/regular_file.ts";
import type { Cells } from "./cells.ts";
import type { Row } from "./row.ts";
import { checkTable, toCells } from "./cells.ts";
import { RunDatabase } from "./database.ts";
import { keyOf, Repeats } from "./repeats.ts";
import type { TableName } from "./schema.ts";
import { columnsOf, schemaOf, tableNames } from "./schema.ts";
import { ulid } from "../basics/ulid.ts";
import type { SqlLimits, SqlOutcome } from "../basics/sql_limits.ts";
import type { StoredRow } from "./segments.ts";
import { SegmentLog } from "./segments.ts";
import { mendRows } from "./rows_aside.ts";
import { isOf, readRowsSql, writeRowsSql } from "./stage_rows.ts";

/** Where rows come from; fills the columns `stage` and `step` of rows that lack them. */
interface RowOrigin {
  /** Name of the stage, with its loop's before it: `train.sample`. */
  readonly stage: string;
  /** The loop's step, from 1; 0 outside a loop. */
  readonly step?: number;
  readonly attempt?: number;
}

/** Owner of the rows that the runner itself writes: `run`, `param`, `stage_run`, `event` … */
export const runnerOrigin: RowOrigin = { stage: "_run" };

/** Milliseconds after which rows that wait are written, for each write costs a few. */
const flushEvery = 500;

/** Digest of the file of each table. */
type StageFiles = Readonly<Record<string, string>>;

/** A file of rows, whole. */
interface StageFile {
  readonly path: string;
  readonly sha256: string;
}

/** A file of rows that is to be brought into the database. */
interface WaitingFile {
  readonly table: TableName;
  readonly path: string;
  /** Name of the stage in the run. */
  readonly stage: string;
}

/** Result of rebuilding a database. */
interface Rebuilt {
  readonly rows: number;
  readonly damagedLines: number;
  /** Files of rows that are damaged. */
  readonly damagedFiles: number;
}

/** Rows of these tables belong to the run, and a stage may add them. */
const isShared = (table: TableName): boolean => schemaOf(table).scope === "run";

/**
 * Folder of a run.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { runFolder } from "./run_store.ts";
 * assert.equal(runFolder("/project", "01J"), "/project/runs/01J");
 * ```
 */
export function runFolder(root: string, runId: string): string {
  return join(root, "runs", runId);
}

/** An open run: `runs/<ulid>/` with `run.duckdb`, `rows/` and `logs/`. One writer at a time. */
export class RunStore {
  readonly folder: string;
  readonly runId: string;
  readonly #database: RunDatabase;
  readonly #segments: SegmentLog;
  readonly #repeats: Repeats;
  #waiting: StoredRow[] = [];
  #files: WaitingFile[] = [];
  #lastFlush = performance.now();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #work: Promise<unknown> = Promise.resolve();
  #failure: unknown;

  private constructor(folder: string, runId: string, database: RunDatabase, repeats: Repeats) {
    [this.folder, this.runId, this.#database, this.#repeats] = [folder, runId, database, repeats];
    this.#segments = new SegmentLog(join(folder, "rows"));
  }

  /** Makes the folder and the empty database of a new run. */
  static async create(root: string, runId: string): Promise<RunStore> {
    const folder = runFolder(root, runId);
    explainWrites(folder, () => {
      Deno.mkdirSync(join(folder, "rows"), { recursive: true });
      Deno.mkdirSync(join(folder, "logs"), { recursive: true });
    });
    const database = await RunDatabase.create(join(folder, "run.duckdb"));
    return new RunStore(folder, runId, database, new Repeats());
  }

  /** Opens a run again; a damaged database is rebuilt from the segments first. */
  static async open(root: string, runId: string): Promise<RunStore> {
    const folder = runFolder(root, runId);
    const path = join(folder, "run.duckdb");
    let opened = await RunDatabase.open(path);
    if (opened.kind === "damaged") {
      await RunStore.rebuild(folder);
      opened = await RunDatabase.open(path);
    }
    if (opened.kind === "damaged") throw new Error(`internal: rebuilt, yet ${opened.message}`);
    return new RunStore(folder, runId, opened.database, await Repeats.of(opened.database));
  }

  /**
   * Rebuilds `run.duckdb` of a run's folder from its row segments.
   *
   * @throws InputError `store/no-segments` if the folder has none.
   */
  static async rebuild(folder: string): Promise<Rebuilt> {
    const segments = openSegments(folder);
    const [path, fresh] = [join(folder, "run.duckdb"), join(folder, "run.duckdb.rebuild")];
    [fresh, `${fresh}.wal`].forEach(removeIfThere);
    const database = await RunDatabase.create(fresh);
    let found: Rebuilt = { rows: 0, damagedLines: 0, damagedFiles: 0 };
    await database.together(async () => {
      found = await fill(database, segments, basename(folder));
    });
    await database.close();
    removeIfThere(`${path}.wal`);
    Deno.renameSync(fresh, path);
    return found;
  }

  /**
   * Adds rows to a table. They are checked at once and written within the second, or by `flush`.
   * A `program` or `execution` that the run has already is not added again.
   *
   * @throws TypeError (`internal:`) on an unknown table or column, a value of another type, and a
   * row whose key the run has already in a table that refuses such.
   */
  append(table: string, rows: readonly Row[], origin: RowOrigin): void {
    if (this.#failure) throw this.#failure;
    const name = checkTable(table);
    const { stage, step = 0, attempt = 1 } = origin;
    const own = stage === runnerOrigin.stage ? undefined : stage;
    const context = { stage: own, step, run_id: this.runId };
    const taken: Cells[] = [];
    try {
      for (const row of rows) {
        const cells = toCells(name, row, context);
        this.#repeats.refuse({ table: name, cells });
        taken.push(cells);
      }
    } finally {
      this.#add(ownerOf(stage), attempt, name, taken);
    }
    this.#flushSoon();
  }

  /** Writes buffered rows to the segments and to the database, and waits for all writes before. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastFlush = performance.now();
    this.#segments.flush();
    const [rows, files] = [this.#waiting, this.#files];
    [this.#waiting, this.#files] = [[], []];
    await this.#serially(() => this.#write(rows, files)); // also after a write that the timer began
    if (this.#failure) throw this.#failure;
  }

  /** One commit for all of it. */
  async #write(given: readonly StoredRow[], files: readonly WaitingFile[]): Promise<void> {
    if (given.length + files.length === 0) return;
    const rows = await this.#repeats.firsts(this.#database, given);
    await this.#database.together(async () => {
      await writeRows(this.#database, rows);
      for (const { table, path, stage } of files) {
        await this.#database.run(readRowsSql(table, path, this.runId, stage));
      }
    });
    this.#repeats.unload(files.map(({ table }) => table));
  }

  /**
   * Commits the rows of a stage for a checkpoint, and begins a new segment for later rows. Returns
   * the name to give `deleteRows` when that checkpoint is resumed.
   */
  async cut(stage: string): Promise<string | undefined> {
    await this.flush();
    return this.#segments.cut(ownerOf(stage));
  }

  /**
   * Takes a stage (and its inner stages) back to a checkpoint: deletes its rows of steps after
   * `afterStep` and its segments after `segment`. With `afterStep` -1 and no segment all its rows
   * go. Rows that belong to the run (programs, executions) stay: they would come back the same.
   */
  async deleteRows(stage: string, afterStep: number, segment?: string): Promise<void> {
    await this.flush();
    this.#segments.deleteAfter(ownerOf(stage), segment);
    this.#repeats.forget(stage, afterStep);
    await this.#serially(async () => {
      for (const table of tableNames) {
        if (schemaOf(table).scope !== "stage") continue;
        const where = "(stage = $1 or starts_with(stage, $1 || '.')) and step > $2";
        await this.#database.run(`delete from "${table}" where ${where}`, [stage, afterStep]);
      }
    });
  }

  /**
   * All rows that a top-level stage added, as one file for each table that has some; `keep` takes
   * each away.
   */
  async exportStage(stage: string, keep: (file: string) => string): Promise<StageFiles> {
    if (!this.#segments.has(ownerOf(stage))) return {}; // most stages of many write no row
    await this.flush();
    const found: [TableName, string][] = [];
    await this.#serially(async () => {
      for (const table of await this.#tablesOf(stage)) {
        const file = join(this.folder, "rows", `.${ulid()}.parquet`);
        await this.#writeFile(table, stage, file);
        found.push([table, keep(file)]);
      }
    });
    return Object.fromEntries(found);
  }

  /** Writes the rows of stages that are done into another folder of segments: a file for each table of each. */
  async packRows(stages: readonly string[], folder: string): Promise<void> {
    const packed = new SegmentLog(folder);
    for (const stage of stages) {
      const files = await this.exportStage(stage, (file) => file);
      for (const [table, path] of Object.entries(files)) {
        const sha256 = hashRegular(path, Infinity);
        packed.add(ownerOf(stage), table as TableName, { path, sha256 });
        removeIfThere(path);
      }
    }
  }

  /** Tables that have rows of a stage. */
  async #tablesOf(stage: string): Promise<TableName[]> {
    const own = tableNames.filter((table) => schemaOf(table).scope === "stage");
    const counts = own.map((table) =>
      `select '${table}' where exists (select 1 from "${table}" where ${isOf(stage)})`
    );
    const rows = await this.#database.select(counts.join(" union all "));
    const shared = new Set<TableName>();
    for (const { table } of this.#segments.written(ownerOf(stage), isShared)) shared.add(table);
    const has = new Set([...rows.map(([table]) => table as TableName), ...shared]);
    return tableNames.filter((table) => has.has(table));
  }

  /** Rows that belong to the run are in the database once: the segments of a stage record which are its own. */
  async #writeFile(table: TableName, stage: string, file: string): Promise<void> {
    if (!isShared(table)) {
      const own = `(select * from "${table}" where ${isOf(stage)} order by rowid)`;
      return await this.#database.run(writeRowsSql(table, own, stage, file));
    }
    const written = this.#segments.written(ownerOf(stage), (one) => one === table);
    const rows = new Repeats().distinct(written).map(({ cells }) => cells);
    await this.#database.staged(table, rows, async (source) => {
      await this.#database.run(writeRowsSql(table, source, stage, file));
    });
  }

  /** Adds the rows of a stage that was done before, as rows of this run, like `append`. */
  importStage(stage: string, files: Readonly<Record<string, StageFile>>): void {
    if (this.#failure) throw this.#failure;
    for (const table of tableNames.filter((one) => one in files)) {
      const path = this.#segments.add(ownerOf(stage), table, files[table]);
      this.#files.push({ table, path, stage });
    }
    this.#flushSoon();
  }

  /**
   * Takes over the rows of a stage, up to a segment, from another run that no process writes any
   * more: its rows become rows of this run, in as many segments. Gives the name of the last;
   * undefined if a row is damaged, and nothing is taken over.
   */
  async adopt(stage: string, folder: string, last: string): Promise<string | undefined> {
    const owner = ownerOf(stage);
    const found = [...new SegmentLog(join(folder, "rows")).writtenUpTo(owner, last)];
    if (found.length === 0 || found.some(({ damaged }) => damaged > 0)) return undefined;
    await this.deleteRows(stage, -1);
    for (const { rows } of found) {
      for (const { table, cells: [_, ...cells] } of rows) {
        this.#add(owner, 1, table, [[this.runId, ...cells]]);
      }
      this.#segments.cut(owner);
    }
    await this.flush();
    return this.#segments.cut(owner);
  }

  /** Rows of a query over this run alone, as arrays; for the runner's own SQL. */
  async select(sql: string): Promise<readonly (readonly unknown[])[]> {
    await this.flush();
    return await this.#serially(() => this.#database.select(sql));
  }

  /** Rows of a query as objects by column name. */
  async objects(sql: string): Promise<readonly Record<string, unknown>[]> {
    await this.flush();
    return await this.#serially(() => this.#database.objects(sql));
  }

  /** Rows of a statement of the user's, within limits of time. */
  async selectWithin(
    sql: string,
    limits: SqlLimits,
  ): Promise<SqlOutcome<readonly (readonly unknown[])[]>> {
    return await this.#serially(() => this.#database.selectWithin(sql, limits));
  }

  /** Writes buffered rows and closes; other processes can read the run from now on. */
  async close(): Promise<void> {
    await this.flush();
    this.#segments.flush();
    await this.#serially(() => this.#database.close());
  }

  #add(owner: string, attempt: number, table: TableName, rows: readonly Cells[]): void {
    this.#segments.append(owner, attempt, table, rows);
    for (const cells of rows) this.#waiting.push({ table, cells });
  }

  #flushSoon(): void {
    if (this.#timer !== undefined || this.#waiting.length + this.#files.length === 0) return;
    const delay = Math.max(0, flushEvery - (performance.now() - this.#lastFlush));
    const timer = setTimeout(() => this.flush().catch((error) => this.#failure = error), delay);
    Deno.unrefTimer(timer);
    this.#timer = timer;
  }

  #serially<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#work.then(work);
    this.#work = next.catch(() => {});
    return next;
  }
}

async function writeRows(database: RowDatabase, rows: readonly StoredRow[]): Promise<void> {
  for (const [table, group] of Map.groupBy(rows, (row) => row.table)) {
    const cells = group.map((row) => row.cells);
    const { key, onRepeat } = schemaOf(table);
    if (onRepeat === "replace" && key) await replaceRows(database, table, key, cells);
    else await database.append(table, cells);
  }
}

async function replaceRows(
  database: RowDatabase,
  table: TableName,
  key: readonly string[],
  rows: readonly Cells[],
): Promise<void> {
  const names = Object.keys(columnsOf(table));
  const where = key.map((name, i) => `"${name}" = $${i + 1}`).join(" and ");
  const latest = new Map(rows.map((cells) => [keyOf(table, key, cells), cells]));
  for (const cells of latest.values()) {
    const values = key.map((name) => cells[names.indexOf(name)] as string | number);
    await database.run(`delete from "${table}" where ${where}`, values);
  }
  await database.append(table, [...latest.values()]);
}

/** Database that takes the rows of segments. */
export type RowDatabase = Pick<RunDatabase, "run" | "select" | "append">;

/** Brings the rows of all segments into an empty database: those of the tables that are wanted. */
export async function fill(
  database: RowDatabase,
  segments: SegmentLog,
  runId: string,
  wanted: ReadonlySet<TableName> = new Set(tableNames),
): Promise<Rebuilt> {
  let [damagedLines, damagedFiles] = [0, 0];
  const repeats = new Repeats();
  for (const segment of segments.read(undefined, (table) => wanted.has(table))) {
    if (segment.kind === "rows") {
      await writeRows(database, await repeats.firsts(database, segment.rows));
      damagedLines += segment.damaged;
    } else if (segment.sound) {
      const { table, path, owner } = segment;
      await database.run(readRowsSql(table, path, runId, owner));
      repeats.unload([table]);
    } else damagedFiles++;
  }
  const counts = tableNames.map((table) => `(select count(*) from "${table}")`).join(" + ");
  const [[rows]] = await database.select(`select ${counts}`);
  return { rows: Number(rows), damagedLines, damagedFiles };
}

function ownerOf(stage: string): string {
  return stage.split(".", 1)[0];
}

function openSegments(folder: string): SegmentLog {
  mendRows(folder);
  try {
    Deno.statSync(join(folder, "rows"));
  } catch {
    const message = `Cannot rebuild ${join(folder, "run.duckdb")}: there are no row segments`;
    const hint = "copy the whole folder of the run, its rows/ included";
    throw inputError("store/no-segments", message, undefined, hint);
  }
  return new SegmentLog(join(folder, "rows"));
}
