/** SQL checks at the end of a run: each must give `true` in exactly one cell. */
import type { RunStore } from "../store/run_store.ts";
import type { CheckOutcome } from "../plan/observer.ts";
import type { ResolvedCheck } from "../read/resolved.ts";

/** Evaluates checks in order. Their SQL can neither change the run nor reach outside of it. */
export async function runChecks(
  store: RunStore,
  checks: readonly ResolvedCheck[],
): Promise<CheckOutcome[]> {
  if (checks.length === 0) return [];
  await store.select("set enable_external_access = false");
  await store.select("set lock_configuration = true");
  const outcomes: CheckOutcome[] = [];
  for (const check of checks) outcomes.push(await runCheck(store, check));
  return outcomes;
}

async function runCheck(
  store: RunStore,
  { sql, name = sql }: ResolvedCheck,
): Promise<CheckOutcome> {
  await store.flush();
  await store.select("begin transaction read only");
  try {
    const rows = await store.select(sql);
    const passed = rows.length === 1 && rows[0].length === 1 && rows[0][0] === true;
    return { name, sql, passed, found: passed ? "true" : describeRows(rows) };
  } catch (error) {
    return { name, sql, passed: false, found: error instanceof Error ? error.message : `${error}` };
  } finally {
    await store.select("rollback").catch(() => {});
  }
}

function describeRows(rows: readonly (readonly unknown[])[]): string {
  if (rows.length === 0) return "no row";
  if (rows.length > 1) return `${rows.length} rows`;
  const cells = rows[0].map((cell) => typeof cell === "bigint" ? `${cell}` : JSON.stringify(cell));
  return cells.length === 1 ? cells[0] : `${cells.length} columns: ${cells.join(", ")}`;
}
