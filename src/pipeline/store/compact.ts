/** Compacts a run: rows that its stages wrote as lines become compressed files that give the same database. */
import { basename, join } from "node:path";
import { explainWrites } from "../../base/atomic.ts";
import { inputError } from "../../base/diagnostic.ts";
import { RunDatabase } from "./database.ts";
import { isBeingWritten } from "./find_runs.ts";
import { mendRows, swapRows } from "./rows_aside.ts";
import { runFolder, RunStore } from "./run_store.ts";
import { tableNames } from "./schema.ts";
import { quote } from "../basics/sql_names.ts";

/** Bytes of a run's rows, which its database can be rebuilt from. */
export interface Compacted {
  /** As lines and files. */
  readonly before: number;
  /** As files. */
  readonly after: number;
}

/** The part of `run.json` that is read here. */
interface RunEnd {
  readonly status: string;
  readonly stages: readonly { readonly stage: string }[];
}

/**
 * Rewrites the rows of a run that is done, and gives the bytes before and after. The database itself stays as it is. One is
 * rebuilt of the lines, another of the files, and only if they are alike the folders change places.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { compactRun } from "./compact.ts";
 * const folder = Deno.makeTempDirSync();
 * await assert.rejects(compactRun(folder, "01J")); // there is no such run
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * @throws InputError `compact/unfinished` if the run is not done: a resumed loop needs its lines; `compact/damaged` if lines
 * are damaged, or files give another database.
 */
export async function compactRun(root: string, runId: string): Promise<Compacted> {
  const folder = runFolder(root, runId);
  mendRows(folder);
  const { status, stages } = runEnd(folder);
  if (status !== "done" || isBeingWritten(root, runId)) throw unfinished(runId, status);
  const before = bytesIn(join(folder, "rows"));
  const written = stages.map(({ stage }) => stage).filter((stage) => hasLines(folder, stage));
  if (written.length === 0) return { before, after: before };
  const scratch = join(root, ".sluice", `compact-${runId}`);
  try {
    const packed = await packedRows(scratch, folder, written);
    const after = bytesIn(packed);
    swapRows(folder, packed);
    return { before, after };
  } finally {
    Deno.removeSync(scratch, { recursive: true });
  }
}

function runEnd(folder: string): RunEnd {
  return JSON.parse(Deno.readTextFileSync(join(folder, "run.json"))) as RunEnd;
}

/** The owner of a segment of lines. */
function writerOf(name: string): string | undefined {
  return /^(.+)-\d+-\d{6,}\.ndjson$/.exec(name)?.[1];
}

function hasLines(folder: string, stage: string): boolean {
  return [...Deno.readDirSync(join(folder, "rows"))].some(({ name }) => writerOf(name) === stage);
}

/** The folder of new segments, which give the database that the run has. */
async function packedRows(
  scratch: string,
  folder: string,
  stages: readonly string[],
): Promise<string> {
  const runId = basename(folder);
  const [copy, fresh] = [runFolder(scratch, runId), join(scratch, "packed", runId)];
  const packed = join(fresh, "rows");
  explainWrites(scratch, () => {
    for (const one of [join(copy, "rows"), packed]) Deno.mkdirSync(one, { recursive: true });
    copyAll(join(folder, "rows"), join(copy, "rows"), () => true);
    copyAll(
      join(folder, "rows"),
      packed,
      (name) => !stages.includes(writerOf(name) ?? ""),
    );
  });
  const lines = await RunStore.rebuild(copy);
  const store = await RunStore.open(scratch, runId);
  await store.packRows(stages, packed);
  await store.close();
  const files = await RunStore.rebuild(fresh);
  const [own, other] = [await contentOf(copy), await contentOf(fresh)];
  const apart = tableNames.find((table) => own[table] !== other[table]);
  const faults = [lines, files].map((one) => one.damagedLines + one.damagedFiles);
  if (apart || faults.some((one) => one > 0)) throw damaged(runId, apart);
  return packed;
}

function copyAll(from: string, to: string, wanted: (name: string) => boolean): void {
  for (const { name } of Deno.readDirSync(from)) {
    if (wanted(name)) Deno.copyFileSync(join(from, name), join(to, name));
  }
}

/** By table: count of rows, and the sum of their hashes, which is independent of order. */
async function contentOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const opened = await RunDatabase.open(join(folder, "run.duckdb"));
  if (opened.kind === "damaged") throw damaged(folder, opened.message);
  const sums = tableNames.map((table) =>
    `select '${table}', count(*) || ' ' || coalesce(sum(hash(one)::hugeint), 0) from ${
      quote(table)
    } one`
  );
  const rows = await opened.database.select(sums.join(" union all "));
  await opened.database.close();
  return Object.fromEntries(rows.map(([table, sum]) => [String(table), String(sum)]));
}

function bytesIn(folder: string): number {
  return [...Deno.readDirSync(folder)]
    .reduce((sum, { name }) => sum + Deno.statSync(join(folder, name)).size, 0);
}

function unfinished(runId: string, status: string): Error {
  const message = `Cannot compact run ${runId}: it is ${status}, and goes on from its lines`;
  return inputError("compact/unfinished", message, undefined, "let it end, and compact it then");
}

function damaged(runId: string, what: string | undefined): Error {
  const message = `Cannot compact run ${runId}: its rows are damaged` +
    (what === undefined ? "" : ` (${what})`);
  return inputError("compact/damaged", message, undefined, `sluice verify ${runId} says more`);
}
