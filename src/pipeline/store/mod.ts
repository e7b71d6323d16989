/** Runs on disk and in DuckDB. */
export { Claims, Owner } from "./claims.ts";
export { databaseVersion } from "./database_version.ts";
export { ObjectStore } from "./objects.ts";
export { checkSql } from "./prepared_checks.ts";
export { queries, query } from "./query.ts";
export { runFolder } from "./run_store.ts";
export { findRuns } from "./runs.ts";
export { tableNames } from "./schema.ts";
export { stampOf } from "./stamps.ts";
export type { ObjectRead } from "./objects.ts";
export type { WrittenSql } from "./prepared_checks.ts";
export type { Asking } from "./query.ts";
export type { QueryFormat, ResultColumn } from "./query_result.ts";
export type { TableName } from "./schema.ts";
