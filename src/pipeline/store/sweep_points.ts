/** Points of sweeps as a table of SQL: which run is which point, and what it sets. */
import type { DuckDBConnection } from "@duckdb/node-api";
import { listSweeps, readPointFile, readSweepFile } from "./sweep_files.ts";

/** Name of the table. */
const sweepPointTable = "sweep_point";

/** Columns, for SQL that is checked against no project. */
const columns =
  "sweep VARCHAR, point INTEGER, run_id VARCHAR, state VARCHAR, path VARCHAR, value JSON";

/** Whether SQL may mean the table. */
export function meansSweepPoints(sql: string | undefined): boolean {
  return sql === undefined || /\bsweep_point\b/i.test(sql);
}

/** Makes the table: a row for each point and path, of all sweeps of the project. */
export async function createSweepPoints(connection: DuckDBConnection, root: string): Promise<void> {
  const rows = listSweeps(root).flatMap((id) => rowsOf(root, id));
  await connection.run(`create table ${sweepPointTable} (${columns})`);
  if (rows.length === 0) return;
  const text = "struct_pack(sweep := '', point := 0, run_id := '', state := '', path := '', " +
    "value := '')";
  await connection.run(
    `insert into ${sweepPointTable} select one.* replace (one.value::JSON as value) from (
      select unnest(from_json($1::JSON, json_structure(to_json([${text}])))) as one)`,
    [JSON.stringify(rows)],
  );
}

function rowsOf(root: string, sweep: string) {
  const points = readSweepFile(root, sweep)?.points ?? [];
  return points.flatMap((set, point) => {
    const file = readPointFile(root, sweep, point);
    const [state, run_id] = [file?.state ?? "waiting", file?.run ?? null];
    return Object.entries(set).map(([path, value]) => {
      return { sweep, point, run_id, state, path, value: JSON.stringify(value) };
    });
  });
}
