/** Content of a lock file: all that the result of each stage depends on and no machine decides. */
import { join, relative, sep } from "node:path";
import type { Json } from "../../base/canonical_json.ts";
import { hashRegular } from "../../base/regular_file.ts";
import type { Grants } from "../process/permissions.ts";
import { permissionNames } from "../process/permissions.ts";
import type { ProjectLayout, SluiceHome } from "../project/project.ts";
import type { ResolvedPipeline } from "../read/resolved.ts";
import { leaves } from "./fingerprint.ts";
import { earlierArtifacts } from "./plan.ts";
import { partsOf, type PrepareContext, type PreparedStage } from "./preparation.ts";

/** One stage of a lock file; every list is sorted, every leaf stands on a line. */
export interface LockedStage {
  /** Kind, version, parameters with files by content, inputs by name, seed: by dotted path. */
  readonly values: Readonly<Record<string, Json>>;
  /** SHA-256 of each file of the project's own code that it runs. */
  readonly code: Readonly<Record<string, string>>;
  /** Its permissions; paths are relative to the project. */
  readonly permissions: Readonly<Record<string, readonly string[]>>;
}

/** The content of a lock file. */
export interface PipelineLock {
  /** Version of this file. */
  readonly format: 2;
  /** The sandbox level that the pipeline demands. */
  readonly sandbox?: string;
  /** By their names in the file. */
  readonly stages: Readonly<Record<string, LockedStage>>;
}

/** Parts of a fingerprint that a machine, or the version of Sluice, decides. */
const ofTheMachine =
  /^(epoch|modules|services|tensors|environment|permissions)(\.|$)|\.permissions\./;

/** The lock of a pipeline, with nothing of this machine in it. */
export function pipelineLock(
  { minimumLevel }: Pick<ResolvedPipeline, "minimumLevel">,
  prepared: ReadonlyMap<string, PreparedStage>,
  context: PrepareContext,
): PipelineLock {
  const codes = new Map<string, LockedStage["code"]>();
  const stages = [...prepared].map(([name, one]) => {
    const code = codes.get(one.entry) ?? codeOf(one, context); // many stages share an entry
    codes.set(one.entry, code);
    return [name, lockedStage(one, code, context)] as const;
  });
  return {
    format: 2,
    ...(minimumLevel && { sandbox: minimumLevel }),
    stages: Object.fromEntries(stages.toSorted(([a], [b]) => a < b ? -1 : 1)),
  };
}

function lockedStage(
  one: PreparedStage,
  code: LockedStage["code"],
  context: PrepareContext,
): LockedStage {
  const parts = leaves(partsOf(one, earlierArtifacts([one.stage]), context));
  const values = [...parts].filter(([path]) => !ofTheMachine.test(path));
  const { layout, home } = context;
  return {
    values: Object.fromEntries(values.toSorted(([a], [b]) => a < b ? -1 : 1)),
    code,
    permissions: permissionsOf(one.grants, layout, home),
  };
}

/** Files of the project; those of Sluice are known by its version. */
function codeOf({ files }: PreparedStage, context: PrepareContext): Record<string, string> {
  const { layout, home, digests } = context;
  const own = files.filter((path) => isOwn(path, layout, home)).toSorted();
  return Object.fromEntries(own.map((path) => {
    const digest = digests?.get(path) ?? hashRegular(path, context.maxFileBytes);
    digests?.set(path, digest);
    return [relative(layout.root, path).split(sep).join("/"), digest];
  }));
}

function isOwn(path: string, { root, state }: ProjectLayout, home: SluiceHome): boolean {
  const inside = (folder: string) => path.startsWith(folder + sep);
  const ofSluice = ["src", "stages", "mod.ts"].some((name) => {
    return path === join(home.root, name) || inside(join(home.root, name));
  });
  return inside(root) && !inside(state) && !path.includes(`${sep}node_modules${sep}`) && !ofSluice;
}

function permissionsOf(grants: Grants, layout: ProjectLayout, home: SluiceHome) {
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
