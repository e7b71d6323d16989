/** Rows that a run has already, by their keys: kept once, or refused a second time. */
import type { Cells } from "./cells.ts";
import type { RunDatabase } from "./database.ts";
import type { TableName } from "./schema.ts";
import { columnsOf, schemaOf, tableNames } from "./schema.ts";
import type { StoredRow } from "./segments.ts";

/** Knows the keys of tables that hold each key once, and answers who is the first. */
export class Repeats {
  readonly #seen = new Map<TableName, Set<string>>();

  /** False if the table holds each key once and has this one. */
  admit(row: StoredRow): boolean {
    const key = onceKey(row.table);
    if (!key) return true;
    const seen = this.#seen.get(row.table) ?? new Set<string>();
    this.#seen.set(row.table, seen);
    const id = keyOf(row.table, key, row.cells);
    const first = !seen.has(id);
    seen.add(id);
    return first;
  }

  /** @throws TypeError (`internal:`) if the table refuses a second row with a key, and has this. */
  refuse({ table, cells }: StoredRow): void {
    const { key, onRepeat } = schemaOf(table);
    if (onRepeat !== "refuse" || !key) return;
    const id = keyOf(table, key, cells);
    if (!this.#seen.get(table)?.has(id)) return;
    const values: unknown[] = JSON.parse(id);
    const which = key.flatMap((name, i) => values[i] === null ? [] : [`${name} = ${values[i]}`]);
    const message = `table "${table}" has a row of ${which.join(", ")} already`;
    throw new TypeError(`internal: ${message}; give each row a key of its own`);
  }

  /** The rows that are first of their kind. */
  select(rows: readonly StoredRow[]): StoredRow[] {
    return rows.filter((row) => this.admit(row));
  }

  /** Forgets the rows that a stage, or one inside it, added in steps after `afterStep`. */
  forget(stage: string, afterStep: number): void {
    for (const [table, seen] of this.#seen) {
      if (schemaOf(table).scope !== "stage") continue;
      const key = onceKey(table)!;
      for (const id of seen) {
        const values: unknown[] = JSON.parse(id);
        const owner = String(values[key.indexOf("stage")]);
        const isInside = owner === stage || owner.startsWith(`${stage}.`);
        if (isInside && Number(values[key.indexOf("step")]) > afterStep) seen.delete(id);
      }
    }
  }

  /** Learns the keys of the rows that a database has. */
  async load(database: RunDatabase): Promise<void> {
    for (const table of tableNames) {
      const key = onceKey(table);
      if (!key) continue;
      const columns = key.map((name) => `"${name}"`).join(", ");
      const rows = await database.select(`select ${columns} from "${table}"`);
      this.#seen.set(table, new Set(rows.map(keyText)));
    }
  }
}

/** The columns of a table's key, if it holds each key once. */
function onceKey(table: TableName): readonly string[] | undefined {
  const { key, onRepeat } = schemaOf(table);
  return onRepeat === "replace" ? undefined : key;
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
