/** Rows of a run's database, as certificate and findings read them. */

/** One row by column. */
export type Row = Readonly<Record<string, unknown>>;

/** Runs one query on the database of the run and gives its rows. */
export type Ask = (sql: string) => Promise<readonly Row[]>;

/** Rows by their stage, both in the order in which they came. */
export function byStage(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  return Map.groupBy(rows, ({ stage }) => String(stage));
}

/** A JSON column, as text or as what it was parsed to. */
export function json(value: unknown): unknown {
  return typeof value === "string" ? JSON.parse(value) : value;
}

/** A column that may be null, and then is left out. */
export function present<T>(name: string, value: T | null | undefined): Record<string, T> {
  return value === null || value === undefined ? {} : { [name]: value };
}
