/** Levels L2 and L3 for engine workers: a launcher whose memory bound is found by trying. */
import type { KernelLevel } from "./attestation.ts";
import { closedFile } from "./closed_files.ts";
import type { ConfinedProgram, ConfinementHost, LayerChanges } from "./confinement.ts";
import { confine } from "./confinement.ts";
import { denoWorkerProgram } from "./deno_program.ts";
import type { ResourceLimits } from "./limits.ts";
import { tryStart } from "./trial.ts";
import type { Launcher, WorkerStart } from "./launcher.ts";

const mib = 1 << 20;
/** Bytes of writable memory that a program may use beside a worker's own at its start. */
const workerMemoryBytes = 512 * mib;
/** Bounds under which a worker's start is tried, MiB; the need depends on the number of cores. */
const startMib = [576, 640, 768, 1024, 1536, 2560];
const openFiles = 64;
/**
 * At L3 a worker has its user for itself, and Deno makes threads by the number of cores; at L2 it
 * shares the user with everything else that this one runs.
 */
const processes: Readonly<Record<KernelLevel, number>> = {
  L2: 8192,
  L3: 64 + 2 * navigator.hardwareConcurrency,
};

/** The launcher of a level, or why there is none. */
type KernelLauncher =
  | { readonly launcher: Launcher }
  | { readonly problem: string };

/**
 * Finds the smallest bound under which a worker starts, attested, and adds the memory of programs.
 * RLIMIT_DATA is the only bound that holds ArrayBuffers and WebAssembly memory, too.
 */
export async function kernelLauncher(
  level: KernelLevel,
  host: ConfinementHost,
  worker: string,
): Promise<KernelLauncher> {
  if (level === "L3" && !host.bubblewrap) return { problem: "bubblewrap was not found" };
  const { bindings } = workerProgram(worker, level, mib, 1).world;
  const closed = closedFile(bindings, level, host);
  if (closed) return { problem: `${closed.problem}; ${closed.remedy}` };
  let said = "";
  for (const size of startMib) {
    const trial = await tryStart(
      startOf(workerProgram(worker, level, size * mib, 10), level, host),
    );
    if (trial.kind === "refused" || trial.kind === "ended") {
      return { problem: trial.said || "the worker ended before it said hello" };
    }
    if (trial.kind === "hello") return { launcher: launcherOf(level, host, size * mib) };
    said = trial.said;
  }
  return { problem: `a worker did not start within ${startMib.at(-1)} MiB: ${said}` };
}

/**
 * The launcher of the highest level that the machine has the parts for, with the smallest bound,
 * untried: for a caller that starts one worker, and learns from that whether it works.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { workerPath } from "../executor/engine_file.ts";
 * import { examineHost } from "./host.ts";
 * import { untriedLauncher } from "./kernel_launcher.ts";
 * const { host } = await examineHost();
 * if (host) assert.equal(untriedLauncher(host, workerPath())?.level, host.bubblewrap ? "L3" : "L2");
 * ```
 */
export function untriedLauncher(host: ConfinementHost, worker: string): Launcher | undefined {
  const level = host.bubblewrap ? "L3" : "L2";
  const { bindings } = workerProgram(worker, level, mib, 1).world;
  return closedFile(bindings, level, host) ? undefined : launcherOf(level, host, startMib[0] * mib);
}

function launcherOf(level: KernelLevel, host: ConfinementHost, startBytes: number): Launcher {
  const bytes = startBytes + workerMemoryBytes;
  const programs = new Map<string, ConfinedProgram>();
  return {
    level,
    start: (worker, cpuSeconds) => {
      const key = `${cpuSeconds} ${worker}`;
      const program = programs.get(key) ?? workerProgram(worker, level, bytes, cpuSeconds);
      programs.set(key, program);
      return startOf(program, level, host);
    },
  };
}

/** A worker with its limits, as a program to be confined. */
export function workerProgram(
  worker: string,
  level: KernelLevel,
  dataBytes: number,
  cpuSeconds: number,
): ConfinedProgram {
  const limits: ResourceLimits = {
    cpuSeconds,
    dataBytes,
    fileBytes: 0,
    openFiles,
    processes: processes[level],
  };
  return denoWorkerProgram({ deno: Deno.execPath(), worker, limits });
}

/** Prepares the start of a confined program. */
export function startOf(
  program: ConfinedProgram,
  level: KernelLevel,
  host: ConfinementHost,
  changes?: LayerChanges,
): WorkerStart {
  const command = new Deno.Command(host.launcher, {
    clearEnv: true,
    detached: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
  return { command, confinement: confine(program, level, host, changes) };
}
