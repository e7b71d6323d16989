/** How a worker process is started, and which layers of the sandbox that start puts around it. */
import { denoCommand } from "../base/deno_command.ts";
import type { SandboxLevel } from "../base/sandbox_level.ts";
import type { Confinement } from "./confinement.ts";
import { workerLoader } from "./worker_loader.ts";

/** One worker about to start: its command, with its three standard streams piped. */
export interface WorkerStart {
  /** Deno or the launcher, with arguments. */
  readonly command: Deno.Command;
  /** Bytes to write to it first and to read from it first, where kernel layers are used. */
  readonly confinement?: Confinement;
}

/** Starts workers; executions record the level that it promises. */
export interface Launcher {
  /** Level that every start reaches, or the start fails. */
  readonly level: SandboxLevel;
  /** Prepares one start of a worker's script, which may use so many seconds of CPU time in all. */
  start(worker: string, cpuSeconds: number): WorkerStart;
}

/** Old-space limit of a worker, MiB. It does not bound ArrayBuffers or WebAssembly memory. */
const workerHeapMib = 256;

/**
 * Limit of V8's semi-spaces, MiB, less than V8 takes by itself: most of what a program allocates is
 * dead soon, and collecting sooner costs a tenth less CPU time and 40 MiB less memory.
 */
const workerSemiSpaceMib = 8;

/**
 * Size of the old space, MiB, up to which nothing of it is collected: with a third as much, V8's
 * own start, marking it again and again took an eighth of a program's CPU time.
 */
const workerFirstHeapMib = 64;

const v8Flags = [
  `--initial-old-space-size=${workerFirstHeapMib}`,
  `--max-old-space-size=${workerHeapMib}`,
  `--max-semi-space-size=${workerSemiSpaceMib}`,
  "--disallow-code-generation-from-strings",
];

/**
 * Flags of a worker: no grant, every denial, nothing fetched, found or cached, and no code from
 * strings. WebAssembly compiles all the same: V8's flag is about `eval` and `Function` only.
 */
export const workerFlags: readonly string[] = [
  "--no-prompt",
  "--no-remote",
  "--no-npm",
  "--cached-only",
  "--no-config",
  "--no-lock",
  "--no-code-cache",
  "--deny-read",
  "--deny-write",
  "--deny-net",
  "--deny-env",
  "--deny-sys",
  "--deny-run",
  "--deny-ffi",
  "--deny-import",
  `--v8-flags=${v8Flags.join()}`,
];

/** Level L1, on every system. */
export const denoLauncher: Launcher = {
  level: "L1",
  start: (worker) => ({
    command: denoCommand(["run", ...workerFlags, workerLoader(worker)], { env: noStorage() }),
  }),
};

/** A DENO_DIR that cannot be created: web storage and caches then have no disk to write to. */
function noStorage(): Record<string, string> {
  return Deno.build.os === "windows" ? {} : { DENO_DIR: "/dev/null/deno" };
}
