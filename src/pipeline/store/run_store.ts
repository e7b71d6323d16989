/** The store of one run: rows go to segments and to DuckDB; it resumes, rewinds, and is rebuilt. */
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { inputError } from "../../base/diagnostic.ts";
import { explainWrites, removeIfThere } from "../../base/atomic.ts";
import type { Cells } from "./cells.ts";
import type { Row } from "./row.ts";
import { checkTable, toCells } from "./cells.ts";
import { RunDatabase } from "./database.ts";
import { keyOf, Repeats } from "./repeats.ts";
import type { TableName } from "./schema.ts";
import { columnsOf, schemaOf, tableNames } from "./schema.ts";
import type { SqlLimits, SqlOutcome } from "./sql_limits.ts";
import type { StoredRow } from "./segments.ts";
import { parseTrustedRows, renderRows, SegmentLog } from "./segments.ts";

/** Where rows come from; fills the columns `stage` and `step` of rows that lack them. */
export interface RowOrigin {
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

/** Folder of a run. */
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
    const repeats = new Repeats();
    await repeats.load(opened.database);
    return new RunStore(folder, runId, opened.database, repeats);
  }

  /**
   * Makes `run.duckdb` of a run's folder anew from its row segments.
   *
   * @throws InputError `store/no-segments` if the folder has none.
   */
  static async rebuild(folder: string): Promise<{ rows: number; damagedLines: number }> {
    const segments = openSegments(folder);
    const [path, fresh] = [join(folder, "run.duckdb"), join(folder, "run.duckdb.rebuild")];
    [fresh, `${fresh}.wal`].forEach(removeIfThere);
    const database = await RunDatabase.create(fresh);
    const rows = new Repeats().select([...segments.read()]);
    await writeRows(database, rows);
    await database.close();
    removeIfThere(`${path}.wal`);
    Deno.renameSync(fresh, path);
    return { rows: rows.length, damagedLines: segments.damagedLines() };
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
    const context = { stage: stage === runnerOrigin.stage ? undefined : stage, step };
    for (const row of rows) {
      const cells = toCells(name, { ...context, ...row, run_id: this.runId });
      this.#repeats.refuse({ table: name, cells });
      this.#add(ownerOf(stage), attempt, { table: name, cells });
    }
    this.#flushSoon();
  }

  /** Writes what waits, to the segments and to the database. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#lastFlush = performance.now();
    this.#segments.flush();
    const rows = this.#waiting;
    this.#waiting = [];
    if (rows.length > 0) await this.#serially(() => writeRows(this.#database, rows));
    if (this.#failure) throw this.#failure;
  }

  /**
   * Commits the rows of a stage for a checkpoint, and begins a new segment for what follows.
   * Returns the name to give `deleteRows` when that checkpoint is resumed.
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
   * All rows that a top-level stage added, as bytes to keep in the object store.
   *
   * @param called the stage's name in them.
   */
  async exportStage(stage: string, called = stage): Promise<Uint8Array> {
    await this.flush();
    const rows = renamed([...this.#segments.read(ownerOf(stage))], stage, called);
    const nobody = rows.map(({ table, cells }) => ({ table, cells: ["", ...cells.slice(1)] }));
    return gzipSync(renderRows(nobody));
  }

  /**
   * Adds the rows of a stage which another run exported, as rows of this run.
   *
   * @param called the stage's name in them.
   */
  async importStage(stage: string, bytes: Uint8Array, called = stage): Promise<number> {
    const exported = parseTrustedRows(new TextDecoder().decode(gunzipSync(bytes)));
    const rows = renamed(exported, called, stage);
    for (const { table, cells } of rows) {
      this.#add(ownerOf(stage), 1, { table, cells: [this.runId, ...cells.slice(1)] });
    }
    this.#flushSoon();
    this.#segments.cut(ownerOf(stage));
    return rows.length;
  }

  /** Rows of a query over this run alone, as arrays; for the runner's own SQL. */
  async select(sql: string): Promise<readonly (readonly unknown[])[]> {
    await this.flush();
    return await this.#serially(() => this.#database.select(sql));
  }

  /** Rows of a statement of the user's, within limits of time. */
  async selectWithin(
    sql: string,
    limits: SqlLimits,
  ): Promise<SqlOutcome<readonly (readonly unknown[])[]>> {
    return await this.#serially(() => this.#database.selectWithin(sql, limits));
  }

  /** Writes what waits and closes; others can read the run from now on. */
  async close(): Promise<void> {
    await this.flush();
    this.#segments.flush();
    await this.#serially(() => this.#database.close());
  }

  #add(owner: string, attempt: number, row: StoredRow): void {
    this.#segments.append(owner, attempt, row);
    if (this.#repeats.admit(row)) this.#waiting.push(row);
  }

  #flushSoon(): void {
    if (this.#timer !== undefined || this.#waiting.length === 0) return;
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

async function writeRows(database: RunDatabase, rows: readonly StoredRow[]): Promise<void> {
  const byTable = Map.groupBy(rows, (row) => row.table);
  await database.together(async () => {
    for (const [table, group] of byTable) {
      const cells = group.map((row) => row.cells);
      const { key, onRepeat } = schemaOf(table);
      if (onRepeat === "replace" && key) await replaceRows(database, table, key, cells);
      else await database.append(table, cells);
    }
  });
}

async function replaceRows(
  database: RunDatabase,
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

/** Rows of a stage, and of its inner stages, under another name. */
function renamed(rows: readonly StoredRow[], from: string, to: string): readonly StoredRow[] {
  if (from === to) return rows;
  return rows.map(({ table, cells }) => {
    if (schemaOf(table).scope !== "stage") return { table, cells };
    const [run, stage, ...rest] = cells;
    const isOwn = stage === from || `${stage}`.startsWith(`${from}.`);
    return {
      table,
      cells: [run, isOwn ? `${to}${`${stage}`.slice(from.length)}` : stage, ...rest],
    };
  });
}

function ownerOf(stage: string): string {
  return stage.split(".", 1)[0];
}

function openSegments(folder: string): SegmentLog {
  try {
    Deno.statSync(join(folder, "rows"));
  } catch {
    const message = `Cannot rebuild ${join(folder, "run.duckdb")}: there are no row segments`;
    const hint = "copy the whole folder of the run, its rows/ included";
    throw inputError("store/no-segments", message, undefined, hint);
  }
  return new SegmentLog(join(folder, "rows"));
}
