/** Container engines: where they are, how an image is named, and how a container is started. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Binding } from "../namespaces.ts";
import { insideLauncher } from "../namespaces.ts";

/** Engines that can hold a program, the first that is found by default. */
export const containerEngines = ["podman", "docker", "apptainer"] as const;

/** Name of a container engine, and of its command. */
export type ContainerEngine = (typeof containerEngines)[number];

/**
 * Images are named by their content, since a tag can move: `sha256:` of the image's id,
 * `NAME@sha256:` of its manifest, `FILE.sif@sha256:` of the file. None is an option of an engine.
 */
export const imageName = /^(?:[^\s\p{Cc}@-][^\s\p{Cc}@]*@)?sha256:[0-9a-f]{64}$/u;

/** The image that programs run in, and how it is started. */
export interface ContainerSettings {
  /** Name by content: `sha256:…`, `NAME@sha256:…`, or `FILE.sif@sha256:…` of apptainer. */
  readonly image: string;
  /** The first of podman, docker and apptainer that is on the PATH, if left out. */
  readonly engine?: ContainerEngine;
  /** Runtime of the engine, such as `runc`; the engine's own choice if left out. */
  readonly runtime?: string;
  /** Absolute path of the interpreter inside; {@linkcode defaultContainerPython} if left out. */
  readonly python?: string;
}

/** Where images of Python have their interpreter. */
export const defaultContainerPython = "/usr/local/bin/python3";

/** A container to be started. */
export interface ContainerPlan {
  readonly engine: ContainerEngine;
  /** As {@linkcode imageName} has it. */
  readonly image: string;
  /** Runtime of the engine; its own choice if left out. */
  readonly runtime?: string;
  /** User and group inside. */
  readonly uid: number;
  /** Files of the host that it sees, read-only. */
  readonly files: readonly Pick<Binding, "path" | "inside">[];
  /** Bytes of `/tmp`, in memory. */
  readonly scratchBytes: number;
  /** Bytes of memory of all that is in it. */
  readonly memoryBytes: number;
  /** Processes and threads. */
  readonly processes: number;
}

/** Path of an SIF file, which an image of apptainer is; its digest is compared with the name's. */
export function fileOfImage(image: string): string {
  return image.slice(0, image.lastIndexOf("@"));
}

/** The 64 hexadecimal digits of an image's name. */
export function digestOfImage(image: string): string {
  return image.slice(-64);
}

/**
 * Arguments that start the launcher in a container: no network, nothing that can be written but
 * `/tmp`, no capability, one user, no process of others, nothing left afterwards.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { containerArguments } from "./engine.ts";
 * const image = `sha256:${"0".repeat(64)}`;
 * const size = { scratchBytes: 1 << 20, memoryBytes: 1 << 30, processes: 40 };
 * const args = containerArguments({ engine: "podman", image, uid: 30_000, files: [], ...size });
 * assert(args.includes("--read-only"));
 * ```
 */
export function containerArguments(plan: ContainerPlan): string[] {
  return plan.engine === "apptainer" ? ofApptainer(plan) : ofDocker(plan);
}

function ofDocker(plan: ContainerPlan): string[] {
  const { engine, image, runtime, uid, files, scratchBytes, memoryBytes, processes } = plan;
  const own = engine === "podman" ? ["--read-only-tmpfs=false", "--no-hosts"] : [];
  const scratch = `type=tmpfs,destination=/tmp,tmpfs-size=${scratchBytes},tmpfs-mode=1777`;
  return [
    "run",
    ...["--rm", "--interactive", "--pull", "never", "--log-driver", "none"],
    ...(runtime === undefined ? [] : ["--runtime", runtime]),
    ...["--network", "none", "--ipc", "private", "--hostname", "sandbox"],
    ...["--read-only", ...own, "--mount", engine === "podman" ? `${scratch},notmpcopyup` : scratch],
    ...["--cap-drop", "all", "--security-opt", "no-new-privileges", "--user", `${uid}:${uid}`],
    ...["--memory", `${memoryBytes}`, "--pids-limit", `${processes}`],
    ...["--ulimit", "nofile=256:256", "--ulimit", `nproc=${processes}:${processes}`],
    ...files.flatMap(({ path, inside }) => ["--volume", `${path}:${inside}:ro`]),
    ...["--workdir", "/tmp", "--entrypoint", insideLauncher, image],
  ];
}

function ofApptainer({ image, files }: ContainerPlan): string[] {
  return [
    ...["exec", "--containall", "--no-init", "--no-home", "--cleanenv", "--net", "--network"],
    ...["none", "--pwd", "/tmp"],
    ...files.flatMap(({ path, inside }) => ["--bind", `${path}:${inside}:ro`]),
    ...[fileOfImage(image), insideLauncher],
  ];
}

/** Arguments that print an image's ids; none where the image is a file. */
export function inspectArguments(engine: ContainerEngine, image: string): string[] | undefined {
  if (engine === "apptainer") return undefined;
  return ["image", "inspect", "--format", "{{.Id}} {{.RepoDigests}}", image];
}

/**
 * The folders of a PATH in which an engine is looked for: none of packages, and none below the
 * working folder, for a repository could bring a command of that name.
 */
export function trustedPath(path: string, workingFolder: string): string {
  return path.split(":").filter((folder) =>
    folder.startsWith("/") && !folder.split("/").includes("node_modules") &&
    !`${folder}/`.startsWith(`${workingFolder}/`)
  ).join(":");
}

/** Path of an engine's command; undefined if it is nowhere on the `path`. */
export function enginePath(engine: ContainerEngine, path: string): string | undefined {
  return path.split(":").filter((folder) => folder !== "")
    .map((folder) => join(folder, engine)).find((file) => existsSync(file));
}
