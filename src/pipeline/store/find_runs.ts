/** Finds the runs of a project: all, one by its id, or the last one that ended; loads no DuckDB. */
import { join } from "node:path";
import { inputError } from "../../base/diagnostic.ts";
import { isUlid } from "../basics/ulid.ts";
import { tryLock } from "./locks.ts";

/**
 * Ids of the runs under `<root>/runs`, oldest first; with `run`, that one alone: an id, the unique
 * beginning of one, "last", the one that ended last, or "live", the newest that is being written.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { findRuns } from "./find_runs.ts";
 * const folder = Deno.makeTempDirSync();
 * assert.deepEqual(findRuns(folder), []);
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * @throws InputError `query/unknown-run` if no run, or more than one, is meant.
 */
export function findRuns(root: string, run?: string): string[] {
  const all = listRuns(join(root, "runs"));
  if (run === undefined) return all;
  const found = run === "last"
    ? lastOf(root, all)
    : run === "live"
    ? all.filter((id) => isBeingWritten(root, id)).slice(-1)
    : all.filter((id) => id.startsWith(run));
  if (found.length === 1) return found;
  const known = all.slice(-3).reverse().join(", ") || "none";
  const what = found.length > 1 ? `${found.length} runs begin with "${run}"` : `no run "${run}"`;
  const hint = `write last, or the beginning of a run's id; the newest runs are: ${known}`;
  throw inputError("query/unknown-run", `Cannot find the run: ${what} in ${root}`, undefined, hint);
}

/**
 * The run that ended last, by the clock that it was written under: ids of two hosts need not be in
 * order. Of runs that were killed their beginning counts.
 */
function lastOf(root: string, ids: readonly string[]): string[] {
  const recent = ids.slice(-mostRecent).filter((id) => !isBeingWritten(root, id));
  const ends = new Map(recent.map((id) => [id, endOf(root, id)]));
  const last = recent.toSorted((a, b) => ends.get(a)!.localeCompare(ends.get(b)!)).at(-1);
  return [last ?? ids.at(-1)].filter((id) => id !== undefined);
}

/** Runs by their ids among which the last one is sought: clocks differ by minutes, not by these. */
const mostRecent = 200;

function endOf(root: string, runId: string): string {
  try {
    const file = JSON.parse(Deno.readTextFileSync(join(root, "runs", runId, "run.json")));
    return `${file?.ended_at ?? file?.started_at ?? ""}`;
  } catch {
    return "";
  }
}

/**
 * Whether a process writes a run; where the file system carries no locks, by the run's own status.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { isBeingWritten } from "./find_runs.ts";
 * assert(!isBeingWritten("/nowhere", "01J"));
 * ```
 */
export function isBeingWritten(root: string, runId: string): boolean {
  try {
    const file = JSON.parse(Deno.readTextFileSync(join(root, "runs", runId, "run.json")));
    if (file?.status !== "running") return false;
    const lock = tryLock(root, `run-${runId}`);
    lock?.release();
    return !lock?.isExclusive;
  } catch {
    return false; // no word of it, or a project that may not be written: it has no writer here
  }
}

function listRuns(folder: string): string[] {
  try {
    const names = [...Deno.readDirSync(folder)].filter((e) => e.isDirectory).map((e) => e.name);
    return names.filter(isUlid).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
