/** Identifiers of runs, and limits of SQL. */
export { defaultSqlLimits, type SqlLimits } from "./sql_limits.ts";
export { ulid } from "./ulid.ts";
