/** SQL checks at the end of a run: each must give `true` in exactly one cell. */
import type { RunStore } from "../store/run_store.ts";
import type { CheckOutcome } from "../plan/observer.ts";
import type { ResolvedCheck } from "../read/resolved.ts";
import { closeToOutside } from "../store/closed_database.ts";
import { showAll, showInstance } from "../store/instance_views.ts";
import type { Variation } from "../plan/instances.ts";
import { defaultSqlLimits, type SqlLimits, type SqlOutcome } from "../basics/sql_limits.ts";

/** Limits of checks, and the instances that they run on. */
interface ChecksOptions {
  readonly limits?: SqlLimits;
  readonly variations?: readonly Variation[];
}

/**
 * Evaluates checks in order, of several instances each by itself: a check holds if it holds of all.
 * Their SQL can neither change the run nor reach outside of it, nor take more than the limits.
 */
export async function runChecks(
  store: RunStore,
  checks: readonly ResolvedCheck[],
  { limits = defaultSqlLimits, variations = [] }: ChecksOptions = {},
): Promise<CheckOutcome[]> {
  if (checks.length === 0) return [];
  await limitMemory(store, limits);
  for (const statement of closeToOutside) await store.select(statement);
  const found = new Map<ResolvedCheck, CheckOutcome>();
  const ask = async (check: ResolvedCheck, of?: Variation) => {
    const outcome = await runCheck(store, check, limits);
    const where = of && !outcome.passed ? ` in instance ${of.label}, seed ${of.seed}` : "";
    if (found.get(check)?.passed !== false) {
      found.set(check, { ...outcome, found: `${outcome.found}${where}` });
    }
  };
  const ofAll = (check: ResolvedCheck) => variations.length === 0 || check.over === "all";
  for (const check of checks.filter(ofAll)) await ask(check);
  for (const variation of variations) {
    await showInstance(store, variation.label);
    for (const check of checks.filter((one) => !ofAll(one))) await ask(check, variation);
  }
  if (variations.length > 0) await showAll(store);
  return checks.map((check) => found.get(check)!);
}

/** From now on the store's database takes no more memory, and spills nothing to disk. */
export async function limitMemory(store: RunStore, { memory }: SqlLimits): Promise<void> {
  await store.select(`set memory_limit = '${memory}B'`);
  await store.select("set max_temp_directory_size = '0KiB'");
}

async function runCheck(
  store: RunStore,
  check: ResolvedCheck,
  limits: SqlLimits,
): Promise<CheckOutcome> {
  await store.flush();
  await store.select("begin transaction read only");
  try {
    return await askCheck(store, check, limits);
  } finally {
    await store.select("rollback").catch(() => {});
  }
}

/** Asks one check of what the store has; anything but a query is refused. */
export async function askCheck(
  store: RunStore,
  { sql, name = sql, on_fail }: ResolvedCheck,
  limits: SqlLimits,
): Promise<CheckOutcome> {
  await store.flush();
  const warns = on_fail === "warn" ? { warns: true } : {};
  const outcome = await store.selectWithin(sql, limits);
  if (outcome.kind !== "done") {
    return { name, sql, passed: false, found: reasonOf(outcome), ...warns };
  }
  const rows = outcome.result;
  const passed = rows.length === 1 && rows[0].length === 1 && rows[0][0] === true;
  return { name, sql, passed, found: passed ? "true" : describeRows(rows), ...warns };
}

function reasonOf({ kind, message }: Exclude<SqlOutcome<unknown>, { kind: "done" }>): string {
  if (kind === "timeout") return `${message}; --check-timeout raises the limit`;
  if (kind === "memory") return `${message.split("\n", 1)[0]}; --check-memory raises the limit`;
  return message;
}

function describeRows(rows: readonly (readonly unknown[])[]): string {
  if (rows.length === 0) return "no row";
  if (rows.length > 1) return `${rows.length} rows`;
  const cells = rows[0].map((cell) => typeof cell === "bigint" ? `${cell}` : JSON.stringify(cell));
  return cells.length === 1 ? cells[0] : `${cells.length} columns: ${cells.join(", ")}`;
}
