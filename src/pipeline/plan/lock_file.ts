/** `<pipeline>.lock.json`: what each stage of a pipeline may touch, to be reviewed in git. */
import { basename, dirname, join, relative, sep } from "node:path";
import { inputError } from "../../base/diagnostic.ts";
import { writeAtomic } from "../../base/atomic.ts";
import { readJsonFile } from "../process/json_file.ts";
import type { Grants } from "../process/permissions.ts";
import { permissionNames } from "../process/permissions.ts";
import type { ResolvedPipeline } from "../read/resolved.ts";
import type { PreparedStage } from "./preparation.ts";
import type { ProjectLayout, SluiceHome } from "../project/project.ts";

/** Permissions of a stage: names to sorted values; paths are relative to the project. */
type StageLock = Readonly<Record<string, readonly string[]>>;

/** The content of a lock file. */
export interface PipelineLock {
  readonly format: 1;
  readonly stages: Readonly<Record<string, StageLock>>;
}

/** `pipelines/dugongs.toml` has its lock in `pipelines/dugongs.lock.json`. */
function lockPath(pipelineFile: string): string {
  return join(dirname(pipelineFile), `${basename(pipelineFile).replace(/\.toml$/, "")}.lock.json`);
}

/** What the stages may touch, without anything of this machine. */
export function pipelineLock(
  prepared: ReadonlyMap<string, PreparedStage>,
  layout: ProjectLayout,
  home: SluiceHome,
): PipelineLock {
  const stages = [...prepared].map(([name, { grants }]) => [name, stageLock(grants, layout, home)]);
  return { format: 1, stages: Object.fromEntries(stages.sort()) };
}

/**
 * Brings the lock file up to date.
 *
 * @throws InputError `lock/would-change` if it is frozen and would change.
 */
export function updateLock(pipeline: ResolvedPipeline, lock: PipelineLock, frozen: boolean): void {
  const path = lockPath(pipeline.absolutePath);
  const before = readJsonFile(path) as PipelineLock | undefined;
  const changes = lockChanges(before, lock);
  if (before && changes.length === 0) return;
  if (!frozen) return writeAtomic(path, JSON.stringify(lock, null, 2) + "\n");
  const what = before ? changes.join("; ") : "there is no lock file";
  const hint = "run without --frozen, and commit the lock file if the change is meant";
  throw inputError("lock/would-change", `Cannot keep ${path} frozen: ${what}`, undefined, hint);
}

/** Lines such as `train: + net example.org`. */
function lockChanges(before: PipelineLock | undefined, now: PipelineLock): string[] {
  const [old, fresh] = [lockLines(before), lockLines(now)];
  const gone = [...old].filter((line) => !fresh.has(line)).map((line) =>
    line.replace(": ", ": - ")
  );
  const added = [...fresh].filter((line) => !old.has(line));
  return [...gone, ...added.map((line) => line.replace(": ", ": + "))].sort();
}

function lockLines(lock: PipelineLock | undefined): Set<string> {
  const stages = Object.entries(lock?.stages ?? {});
  return new Set(stages.flatMap(([stage, permissions]) => [
    `${stage}: stage`,
    ...Object.entries(permissions).flatMap(([name, values]) =>
      values.map((value) => `${stage}: ${name} ${value}`)
    ),
  ]));
}

function stageLock(grants: Grants, layout: ProjectLayout, home: SluiceHome): StageLock {
  const lists = permissionNames.filter((name) => grants[name].length > 0).map((name) => {
    const isPath = name === "read" || name === "ffi";
    const values = grants[name].map((value) => isPath ? portable(value, layout, home) : value);
    return [name, [...new Set(values)].sort()];
  });
  return Object.fromEntries(lists);
}

/** A path as any machine would write it. */
function portable(path: string, layout: ProjectLayout, home: SluiceHome): string {
  const packaged = /[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)$/.exec(path);
  if (packaged) return `npm:${packaged[1].replaceAll("\\", "/")}`;
  for (const [prefix, root] of [["", layout.root], ["sluice:", home.root]]) {
    const inside = relative(root, path);
    if (!inside.startsWith("..")) return prefix + inside.split(sep).join("/");
  }
  return path;
}
