/** Runs that were killed: their `run.json` has status running, until the next run corrects it. */
import { join } from "node:path";
import { readJsonFile, writeJsonFile } from "../process/json_file.ts";
import type { ProjectLayout } from "../project/project.ts";
import { type HeldLock, tryLock } from "../store/locks.ts";

/** Locks a run that is being written; the kernel releases the lock at any end of the process. */
export function lockRun({ root }: ProjectLayout, runId: string): HeldLock | undefined {
  return tryLock(root, `run-${runId}`);
}

/**
 * Marks every run as interrupted whose status is running and that no process writes any more. Where
 * the file system carries no locks, none can be distinguished from one that is being written.
 */
export function settleInterrupted(layout: ProjectLayout): void {
  for (const runId of runIds(layout)) {
    const path = join(layout.runs, runId, "run.json");
    const file = readJsonFile(path) as { status?: string } | undefined;
    if (file?.status !== "running") continue;
    const lock = lockRun(layout, runId);
    if (!lock) continue;
    if (lock.isExclusive) writeJsonFile(path, { ...file, status: "interrupted" });
    lock.release();
  }
}

function runIds({ runs }: ProjectLayout): string[] {
  try {
    return [...Deno.readDirSync(runs)].filter((e) => e.isDirectory).map(({ name }) => name);
  } catch (error) {
    // An obstacle at the path of runs is reported when this run is to be written.
    if (error instanceof Deno.errors.NotFound) return [];
    if (error instanceof Deno.errors.NotADirectory) return [];
    throw error;
  }
}
