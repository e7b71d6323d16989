/** Marks of a run, by which people find it again: a label, tags, a note; in `run.json`. */
import { join } from "node:path";
import { isRecord } from "../../base/record.ts";
import { readJsonFile, writeJsonFile } from "../process/json_file.ts";

/** Remarks of a user on a run. */
export interface RunMarks {
  /** One short name. */
  readonly label?: string;
  /** Words by which runs are listed. */
  readonly tags?: readonly string[];
  /** A sentence. */
  readonly note?: string;
}

/**
 * The marks of a run; undefined if it has none, or cannot be read.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { readRunMarks } from "./run_marks.ts";
 * assert.equal(readRunMarks("/nowhere", "01J"), undefined);
 * ```
 */
export function readRunMarks(root: string, runId: string): RunMarks | undefined {
  const file = readJsonFile(join(root, "runs", runId, "run.json"));
  return isRecord(file) && isRecord(file.marks) ? file.marks as RunMarks : undefined;
}

/**
 * Adds tags, and replaces label and note where they are given.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { markRun } from "./run_marks.ts";
 * const folder = Deno.makeTempDirSync();
 * Deno.mkdirSync(`${folder}/runs/01J`, { recursive: true });
 * Deno.writeTextFileSync(`${folder}/runs/01J/run.json`, JSON.stringify({ status: "done" }));
 * assert.equal(markRun(folder, "01J", { label: "baseline" }).label, "baseline");
 * Deno.removeSync(folder, { recursive: true });
 * ```
 */
export function markRun(root: string, runId: string, marks: RunMarks): RunMarks {
  const path = join(root, "runs", runId, "run.json");
  const file = readJsonFile(path);
  const old = readRunMarks(root, runId) ?? {};
  const tags = [...new Set([...old.tags ?? [], ...marks.tags ?? []])];
  const now = { ...old, ...marks, ...(tags.length > 0 && { tags }) };
  writeJsonFile(path, { ...(isRecord(file) ? file : {}), marks: now });
  return now;
}
