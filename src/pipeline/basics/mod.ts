/** Versions, identifiers, limits and interruption of runs. */
export { defaultSqlLimits, type SqlLimits } from "./sql_limits.ts";
export { ulid } from "./ulid.ts";
export { sluiceVersion } from "./version.ts";
