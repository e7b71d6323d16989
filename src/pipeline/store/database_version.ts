/** The version of DuckDB that this process can load. */
import { version } from "@duckdb/node-api";

/** For instance `v1.5.5`. @throws if the native library cannot be loaded. */
export function databaseVersion(): string {
  return version();
}
