/** DuckDB shut off from the outside: no file but its own, no network, no extension, at every connect. */
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { literal } from "../basics/sql_names.ts";
import type { SqlLimits } from "../basics/sql_limits.ts";

/** Nothing is fetched or loaded because SQL, or a file that is attached, mentions it. */
const withoutExtensions = {
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
};

/**
 * Opens a database file that can reach nothing beside itself but one folder, of its own rows; that
 * cannot be changed afterwards.
 */
export async function openClosed(
  path: string,
  rows: string,
): Promise<{ readonly instance: DuckDBInstance; readonly connection: DuckDBConnection }> {
  const instance = await DuckDBInstance.create(path, {
    ...withoutExtensions,
    default_block_size: "16384",
  });
  const connection = await instance.connect();
  await connection.run(`set allowed_directories = [${literal(rows)}]`);
  await connection.run("set enable_external_access = false");
  return { instance, connection };
}

/**
 * A database in memory that may still attach files, until `closeToOutside` of it. It never spills
 * to disk.
 */
export async function openInMemory({ memory }: Partial<SqlLimits> = {}): Promise<DuckDBInstance> {
  return await DuckDBInstance.create(":memory:", {
    ...withoutExtensions,
    temp_directory: "",
    ...(memory === undefined ? {} : { memory_limit: `${memory}B` }),
  });
}

/** Statements after which a connection reaches nothing new, and no setting can be changed. */
export const closeToOutside: readonly string[] = [
  "set enable_external_access = false",
  "set lock_configuration = true",
];
