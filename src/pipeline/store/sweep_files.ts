/** Sweeps on disk: `sweeps/<id>/sweep.json` with its frozen points, and one file for each that began. */
import { join } from "node:path";
import type { Json } from "../../base/canonical_json.ts";
import { readIfThere } from "../../base/atomic.ts";
import { isRecord } from "../../base/record.ts";
import type { StageResources } from "../basics/resources.ts";

/** Values that one point sets, by path. */
export type PointValues = Readonly<Record<string, Json>>;

/** `sweep.json`: all that a worker needs, whatever happens to the files that it was made from. */
export interface SweepFile {
  /** Version of this file. */
  readonly format: 1;
  /** Name of the folder below `sweeps`. */
  readonly sweep: string;
  /** Relative to the project, as the overlays. */
  readonly pipeline: string;
  /** Laid over the pipeline from left to right. */
  readonly overlays: readonly string[];
  /** `path=value` of all points. */
  readonly sets: readonly string[];
  /** Text of every TOML file that was read, by its path relative to the project. */
  readonly texts: Readonly<Record<string, string>>;
  /** When it was made, or grown last. */
  readonly made_at: string;
  /** SHA-256 of the lock of its first point: code, data and parameters as they were. */
  readonly lock?: string;
  /** Digests of data files and of the project's code, by name. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** By their numbers. */
  readonly points: readonly PointValues[];
  /** Which settings go on when all points of a rung have ended. */
  readonly halving?: {
    readonly measure: string;
    readonly want: "least" | "most";
    /** Path of the loop's steps. */
    readonly path: string;
    /** Steps, rising. */
    readonly rungs: readonly number[];
    readonly keep_one_in: number;
  };
  /** By the number of a point: the point whose states it goes on from. */
  readonly from?: Readonly<Record<string, number>>;
}

/** `points/<number>.json`: how a point that began stands, by the worker that began it. */
export interface PointFile {
  /** Run of the point; absent where none was made. */
  readonly run?: string;
  /** `interrupted` points are waiting for a worker again. */
  readonly state: "running" | "done" | "failed" | "interrupted";
  /** When its last worker began it, by the clock of that worker. */
  readonly started_at: string;
  /** Absent while it runs. */
  readonly ended_at?: string;
  /** Where its last worker runs. */
  readonly host: string;
  /** Wall time of its last worker. */
  readonly seconds?: number;
  /** Demands of its next stage, of an `interrupted` point that its last worker could not serve. */
  readonly needs?: StageResources;
  /** Why it failed. */
  readonly fault?: string;
  /** Path of the log of the stage that failed, relative to the project. */
  readonly log?: string;
}

/**
 * Folder of all sweeps of a project.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { sweepsFolder } from "./sweep_files.ts";
 * assert.equal(sweepsFolder("/project"), "/project/sweeps");
 * ```
 */
export function sweepsFolder(root: string): string {
  return join(root, "sweeps");
}

/**
 * Names of the sweeps of a project, sorted.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { listSweeps } from "./sweep_files.ts";
 * assert.deepEqual(listSweeps("/nowhere"), []);
 * ```
 */
export function listSweeps(root: string): string[] {
  try {
    const entries = [...Deno.readDirSync(sweepsFolder(root))].filter((one) => one.isDirectory);
    return entries.map(({ name }) => name).sort();
  } catch {
    return [];
  }
}

/**
 * Reads a sweep; undefined if there is none, or the file is no sweep.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { readSweepFile } from "./sweep_files.ts";
 * assert.equal(readSweepFile("/nowhere", "rates"), undefined);
 * ```
 */
export function readSweepFile(root: string, sweep: string): SweepFile | undefined {
  const file = readJson(join(sweepsFolder(root), sweep, "sweep.json"));
  if (!isRecord(file) || file.format !== 1 || !Array.isArray(file.points)) return undefined;
  return file as unknown as SweepFile;
}

/**
 * Path of the file of a point.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { pointPath } from "./sweep_files.ts";
 * assert.equal(pointPath("/project", "rates", 3), "/project/sweeps/rates/points/3.json");
 * ```
 */
export function pointPath(root: string, sweep: string, point: number): string {
  return join(sweepsFolder(root), sweep, "points", `${point}.json`);
}

/**
 * How a point stands; undefined if it never began.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { readPointFile } from "./sweep_files.ts";
 * assert.equal(readPointFile("/nowhere", "rates", 3), undefined);
 * ```
 */
export function readPointFile(root: string, sweep: string, point: number): PointFile | undefined {
  const file = readJson(pointPath(root, sweep, point));
  return isRecord(file) && typeof file.state === "string"
    ? file as unknown as PointFile
    : undefined;
}

function readJson(path: string): unknown {
  try {
    const bytes = readIfThere(path);
    return bytes && JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
