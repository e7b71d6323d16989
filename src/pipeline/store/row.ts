/** A row as a stage gives it. */

/** A row as a stage gives it: column names in snake_case. */
export type Row = Readonly<Record<string, unknown>>;
