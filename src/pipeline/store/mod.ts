/** Objects, claims and stamps on disk, and the names of tables; loads no DuckDB. */
export { Claims, Owner } from "./claims.ts";
export type { RunDocuments } from "./documents.ts";
export { freeGarbage, type Garbage, garbageOf, type GarbageOptions } from "./garbage.ts";
export { findRuns, isBeingWritten } from "./find_runs.ts";
export { ObjectStore } from "./objects.ts";
export { tableNames } from "./schema.ts";
export type { ObjectRead } from "./objects.ts";
export type { TableName } from "./schema.ts";
export {
  listSweeps,
  type PointFile,
  pointPath,
  type PointValues,
  readPointFile,
  readSweepFile,
  type SweepFile,
  sweepsFolder,
} from "./sweep_files.ts";
export { damagedRows } from "./segments.ts";
