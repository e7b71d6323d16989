/** Makes a sweep, or grows one: writes its frozen points into a folder of the project. */
import { join } from "node:path";
import { explainWrites, writeAtomic } from "../../base/atomic.ts";
import { inputError } from "../../base/diagnostic.ts";
import { nearest } from "../../base/nearest.ts";
import {
  listSweeps,
  type PointValues,
  readSweepFile,
  type SweepFile,
  sweepsFolder,
} from "../../pipeline/store/mod.ts";
import { pointKey } from "./points.ts";

/** A sweep before it has a name. */
type NewSweep = Omit<SweepFile, "format" | "sweep" | "made_at">;

/**
 * Writes a new sweep; its name is that of the pipeline with the next free number.
 *
 * @throws InputError `store/cannot-write`.
 */
export function makeSweep(root: string, name: string, sweep: NewSweep): SweepFile {
  const slug = name.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "") || "sweep";
  const taken = listSweeps(root).length;
  explainWrites(sweepsFolder(root), () => Deno.mkdirSync(sweepsFolder(root), { recursive: true }));
  for (let number = 1;; number++) {
    const id = `${slug}-${number}`;
    if (number <= taken && readSweepFile(root, id)) continue;
    if (claimFolder(join(sweepsFolder(root), id))) return write(root, id, sweep);
  }
}

/** True if the folder is made by this call, so that two sweeps made at once have two names. */
function claimFolder(folder: string): boolean {
  return explainWrites(folder, () => {
    try {
      Deno.mkdirSync(folder);
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) return false;
      throw error;
    }
  });
}

function write(root: string, id: string, sweep: NewSweep): SweepFile {
  const made_at = new Date().toISOString();
  return writeSweep(root, { format: 1, sweep: id, made_at, ...sweep });
}

/** Writes the file of a sweep in its folder, and gives it back. */
export function writeSweep(root: string, file: SweepFile): SweepFile {
  const path = join(sweepsFolder(root), file.sweep, "sweep.json");
  writeAtomic(path, JSON.stringify(file, null, 1) + "\n");
  return file;
}

/**
 * Adds the points that a sweep lacks; those that it has keep their numbers and their runs.
 *
 * @throws InputError `sweep/other-pipeline` if the points would be of another pipeline.
 */
export function growSweep(root: string, id: string, more: NewSweep): SweepFile {
  const old = readSweep(root, id);
  if (old.halving) throw halves(id);
  const differs = (["pipeline", "overlays", "sets", "texts", "inputs"] as const)
    .filter((key) => JSON.stringify(old[key]) !== JSON.stringify(more[key]));
  if (differs.length > 0) throw otherPipeline(old, more, differs[0]);
  const known = new Set(old.points.map(pointKey));
  const added = more.points.filter((one) => !known.has(pointKey(one)));
  if (added.length === 0) return old;
  return write(root, id, { ...more, lock: old.lock, points: [...old.points, ...added] });
}

function halves(id: string): Error {
  const message =
    `Cannot add points to sweep ${id}: which of its settings go on is decided by rungs`;
  const hint = "make a new sweep: stages that did not change come from the cache";
  return inputError("sweep/halving", message, undefined, hint);
}

function otherPipeline(old: SweepFile, more: NewSweep, key: keyof NewSweep): Error {
  const what = key === "texts" || key === "inputs"
    ? `${changedText(old[key] ?? {}, more[key] ?? {})} is not what it was when the sweep was made`
    : `its ${key} would be ${JSON.stringify(more[key])}, and are ${JSON.stringify(old[key])}`;
  const message = `Cannot add points to sweep ${old.sweep}: ${what}`;
  const hint = "make a new sweep: stages that did not change come from the cache";
  return inputError("sweep/other-pipeline", message, undefined, hint);
}

function changedText(
  old: Readonly<Record<string, string>>,
  now: Readonly<Record<string, string>>,
): string {
  return Object.keys({ ...old, ...now }).find((path) => old[path] !== now[path]) ?? "a file";
}

/** Reads a sweep. @throws InputError `sweep/unknown`, with the nearest name. */
export function readSweep(root: string, id: string): SweepFile {
  const found = readSweepFile(root, id);
  if (found) return found;
  const all = listSweeps(root);
  const near = nearest(id, all);
  const known = all.slice(-5).join(", ") || "none: make one with sluice sweep PIPELINE --set …";
  const hint = near === undefined ? `sweeps: ${known}` : `did you mean "${near}"? Sweeps: ${known}`;
  throw inputError("sweep/unknown", `There is no sweep "${id}" in ${root}`, undefined, hint);
}

/** `path=value` of a point, as `--set` reads them. */
export function setsOf(values: PointValues, toml: (value: unknown) => string): string[] {
  return Object.entries(values).map(([path, value]) => `${path}=${toml(value)}`);
}
