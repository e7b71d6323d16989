/** The DuckDB file of one run: open, append cells in chunks, and close with a checkpoint. */
import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  DuckDBDataChunk,
  INTEGER,
  LIST,
  listValue,
  StatementType,
  TIMESTAMP,
  timestampValue,
  VARCHAR,
} from "@duckdb/node-api";
import type {
  DuckDBAppender,
  DuckDBConnection,
  DuckDBInstance,
  DuckDBType,
  DuckDBValue,
} from "@duckdb/node-api";
import { dirname, join, resolve } from "node:path";
import { explainLongWrites, explainWrites } from "../../base/atomic.ts";
import { inputError } from "../../base/diagnostic.ts";
import type { Cell, Cells } from "./cells.ts";
import { openClosed } from "./closed_database.ts";
import type { ColumnType, TableName } from "./schema.ts";
import { columnsOf, createStatements, schemaVersion } from "./schema.ts";
import { type SqlLimits, type SqlOutcome, withinLimits } from "../basics/sql_limits.ts";

/** Databases that this process has open for writing: a second opening would not see its rows. */
const openPaths = new Set<string>();

/** True if this process has the database open. */
export function isOpenHere(path: string): boolean {
  return openPaths.has(resolve(path));
}

/** Rows per chunk; DuckDB's vectors hold 2048. */
const chunkRows = 2048;

/** Outcome of opening a database file. */
type OpenedDatabase =
  | { readonly kind: "open"; readonly database: RunDatabase }
  | { readonly kind: "damaged"; readonly message: string };

interface Locked {
  readonly kind: "locked";
  readonly message: string;
}

/** Milliseconds to wait until a reader closes the file, and between two tries. */
const [openPatience, openPause] = [3000, 100];

/** A run's database, open for reading and writing by this process alone. */
export class RunDatabase {
  readonly #path: string;
  readonly #instance: DuckDBInstance;
  readonly #connection: DuckDBConnection;
  readonly #appenders = new Map<TableName, DuckDBAppender>();

  private constructor(path: string, instance: DuckDBInstance, connection: DuckDBConnection) {
    [this.#path, this.#instance, this.#connection] = [resolve(path), instance, connection];
    openPaths.add(this.#path);
  }

  /** Makes a new database with all tables, where there is none yet. */
  static async create(path: string): Promise<RunDatabase> {
    const database = await explainLongWrites(path, () => RunDatabase.#connect(path));
    await database.together(async () => {
      for (const statement of createStatements()) await database.run(statement);
    });
    return database;
  }

  /**
   * Opens a database. A query that reads the file at the moment is waited for.
   *
   * @throws InputError `store/in-use` if another process has it, `store/other-version` if its
   * tables are of another version of the schema.
   */
  static async open(path: string, patience = openPatience): Promise<OpenedDatabase> {
    const opened = await RunDatabase.#tryOpen(path);
    if (opened.kind !== "locked") return opened;
    if (patience > 0) {
      await new Promise((resolve) => setTimeout(resolve, openPause));
      return await RunDatabase.open(path, patience - openPause);
    }
    const hint = "wait until the other process has ended";
    throw inputError("store/in-use", `Cannot open ${path}: ${opened.message}`, undefined, hint);
  }

  static async #tryOpen(path: string): Promise<OpenedDatabase | Locked> {
    try {
      const database = await RunDatabase.#connect(path);
      await database.#checkVersion();
      return { kind: "open", database };
    } catch (error) {
      if (!(error instanceof Error) || error.name === "InputError") throw error;
      const kind = isLockConflict(error.message) ? "locked" : "damaged";
      return { kind, message: error.message };
    }
  }

  static async #connect(path: string): Promise<RunDatabase> {
    if (isOpenHere(path)) throw new TypeError(`internal: ${path} is open in this process already`);
    const { instance, connection } = await openClosed(path, rowsBeside(path));
    return new RunDatabase(path, instance, connection);
  }

  /** Runs one statement. */
  async run(sql: string, values: readonly DuckDBValue[] = []): Promise<void> {
    await explainLongWrites(this.#path, () => this.#connection.run(sql, [...values]));
  }

  /** Runs writes as one commit: each costs a wait for the disk. */
  async together(writes: () => Promise<void>): Promise<void> {
    await this.run("begin");
    try {
      await writes();
      await this.run("commit");
    } catch (error) {
      await this.#connection.run("rollback").catch(() => {});
      throw error;
    }
  }

  /** Rows of a query as arrays of JavaScript values. */
  async select(sql: string): Promise<readonly (readonly unknown[])[]> {
    return (await this.#connection.runAndReadAll(sql)).getRowsJS();
  }

  /** The rows as objects by column name. */
  async objects(sql: string): Promise<readonly Record<string, unknown>[]> {
    return (await this.#connection.runAndReadAll(sql)).getRowObjectsJS();
  }

  /** Rows of a statement of the user's, within limits of time; that of memory is the database's. */
  async selectWithin(
    sql: string,
    limits: SqlLimits,
  ): Promise<SqlOutcome<readonly (readonly unknown[])[]>> {
    return await withinLimits(this.#connection, limits, async () => {
      await this.#requireQuery(sql);
      return await this.select(sql);
    });
  }

  /** Anything but a query could write a file among the rows, even where the tables are read only. */
  async #requireQuery(sql: string): Promise<void> {
    const prepared = await this.#connection.prepare(sql);
    const { statementType } = prepared;
    prepared.destroySync();
    if (statementType !== StatementType.SELECT) throw new Error("it is no query");
  }

  /** Appends rows. */
  async append(table: TableName, rows: readonly Cells[]): Promise<void> {
    const appender = this.#appenders.get(table) ??
      await this.#connection.createAppender(table);
    this.#appenders.set(table, appender);
    this.#fill(appender, table, rows);
  }

  /** Lends rows as a temporary table with the columns of `table`. */
  async staged(
    table: TableName,
    rows: readonly Cells[],
    use: (name: string) => Promise<void>,
  ): Promise<void> {
    await this.run(`create or replace temp table staged as from "${table}" limit 0`);
    const appender = await this.#connection.createAppender("staged", "main", "temp");
    try {
      this.#fill(appender, table, rows);
    } finally {
      appender.closeSync();
    }
    await use("temp.main.staged");
    await this.run("drop table temp.main.staged");
  }

  #fill(appender: DuckDBAppender, table: TableName, rows: readonly Cells[]): void {
    explainWrites(this.#path, () => appendCells(appender, table, rows));
  }

  /** Writes everything into the one file and lets go of it. */
  async close(): Promise<void> {
    await this.run("checkpoint");
    this.abandon();
  }

  /** Lets go of the file as it is. */
  abandon(): void {
    for (const appender of this.#appenders.values()) appender.closeSync();
    this.#connection.closeSync();
    this.#instance.closeSync();
    openPaths.delete(this.#path);
  }

  async #checkVersion(): Promise<void> {
    try {
      const [[version]] = await this.select("select max(version) from schema_version");
      if (typeof version !== "number") throw new Error("the database has no schema version");
      if (version !== schemaVersion) throw otherSchema(this.#path, version);
    } catch (error) {
      this.abandon();
      throw error;
    }
  }
}

/** Appends rows in chunks, and writes them. */
export function appendCells(
  appender: DuckDBAppender,
  table: TableName,
  rows: readonly Cells[],
): void {
  const types = Object.values(columnsOf(table));
  for (let at = 0; at < rows.length; at += chunkRows) {
    appender.appendDataChunk(toChunk(types, rows.slice(at, at + chunkRows)));
  }
  appender.flushSync();
}

/** Where segments lie, the one folder that a run's database may reach. */
function rowsBeside(path: string): string {
  return join(dirname(resolve(path)), "rows");
}

/** True if DuckDB's message says of another process's lock on the file. */
export function isLockConflict(message: string): boolean {
  return /conflicting lock|could not set lock|being used by another process/i.test(message);
}

function otherSchema(path: string, version: number): Error {
  const message = `Cannot open ${path}: its tables are of version ${version}, ` +
    `this Sluice reads version ${schemaVersion}`;
  const hint = "read it with the Sluice that wrote it";
  return inputError("store/other-version", message, undefined, hint);
}

const duckTypes: { readonly [T in ColumnType]: DuckDBType } = {
  VARCHAR,
  BOOLEAN,
  INTEGER,
  BIGINT,
  DOUBLE,
  TIMESTAMP,
  JSON: VARCHAR,
  "DOUBLE[]": LIST(DOUBLE),
  "INTEGER[]": LIST(INTEGER),
};

function toChunk(types: readonly ColumnType[], rows: readonly Cells[]): DuckDBDataChunk {
  const chunk = DuckDBDataChunk.create(types.map((type) => duckTypes[type]), rows.length);
  types.forEach((type, column) => {
    const toDuck = toDuckOf[type];
    chunk.setColumnValues(
      column,
      rows.map((cells) => {
        const cell = cells[column];
        return cell === null || !toDuck ? cell as DuckDBValue : toDuck(cell);
      }),
    );
  });
  return chunk;
}

/** Cells of these types are other values to DuckDB. */
const toDuckOf: { readonly [T in ColumnType]?: (cell: Cell) => DuckDBValue } = {
  BIGINT: (cell) => BigInt(cell as number),
  TIMESTAMP: (cell) => timestampValue(BigInt(cell as string)),
  "DOUBLE[]": (cell) => listValue(cell as DuckDBValue[]),
  "INTEGER[]": (cell) => listValue(cell as DuckDBValue[]),
};
