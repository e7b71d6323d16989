/** Row segments: every row of a run as checksummed lines, from which the database can be rebuilt. */
import { join } from "node:path";
import { checkedLine, readCheckedLines, trustedLines } from "../../base/checked_lines.ts";
import { explainWrites } from "../../base/atomic.ts";
import { readRegularText } from "../../base/regular_file.ts";
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
  readonly attempt: number;
  readonly number: number;
}

interface OpenSegment {
  readonly path: string;
  /** Tables whose column names the segment has given already. */
  readonly known: Set<TableName>;
  lines: string[];
}

/**
 * The segments of one run, `<owner>-<attempt>-<NNNNNN>.ndjson` in one folder. Lines are buffered
 * until `flush`; `cut` begins a new segment, so that what came after a checkpoint can be deleted.
 */
export class SegmentLog {
  readonly #folder: string;
  readonly #open = new Map<string, OpenSegment>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds a row to the open segment of its owner. */
  append(owner: string, attempt: number, { table, cells }: StoredRow): void {
    const segment = this.#open.get(owner) ?? this.#begin(owner, attempt);
    if (!segment.known.has(table)) {
      segment.known.add(table);
      segment.lines.push(checkedLine({ table, names: Object.keys(columnsOf(table)) }));
    }
    segment.lines.push(checkedLine({ table, cells: cellsToJson(cells) }));
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
    const doomed = this.#list(owner).filter((segment) => segment.number > keep);
    for (const { name } of doomed) Deno.removeSync(join(this.#folder, name));
  }

  /** All rows, or those of one owner, in the order in which the owner wrote them. */
  *read(owner?: string): Generator<StoredRow> {
    for (const { name } of this.#list(owner)) yield* readSegment(join(this.#folder, name)).rows;
  }

  /** Lines that were torn or altered, over all segments. */
  damagedLines(): number {
    const paths = this.#list().map(({ name }) => join(this.#folder, name));
    return paths.reduce((sum, path) => sum + readSegment(path).damaged, 0);
  }

  #begin(owner: string, attempt: number): OpenSegment {
    const number = 1 + (this.#list(owner).at(-1)?.number ?? 0);
    const name = `${owner}-${attempt}-${`${number}`.padStart(6, "0")}.ndjson`;
    const segment = { path: join(this.#folder, name), known: new Set<TableName>(), lines: [] };
    this.#open.set(owner, segment);
    return segment;
  }

  #list(owner?: string): Segment[] {
    const names = [...Deno.readDirSync(this.#folder)].map((entry) => parseName(entry.name));
    const segments = names.filter((s) => s !== undefined && (!owner || s.owner === owner));
    return (segments as Segment[]).sort(byOwnerAndNumber);
  }
}

function byOwnerAndNumber(a: Segment, b: Segment): number {
  return a.owner < b.owner ? -1 : a.owner > b.owner ? 1 : a.number - b.number;
}

function parseName(name: string): Segment | undefined {
  const match = /^(.+)-(\d+)-(\d{6,})\.ndjson$/.exec(name);
  return match
    ? { name, owner: match[1], attempt: Number(match[2]), number: Number(match[3]) }
    : undefined;
}

function writeLines(segment: OpenSegment, sync = false): void {
  if (segment.lines.length === 0 && !sync) return;
  const bytes = new TextEncoder().encode(segment.lines.join(""));
  explainWrites(segment.path, () => {
    using file = Deno.openSync(segment.path, { append: true, create: true });
    for (let at = 0; at < bytes.length;) at += file.writeSync(bytes.subarray(at));
    if (sync) file.syncDataSync();
  });
  segment.lines = [];
}

function readSegment(path: string): { rows: StoredRow[]; damaged: number } {
  return parseRows(readRegularText(path, Infinity));
}

/** Rows of a segment's text, and how many of its lines were damaged. */
function parseRows(text: string): { rows: StoredRow[]; damaged: number } {
  const { values, damaged } = readCheckedLines(text);
  return { rows: rowsOf(values), damaged };
}

/** Rows of a segment's text that a digest vouches for. */
export function parseTrustedRows(text: string): StoredRow[] {
  return rowsOf(trustedLines(text));
}

function rowsOf(values: readonly unknown[]): StoredRow[] {
  const names = new Map<TableName, readonly string[]>();
  const rows: StoredRow[] = [];
  for (const value of values as { table: TableName; names?: string[]; cells?: unknown }[]) {
    if (!tableNames.includes(value.table)) continue;
    if (value.names) names.set(value.table, value.names);
    const columns = names.get(value.table);
    if (value.cells && columns) {
      rows.push({ table: value.table, cells: cellsFromJson(value.table, columns, value.cells) });
    }
  }
  return rows;
}

/** The text of a segment that holds these rows. */
export function renderRows(rows: Iterable<StoredRow>): string {
  const known = new Set<TableName>();
  const lines: string[] = [];
  for (const { table, cells } of rows) {
    if (!known.has(table)) lines.push(checkedLine({ table, names: Object.keys(columnsOf(table)) }));
    known.add(table);
    lines.push(checkedLine({ table, cells: cellsToJson(cells) }));
  }
  return lines.join("");
}
