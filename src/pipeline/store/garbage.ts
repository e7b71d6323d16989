/** Finds files that a project keeps of deleted runs, and frees them. */
import { basename, dirname, join, relative } from "node:path";
import { inputError } from "../../base/diagnostic.ts";
import { findRuns, isBeingWritten } from "./find_runs.ts";
import { checkpointKey, type RecordedStage, stagesOfRun } from "./run_stages.ts";

/** Files that may be freed, by the folder of `.sluice` that holds them. */
export interface Garbage {
  /** Folder of `.sluice`, or of the memo: `wanted`, programs that a run waited for. */
  readonly kind:
    | "objects"
    | "fingerprints"
    | "checkpoints"
    | "reports"
    | "finished"
    | "wanted"
    | "memo";
  /** Relative to the project. */
  readonly paths: readonly string[];
  /** Of all of them. */
  readonly bytes: number;
}

/** How far to go. */
export interface GarbageOptions {
  /** Days without a write after which checkpoints count as abandoned; 7 if left out. */
  readonly days?: number;
  /** Scores of programs, too: they would have to be computed again. */
  readonly memo?: boolean;
}

const day = 86_400_000;

/**
 * Files that no run of the project needs: results of stages that no run names, and artifacts and
 * rows that only these refer to; checkpoints of loops that were given up; reports and answers of
 * runs that were deleted; programs that killed runs waited for.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { garbageOf } from "./garbage.ts";
 * const folder = Deno.makeTempDirSync();
 * assert(garbageOf(folder).every(({ bytes }) => bytes === 0)); // an empty project
 * Deno.removeSync(folder, { recursive: true });
 * ```
 *
 * @throws InputError `gc/live` while a run goes on: it has yet to name the files that it needs.
 */
export function garbageOf(
  root: string,
  { days = 7, memo = false }: GarbageOptions = {},
): Garbage[] {
  const runs = findRuns(root);
  const live = runs.find((run) => isBeingWritten(root, run));
  if (live) throw goesOn(live);
  const known = namedBy(root, runs);
  const folder = (name: string) => join(root, ".sluice", name);
  const results = filesIn(folder("fingerprints"));
  const [kept = [], left = []] = [true, false].map((isNamed) =>
    results.filter((path) => known.fingerprints.has(nameOf(path)) === isNamed)
  );
  const objects = new Set([...known.objects, ...kept.flatMap(digestsIn)]);
  const isOld = (path: string) =>
    (Deno.statSync(path).mtime?.getTime() ?? 0) < Date.now() - days * day;
  const isKept = (path: string) => known.checkpoints.has(basename(dirname(path)));
  const ids = new Set(runs);
  const ofNoRun = (path: string) => !runsIn(Deno.readTextFileSync(path)).some((id) => ids.has(id));
  const ofMemo = filesIn(folder("memo"));
  const isWanted = (path: string) => basename(dirname(path)) === "wanted";
  const found: readonly [Garbage["kind"], string[]][] = [
    ["objects", filesIn(folder("objects")).filter((path) => !objects.has(digestOf(path)))],
    ["fingerprints", left],
    ["checkpoints", filesIn(folder("checkpoints")).filter((path) => isOld(path) && !isKept(path))],
    ["reports", filesIn(folder("reports")).filter(ofNoRun)],
    ["finished", filesIn(folder("finished")).filter(ofNoRun)],
    ["wanted", ofMemo.filter(isWanted)],
    ["memo", memo ? ofMemo.filter((path) => !isWanted(path)) : []],
  ];
  return found.map(([kind, paths]) => ({
    kind,
    paths: paths.map((path) => relative(root, path)),
    bytes: paths.reduce((sum, path) => sum + Deno.statSync(path).size, 0),
  }));
}

/**
 * Removes the files found; one that is gone already is no error.
 *
 * ```ts
 * import { freeGarbage } from "./garbage.ts";
 * freeGarbage("/nowhere", []); // nothing to free, nothing done
 * ```
 */
export function freeGarbage(root: string, garbage: readonly Garbage[]): void {
  for (const path of garbage.flatMap(({ paths }) => paths)) {
    try {
      Deno.removeSync(join(root, path));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}

/** Fingerprints of the stages of runs, and digests of their artifacts. */
function namedBy(root: string, runs: readonly string[]) {
  const [fingerprints, objects, checkpoints] = [1, 2, 3].map(() => new Set<string>());
  for (const run of runs) {
    for (const { stage, fingerprint, outputs } of stagesOf(root, run)) {
      for (const digest of Object.values(outputs)) objects.add(digest);
      if (fingerprint === undefined) continue;
      fingerprints.add(fingerprint);
      checkpoints.add(checkpointKey(stage, fingerprint));
    }
  }
  return { fingerprints, objects, checkpoints };
}

/** @throws InputError if the run cannot be read: files that it needs would be freed. */
function stagesOf(root: string, run: string): readonly RecordedStage[] {
  const stages = stagesOfRun(root, run);
  if (stages) return stages;
  const message = `Cannot tell what is needed: ${join("runs", run, "run.json")} cannot be read`;
  throw inputError("gc/run", message, undefined, "mend the run, or move its folder away");
}

/** Digests that a record of results names, under any seal. */
function digestsIn(path: string): string[] {
  return Deno.readTextFileSync(path).match(/\b[0-9a-f]{64}\b/g) ?? [];
}

/** Ids of runs in a text. */
function runsIn(text: string): readonly string[] {
  return text.match(/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g) ?? [];
}

function nameOf(path: string): string {
  return basename(path, ".json");
}

/** Of `objects/ab/cdef…`. */
function digestOf(path: string): string {
  return basename(dirname(path)) + basename(path);
}

function filesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory, isFile }) => {
      const path = join(folder, name);
      return isDirectory ? filesIn(path) : isFile ? [path] : [];
    }).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

function goesOn(run: string): Error {
  const message = `Cannot free anything: run ${run} goes on, and is about to name what it needs`;
  return inputError("gc/live", message, undefined, "wait until it ends, or stop it");
}
