/** Questions in SQL to runs; loads DuckDB. */
export { type Compacted, compactRun } from "../compact.ts";
export { databaseVersion } from "../database_version.ts";
export { checkSql, type WrittenSql } from "../prepared_checks.ts";
export { type Asking, queries, query } from "../query.ts";
export type { QueryFormat, ResultColumn } from "../query_result.ts";
export { runFolder } from "../run_store.ts";
