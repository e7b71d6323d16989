/** Rows that an older version of the schema wrote, with what their later columns follow from. */
import type { Row } from "./row.ts";
import { factsOfName, factsOfNameSql } from "./older_evaluations.ts";
import type { TableName } from "./schema.ts";

/** Columns that a table has had since a later version, made of those that it had before. */
interface LaterColumns {
  /** As a migration says it. */
  readonly sql: Readonly<Record<string, string>>;
  /** The same of one row. */
  readonly of: (row: Row) => Row;
}

/** By table; later columns that are not here are null in older rows. */
const laterColumns: { readonly [T in TableName]?: LaterColumns } = {
  execution: {
    sql: { elpd_reward: '"elpd_loo"', unit: "'row'" },
    of: ({ elpd_loo }) => ({ elpd_reward: elpd_loo, unit: "row" }),
  },
  evaluation: {
    sql: factsOfNameSql(),
    of: ({ name }) => factsOfName(String(name)),
  },
};

/** Later columns of a row as it was written; those that it has itself are not among them. */
export function fromOlder(table: TableName, row: Row): Row {
  const later = laterColumns[table];
  if (!later || Object.keys(later.sql).every((column) => column in row)) return {};
  return Object.fromEntries(Object.entries(later.of(row)).filter(([column]) => !(column in row)));
}

/**
 * The rows of a table as SQL that has the later columns too, where the table itself, of a database
 * that must not be changed, has only `columns`.
 */
export function rowsFromOlder(
  source: string,
  table: TableName,
  columns: readonly string[],
): string {
  const later = Object.entries(laterColumns[table]?.sql ?? {})
    .filter(([column]) => !columns.includes(column));
  if (later.length === 0) return source;
  return `(select *, ${
    later.map(([column, sql]) => `${sql} as "${column}"`).join(", ")
  } from ${source})`;
}
