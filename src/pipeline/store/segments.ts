/**
 * Row segments: every row of a run, from which the database can be rebuilt. Rows that a run makes are
 * checksummed lines; those of a stage that it found done are the Parquet files of that stage.
 */
import { join } from "node:path";
import { checkedLine, readCheckedLines } from "../../base/checked_lines.ts";
import { explainWrites, removeIfThere } from "../../base/atomic.ts";
import { inputError } from "../../base/diagnostic.ts";
import { hashRegular, readRegularText } from "../../base/regular_file.ts";
import type { Cells } from "./cells.ts";
import { cellsFromJson, cellsToJson } from "./cells.ts";
import type { TableName } from "./schema.ts";
import { columnsOf, tableNames } from "./schema.ts";

/** A row of a table, as segments carry it. */
export interface StoredRow {
  readonly table: TableName;
  readonly cells: Cells;
}

/** A segment's file: rows of one owner (a top-level stage) between two cuts. */
interface Segment {
  readonly name: string;
  readonly owner: string;
  readonly number: number;
  /** Of a Parquet file: whose rows it holds, and how its SHA-256 begins. */
  readonly table?: TableName;
  readonly sha256?: string;
}

/** Sound rows of one segment. */
type SegmentRows =
  | { readonly kind: "rows"; readonly rows: readonly StoredRow[]; readonly damaged: number }
  | {
    readonly kind: "file";
    readonly owner: string;
    readonly table: TableName;
    readonly path: string;
    readonly sound: boolean;
  };

/** Rows that a line has at most: a checksum for each row costs more than the row's JSON, and a torn line loses all of its rows. */
const rowsOfLine = 100;

interface OpenSegment {
  readonly path: string;
  /** Tables whose column names the segment has given already. */
  readonly known: Set<TableName>;
  lines: string[];
}

/**
 * The segments of one run, `<owner>-<attempt>-<NNNNNN>.ndjson` in one folder, and as
 * `….<table>.<digest>.parquet` those that came from the cache. Lines are buffered until `flush`;
 * `cut` begins a new segment, so that rows after a checkpoint can be deleted.
 */
export class SegmentLog {
  readonly #folder: string;
  readonly #open = new Map<string, OpenSegment>();
  /** By owner, in the order of their numbers; the folder is read once, for no other process writes it. */
  #known: Map<string, Segment[]> | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds rows of one table to the open segment of their owner. */
  append(owner: string, attempt: number, table: TableName, rows: readonly Cells[]): void {
    const segment = this.#open.get(owner) ?? this.#begin(owner, attempt);
    if (!segment.known.has(table)) {
      segment.known.add(table);
      segment.lines.push(checkedLine({ table, names: Object.keys(columnsOf(table)) }));
    }
    for (let at = 0; at < rows.length; at += rowsOfLine) {
      const some = rows.slice(at, at + rowsOfLine).map(cellsToJson);
      segment.lines.push(checkedLine({ table, rows: some }));
    }
  }

  /** Whether an owner has rows. */
  has(owner: string): boolean {
    return this.#list(owner).length > 0;
  }

  /** Hands buffered lines to the system: they outlive this process. */
  flush(): void {
    for (const segment of this.#open.values()) writeLines(segment);
  }

  /** Ends the open segment of an owner, on disk for good. Returns the name of its last segment. */
  cut(owner: string): string | undefined {
    const segment = this.#open.get(owner);
    if (segment) {
      writeLines(segment, true);
      this.#open.delete(owner);
    }
    return this.#list(owner).at(-1)?.name;
  }

  /** Deletes the segments of an owner that came after `last`; all of them without one. */
  deleteAfter(owner: string, last: string | undefined): void {
    this.#open.delete(owner);
    const keep = last === undefined ? 0 : parseName(last)?.number ?? 0;
    const [kept, doomed] = [[], []] as [Segment[], Segment[]];
    for (const one of this.#list(owner)) (one.number > keep ? doomed : kept).push(one);
    for (const { name } of doomed) removeIfThere(join(this.#folder, name));
    this.#all().set(owner, kept);
  }

  /** Adds the rows of a stage that is done: a copy of their file. Returns its path. */
  add(owner: string, table: TableName, { path, sha256 }: { path: string; sha256: string }): string {
    const ending = `.${table}.${sha256.slice(0, digestLength)}.parquet`;
    const copy = join(this.#folder, this.#named(owner, 1, ending));
    explainWrites(copy, () => Deno.copyFileSync(path, copy));
    return copy;
  }

  /**
   * Segments one after the other, of all owners or of one, in the order of their numbers, with the
   * rows of the tables that `wanted` names.
   */
  *read(
    owner?: string,
    wanted: (table: TableName) => boolean = () => true,
  ): Generator<SegmentRows> {
    for (const segment of this.#list(owner)) {
      if (!segment.table || wanted(segment.table)) yield this.#rowsOf(segment, wanted);
    }
  }

  /** The rows of the tables that `wanted` names among those that an owner wrote itself. */
  *written(owner: string, wanted: (table: TableName) => boolean): Generator<StoredRow> {
    for (const { name, table } of this.#list(owner)) {
      if (!table) yield* readLines(join(this.#folder, name), wanted).rows;
    }
  }

  /** Rows that an owner wrote itself up to a segment: those of each, in order, and how many are damaged. */
  *writtenUpTo(owner: string, last: string): Generator<ReturnType<typeof readLines>> {
    const end = parseName(last)?.number ?? 0;
    for (const { name, number, table } of this.#list(owner)) {
      if (!table && number <= end) yield readLines(join(this.#folder, name));
    }
  }

  #rowsOf(
    { name, owner, table, sha256 }: Segment,
    wanted: (table: TableName) => boolean,
  ): SegmentRows {
    const path = join(this.#folder, name);
    if (!table) return { kind: "rows", ...readLines(path, wanted) };
    const sound = hashRegular(path, Infinity).startsWith(sha256!);
    return { kind: "file", owner, table, path, sound };
  }

  #begin(owner: string, attempt: number): OpenSegment {
    const name = this.#named(owner, attempt, ".ndjson");
    const segment = { path: join(this.#folder, name), known: new Set<TableName>(), lines: [] };
    this.#open.set(owner, segment);
    return segment;
  }

  /** The name of a new segment, the last of its owner. */
  #named(owner: string, attempt: number, ending: string): string {
    const all = this.#list(owner);
    const number = 1 + (all.at(-1)?.number ?? 0);
    const name = `${owner}-${attempt}-${`${number}`.padStart(6, "0")}${ending}`;
    this.#all().set(owner, [...all, parseName(name)!]);
    return name;
  }

  #list(owner?: string): readonly Segment[] {
    const all = this.#all();
    if (owner !== undefined) return all.get(owner) ?? [];
    return [...all.keys()].sort().flatMap((one) => all.get(one)!);
  }

  #all(): Map<string, Segment[]> {
    return this.#known ??= segmentsIn(this.#folder);
  }
}

/**
 * Counts lines and files of a run's rows that are damaged.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { damagedRows } from "./segments.ts";
 * const folder = Deno.makeTempDirSync();
 * Deno.mkdirSync(`${folder}/rows`);
 * assert.deepEqual(damagedRows(folder), { lines: 0, files: 0 });
 * Deno.removeSync(folder, { recursive: true });
 * ```
 */
export function damagedRows(runFolder: string): { readonly lines: number; readonly files: number } {
  let [lines, files] = [0, 0];
  for (const segment of new SegmentLog(join(runFolder, "rows")).read()) {
    if (segment.kind === "rows") lines += segment.damaged;
    else if (!segment.sound) files++;
  }
  return { lines, files };
}

function segmentsIn(folder: string): Map<string, Segment[]> {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => parseName(name));
  const segments = names.filter((one) => one !== undefined).sort((a, b) => a.number - b.number);
  return Map.groupBy(segments, ({ owner }) => owner);
}

/** Hexadecimal digits of a file's digest in its name. */
const digestLength = 16;

function parseName(name: string): Segment | undefined {
  const match = /^(.+)-\d+-(\d{6,})(?:\.ndjson|\.(\w+)\.([0-9a-f]{16})\.parquet)$/.exec(name);
  if (!match) return undefined;
  const [, owner, number, table, sha256] = match;
  const found = { name, owner, number: Number(number) };
  if (table === undefined) return found;
  const known = tableNames.find((one) => one === table);
  return known && { ...found, table: known, sha256 };
}

function writeLines(segment: OpenSegment, sync = false): void {
  if (segment.lines.length === 0 && !sync) return;
  const bytes = new TextEncoder().encode(segment.lines.join(""));
  explainWrites(segment.path, () => {
    using file = openToAppend(segment.path);
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
    if (sync) file.syncDataSync();
  });
  segment.lines = [];
}

/** @throws InputError `store/gone` if the run was moved or deleted while it goes on. */
function openToAppend(path: string): Deno.FsFile {
  try {
    return Deno.openSync(path, { append: true, create: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const message = `Cannot write ${path}: the run's folder is gone`;
    const hint = "a run that goes on is neither moved nor deleted: put its folder back and run " +
      "again, and loops go on from their last checkpoint";
    throw inputError("store/gone", message, undefined, hint);
  }
}

/** Rows of a segment of lines, and how many of its lines were damaged. */
function readLines(
  path: string,
  wanted: (table: TableName) => boolean = () => true,
): { rows: StoredRow[]; damaged: number } {
  const { values, damaged } = readCheckedLines(readRegularText(path, Infinity), (json) => {
    const table = tableIn(json);
    return table === undefined || wanted(table);
  });
  return { rows: rowsOf(values), damaged };
}

/** The table of a line, which stands first in it. */
function tableIn(json: string): TableName | undefined {
  const name = /^\{"table":"(\w+)"/.exec(json)?.[1];
  return tableNames.find((one) => one === name);
}

function rowsOf(values: readonly unknown[]): StoredRow[] {
  const readers = new Map<TableName, ReturnType<typeof cellsFromJson>>();
  const rows: StoredRow[] = [];
  for (const { table, ...line } of values as Line[]) {
    if (!tableNames.includes(table)) continue;
    if (line.names) readers.set(table, cellsFromJson(table, line.names));
    const cellsOf = readers.get(table);
    const found = line.rows ?? (line.cells ? [line.cells] : []);
    if (cellsOf) { for (const cells of found) rows.push({ table, cells: cellsOf(cells) }); }
  }
  return rows;
}

/** The names of a table's columns, or rows of it; `cells` is the one row of a line before there were several. */
interface Line {
  readonly table: TableName;
  readonly names?: readonly string[];
  readonly rows?: readonly (readonly unknown[])[];
  readonly cells?: readonly unknown[];
}
