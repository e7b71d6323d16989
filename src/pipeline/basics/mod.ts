/** Identifiers of runs, texts in SQL, and limits of SQL. */
export { defaultSqlLimits, type SqlLimits } from "./sql_limits.ts";
export { literal } from "./sql_names.ts";
export { ulid } from "./ulid.ts";
