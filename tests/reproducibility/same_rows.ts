/** Compares all rows of two runs, in every column that does not tell who ran them, when and where. */
import assert from "node:assert/strict";
import { query } from "../../src/pipeline/store/query.ts";
import { columnsOf, type TableName, tableNames } from "../../src/pipeline/store/schema.ts";

/** Ids of runs and attempts, clocks, CPU, memory, whether the memo answered; the log is named by attempt. */
const circumstances = new Set([
  ...["run_id", "attempt", "log_path", "argv", "started_at", "ended_at", "wall", "wall_ms"],
  ...["cpu_ms", "max_rss_kib", "peak_memory_kib", "memo"],
]);

/** Where a table also tells how the run went, the part of it that does not. */
const parts: Partial<Record<TableName, string>> = {
  run: "select pipeline, name, status, seed, git_commit, host, versions from run",
  stage_run: `select stage, kind, fingerprint, status in ('done', 'cached') as done from stage_run
    qualify row_number() over (partition by run_id, stage order by attempt desc) = 1`,
  event: "select stage, step, kind, message, level from event where kind in ('check', 'log')",
  access: "select 1 where false", // of the processes that ran: a stage from the cache has none
};

/** The rows of a run by table, as sorted lines. */
export type Rows = Readonly<Record<string, readonly string[]>>;

/** Reads a run's rows; no query may have to mend the run. */
export async function readRows(root: string, run = "last"): Promise<Rows> {
  const tables: Record<string, string[]> = {};
  for (const table of tableNames) {
    const { rows, notes } = await query(root, parts[table] ?? selectOf(table), { run });
    assert.deepEqual(notes, []);
    tables[table] = rows.map((row) => JSON.stringify(row, exact)).sort();
  }
  return tables;
}

function selectOf(table: TableName): string {
  const names = Object.keys(columnsOf(table)).filter((name) => !circumstances.has(name));
  return `select ${names.map((name) => `"${name}"`).join(", ")} from "${table}"`;
}

/** JSON lacks NaN, the infinities and −0: they are kept as text. */
function exact(_key: string, value: unknown): unknown {
  if (typeof value !== "number") return value;
  return Number.isFinite(value) && !Object.is(value, -0)
    ? value
    : `${Object.is(value, -0) ? "-0" : value}`;
}

/** Fails with the first lines that differ, table by table. */
export function assertSameRows(actual: Rows, expected: Rows, what: string): void {
  const differences = Object.keys(expected).flatMap((table) => {
    const [more, less] = [
      without(actual[table], expected[table]),
      without(expected[table], actual[table]),
    ];
    if (more.length + less.length === 0) return [];
    const count = `${table}: ${actual[table].length} rows, expected ${expected[table].length}`;
    return [
      count,
      ...more.slice(0, 2).map((row) => `  + ${row}`),
      ...less.slice(0, 2).map((row) => `  - ${row}`),
    ];
  });
  assert.equal(differences.join("\n"), "", what);
}

/** The lines of `left` that are not in `right`, each as often as it is missing. */
function without(left: readonly string[], right: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const line of right) counts.set(line, (counts.get(line) ?? 0) + 1);
  return left.filter((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count <= 0;
  });
}
