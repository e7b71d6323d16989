/** Rows that a run has already, by their keys: kept once, or refused a second time. */
import type { Cells } from "./cells.ts";
import type { RunDatabase } from "./database.ts";
import type { TableName } from "./schema.ts";
import { columnsOf, schemaOf, tableNames } from "./schema.ts";
import type { StoredRow } from "./segments.ts";

/** Tables that refuse a second row with a key; they are known from the beginning. */
const refusing = tableNames.filter((table) => schemaOf(table).onRepeat === "refuse");

/**
 * Holds the keys of tables that hold each key once, and finds the first row of each. Keys of tables
 * that keep the first row are read from the database when a row of theirs is written.
 */
export class Repeats {
  readonly #seen = new Map<TableName, Set<string>>();

  /** Reads the keys of a database. */
  static async of(database: RunDatabase): Promise<Repeats> {
    const repeats = new Repeats();
    for (const table of refusing) await repeats.#load(database, table);
    return repeats;
  }

  /** @throws TypeError (`internal:`) if the table refuses a second row with a key, and has this. */
  refuse({ table, cells }: StoredRow): void {
    const { key, onRepeat } = schemaOf(table);
    if (onRepeat !== "refuse" || !key) return;
    const id = keyOf(table, key, cells);
    if (!this.#isRepeat(table, id)) return;
    const values: unknown[] = JSON.parse(id);
    const which = key.flatMap((name, i) => values[i] === null ? [] : [`${name} = ${values[i]}`]);
    const message = `table "${table}" has a row of ${which.join(", ")} already`;
    throw new TypeError(`internal: ${message}; give each row a key of its own`);
  }

  /** The rows whose key neither the database has, in a table that keeps the first, nor one before. */
  async firsts(
    database: Pick<RunDatabase, "select">,
    rows: readonly StoredRow[],
  ): Promise<readonly StoredRow[]> {
    for (const table of new Set(rows.map((row) => row.table))) {
      if (keptKey(table) && !this.#seen.has(table)) await this.#load(database, table);
    }
    return this.distinct(rows);
  }

  /** The rows whose key none before them has, in tables that keep the first. */
  distinct(rows: Iterable<StoredRow>): StoredRow[] {
    return [...rows].filter(({ table, cells }) => {
      const key = keptKey(table);
      return !key || !this.#isRepeat(table, keyOf(table, key, cells));
    });
  }

  /** Forgets tables that others wrote to: their keys are read again. */
  unload(tables: Iterable<TableName>): void {
    for (const table of tables) {
      if (keptKey(table)) this.#seen.delete(table);
    }
  }

  /** Forgets the rows that a stage, or one inside it, added in steps after `afterStep`. */
  forget(stage: string, afterStep: number): void {
    for (const table of refusing) {
      const key = schemaOf(table).key!;
      for (const id of this.#seen.get(table) ?? []) {
        const values: unknown[] = JSON.parse(id);
        const owner = String(values[key.indexOf("stage")]);
        const isInside = owner === stage || owner.startsWith(`${stage}.`);
        if (isInside && Number(values[key.indexOf("step")]) > afterStep) {
          this.#seen.get(table)!.delete(id);
        }
      }
    }
  }

  /** True if the key was there; from now on it is. */
  #isRepeat(table: TableName, id: string): boolean {
    const seen = this.#seen.get(table) ?? new Set<string>();
    this.#seen.set(table, seen);
    const there = seen.has(id);
    seen.add(id);
    return there;
  }

  async #load(database: Pick<RunDatabase, "select">, table: TableName): Promise<void> {
    const columns = schemaOf(table).key!.map((name) => `"${name}"`).join(", ");
    const rows = await database.select(`select ${columns} from "${table}"`);
    this.#seen.set(table, new Set(rows.map(keyText)));
  }
}

/** The columns of a table's key, if it keeps the first row of each. */
function keptKey(table: TableName): readonly string[] | undefined {
  const { key, onRepeat } = schemaOf(table);
  return onRepeat === "keep" ? key : undefined;
}

/** The key of a row, as one text. */
export function keyOf(table: TableName, key: readonly string[], cells: Cells): string {
  const names = Object.keys(columnsOf(table));
  return keyText(key.map((name) => cells[names.indexOf(name)]));
}

/** Whole numbers are bigint in the database and numbers in cells. */
function keyText(values: readonly unknown[]): string {
  return JSON.stringify(values.map((one) => typeof one === "bigint" ? Number(one) : one));
}
