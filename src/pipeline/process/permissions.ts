/** Permissions of the process of a stage, as lists and as flags of `deno run`. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { ResolvedStage } from "../read/resolved.ts";
import type { ProjectLayout, SluiceHome } from "../project/project.ts";

/** Permissions of Deno that a stage kind may declare. */
export const permissionNames = ["read", "net", "env", "sys", "ffi"] as const;
/** One of {@linkcode permissionNames}. */
export type PermissionName = (typeof permissionNames)[number];

/** Sorted lists without repetition; paths are absolute. */
export type Grants = Readonly<Record<PermissionName, readonly string[]>>;

export const noGrants: Grants = { read: [], net: [], env: [], sys: [], ffi: [] };

/** Packages that read files of their own when a stage computes with tensors. */
const tensorPackages = ["@tensorflow/tfjs-backend-wasm"];

/**
 * Permissions that the kind of a stage declares, the files that its parameters name and, for a stage that
 * computes with tensors, the files of the backend. A loop gets those of its inner stages.
 */
export function stageGrants(
  stage: ResolvedStage,
  layout: ProjectLayout,
  home: SluiceHome,
  { native = [], models = [] }: BesideStages = {},
): Grants {
  return grantsBy(stage, (unit, name) => {
    const declared = declaredBy(unit, name, layout);
    const tensors = unit.declaration.tensors;
    const libraries = [
      ...tensors ? native.flatMap((one) => nativeGrants(home)[one][name]) : [],
      ...modelGrants(models)[name],
    ];
    if (name !== "read") return [...declared, ...libraries];
    const packages = tensors ? tensorPackages.flatMap((p) => packageFolders(home, p)) : [];
    const files = unit.files.flatMap(({ path }) => withTarget(path));
    return [...declared, ...files, ...packages, ...libraries];
  });
}

/** Permissions that policies of a pipeline bring into processes of other stages. */
export interface BesideStages {
  /** Libraries that any stage asks for: into every process that computes with tensors. */
  readonly native?: readonly NativeBackend[];
  /** Folders of the language models that stages name: policies and texts of theirs flow anywhere. */
  readonly models?: readonly string[];
}

/** A model is read whole, once there is enough memory for it. */
function modelGrants(folders: readonly string[]): Grants {
  if (folders.length === 0) return noGrants;
  return { ...noGrants, read: folders, sys: ["systemMemoryInfo"] };
}

/** A file, and where links lead from it: whether they may, the plan has seen to. */
function withTarget(path: string): string[] {
  return existsSync(path) ? [...new Set([path, realpathSync(path)])] : [path];
}

/** The value that stands for all values of a permission. */
const everything = "*";

/** Backends of policies that load native code. */
const nativeBackends = ["tensorflow", "blas", "cuda"] as const;
export type NativeBackend = (typeof nativeBackends)[number];

/** Folder that records where NVIDIA's libraries lie; stages that compute on a GPU may read it. */
export function cudaFolder({ root }: Pick<SluiceHome, "root">): string {
  return join(root, ".sluice", "cuda");
}

/** Permissions that native libraries need; loading one voids the other limits of the process. */
export function nativeGrants({ root }: SluiceHome): Readonly<Record<NativeBackend, Grants>> {
  const folder = join(root, ".sluice", "tensorflow");
  const installed = join(root, ".sluice", "blas");
  const blas = {
    ...noGrants,
    read: [installed, "/proc/cpuinfo"],
    ffi: [everything],
    env: ["OPENBLAS_CORETYPE"],
  };
  return {
    tensorflow: {
      ...noGrants,
      read: [folder],
      ffi: [folder],
      env: [everything],
      sys: [everything],
    },
    blas,
    // A library computes the operations that the GPU does not.
    cuda: { ...blas, read: [...blas.read, cudaFolder({ root })] },
  };
}

/** The native libraries that any stage asks for; its policy then flows through others. */
export function nativeBackendsOf(stages: readonly ResolvedStage[]): NativeBackend[] {
  const units = stages.flatMap((stage) => [stage, ...stage.loop?.stages ?? []]);
  const asked = new Set(units.map(({ params }) => {
    return (params as { readonly policy?: { readonly backend?: unknown } }).policy?.backend;
  }));
  return nativeBackends.filter((one) => asked.has(one));
}

/** Permissions that the kinds of a stage declare, without the files that parameters and backends add. */
export function declaredGrants(stage: ResolvedStage, layout: ProjectLayout): Grants {
  return grantsBy(stage, (unit, name) => declaredBy(unit, name, layout));
}

function grantsBy(
  stage: ResolvedStage,
  values: (unit: ResolvedStage, name: PermissionName) => readonly string[],
): Grants {
  const units = [stage, ...stage.loop?.stages ?? []];
  const lists = permissionNames.map((name) => {
    const all = units.flatMap((unit) => values(unit, name));
    return [name, [...new Set(all)].sort()];
  });
  return Object.fromEntries(lists) as unknown as Grants;
}

/** Paths are relative to the project. */
function declaredBy(
  { declaration }: ResolvedStage,
  name: PermissionName,
  layout: ProjectLayout,
): readonly string[] {
  const declared = declaration.permissions?.[name] ?? [];
  const isPath = name === "read" || name === "ffi";
  return isPath ? declared.map((path) => resolve(layout.root, path)) : declared;
}

/** The folder of an npm package, and where links lead from it. */
function packageFolders(home: SluiceHome, name: string): string[] {
  for (let at = home.root;; at = dirname(at)) {
    const folder = join(at, "node_modules", name);
    if (existsSync(folder)) return [...new Set([folder, realpathSync(folder)])];
    if (dirname(at) === at) return [];
  }
}

/** Flags of `deno run`, one for each permission that is not empty. */
export function grantFlags(grants: Grants): string[] {
  return permissionNames
    .filter((name) => grants[name].length > 0)
    .map((name) =>
      grants[name].includes(everything)
        ? `--allow-${name}`
        : `--allow-${name}=${grants[name].map(escapeComma).join(",")}`
    );
}

/** A comma inside a value is doubled, as Deno wants it. */
function escapeComma(value: string): string {
  return value.replaceAll(",", ",,");
}

/** Permission and value of a denied access. */
interface DeniedAccess {
  readonly permission: string;
  readonly value?: string;
}

/** Reads the message of Deno's `NotCapable`, e.g. `Requires read access to "/etc/hosts", …`. */
export function deniedAccess(message: string): DeniedAccess | undefined {
  const match = /Requires (\w+) access(?: to "([^"]*)")?/.exec(message);
  return match ? { permission: match[1], value: match[2] } : undefined;
}

/** The line that would have allowed it, for the file of the stage kind. */
export function lineToAdd({ permission, value }: DeniedAccess): string {
  return `permissions: { ${permission}: [${JSON.stringify(value ?? "*")}] }`;
}
