/** The tables that SQL may mean, by the words in it: only these are read. */
import { type TableName, tableNames } from "./schema.ts";

/** Words by which SQL names tables without writing their names. */
const indirect = /\b(query|query_table|duckdb_\w+|information_schema|pragma_\w+)\b/i;

/** Tables whose names are words of the SQL; all where it may name them otherwise, or is left out. */
export function tablesNamed(sql: string | undefined): readonly TableName[] {
  if (sql === undefined || indirect.test(sql)) return tableNames;
  const words = new Set(sql.toLowerCase().match(/\w+/g));
  return tableNames.filter((table) => words.has(table));
}
