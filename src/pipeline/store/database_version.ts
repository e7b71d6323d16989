/** The version of DuckDB that this process can load. */
import { version } from "@duckdb/node-api";

/**
 * For instance `v1.5.5`. @throws if the native library cannot be loaded.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { databaseVersion } from "./database_version.ts";
 * assert.match(databaseVersion(), /^v\d/);
 * ```
 */
export function databaseVersion(): string {
  return version();
}
