/** Identifiers of runs, texts in SQL, limits of SQL, and resources of stages. */
export { lacking, type MachineResources, mostOf, type StageResources } from "./resources.ts";
export { defaultSqlLimits, type SqlLimits } from "./sql_limits.ts";
export { literal } from "./sql_names.ts";
export { ulid } from "./ulid.ts";
