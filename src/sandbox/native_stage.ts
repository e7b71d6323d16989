/** A stage that loads native code as a confined program: few files, no network, nothing executed. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { confine } from "./confinement.ts";
import { linkedFiles } from "./deno_program.ts";
import { examineHost } from "./host.ts";
import { reportSize, splitReport } from "./keeper.ts";
import type { FileAccess } from "./landlock.ts";
import type { ResourceLimits } from "./limits.ts";
import type { Binding } from "./namespaces.ts";

/** Command of Deno to start. */
export interface NativeStage {
  /** Arguments of Deno, permissions included. */
  readonly args: readonly string[];
  /** All of its environment variables. */
  readonly env: Readonly<Record<string, string>>;
  /** Absolute path of its working folder. */
  readonly cwd: string;
  /** Files and folders. */
  readonly readable: readonly string[];
  /** Files that exist. */
  readonly writable: readonly string[];
}

/** Where libraries lie that a native library may be linked to. */
const systemFiles = ["/usr", "/lib", "/lib64", "/etc/ld.so.cache"];

/** Bound as a whole. */
const ofMachine = /^\/(?:proc|sys|dev)(?:\/|$)/;

/** Files of the machine that every library reads. Deno does not allow a look whether they are there. */
const machine: readonly Binding[] = [
  { path: "/proc", inside: "/proc", kind: "directory", access: "read" },
  { path: "/sys", inside: "/sys", kind: "directory", access: "read" },
  { path: "/dev/null", inside: "/dev/null", kind: "device", access: "write" },
  { path: "/dev/urandom", inside: "/dev/urandom", kind: "device", access: "read" },
];

/** No bounds but those of the machine: a stage may train for days. */
const limits: ResourceLimits = {
  cpuSeconds: 30 * 24 * 3600,
  dataBytes: 2 ** 40,
  fileBytes: 2 ** 40,
  openFiles: 1 << 16,
  processes: 1 << 20,
};

/** One start of a stage, prepared. */
export interface NativeStart {
  /** Launcher with its arguments, all three standard streams piped. */
  readonly command: Deno.Command;
  /** Plan that the launcher reads from standard input before anything else. */
  readonly preamble: Uint8Array<ArrayBuffer>;
  /** Nonce of the first frame on standard output, once the layers stand. */
  readonly nonce: string;
  /** Bytes of the report with which standard error ends. */
  readonly reportBytes: number;
  /** Reads exit status and signal from that report; undefined where the keeper wrote none. */
  readEnd(bytes: Uint8Array): { readonly code: number; readonly signal: string | null } | undefined;
}

/**
 * Prepares one start at level L2: Landlock, seccomp and no privileges, for code that Deno's own
 * permissions do not hold. Undefined where the machine lacks a layer.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { confineNativeStage } from "./native_stage.ts";
 * const stage = { args: ["eval", "1"], env: {}, cwd: Deno.cwd(), readable: [], writable: [] };
 * const start = await confineNativeStage(stage);
 * assert(start === undefined || start.preamble.length > 0);
 * ```
 */
export async function confineNativeStage(
  { args, env, cwd, readable, writable }: NativeStage,
): Promise<NativeStart | undefined> {
  const { host } = await examineHost();
  if (!host) return undefined;
  const deno = Deno.execPath();
  const bindings = [
    binding(deno, "execute"),
    ...linkedFiles(),
    ...distinct([...systemFiles, ...readable]).map((path) => binding(path, "read")),
    ...writable.map((path) => binding(path, "write")),
    ...machine,
  ];
  const program = {
    command: () => [deno, ...args],
    environment: env,
    folder: cwd,
    limits,
    world: { bindings },
  };
  const { preamble, nonce, mark } = confine(program, "L2", host, { without: ["attestation"] });
  const command = new Deno.Command(host.launcher, {
    clearEnv: true,
    detached: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
  const readEnd = (bytes: Uint8Array) => {
    const { report } = splitReport(bytes, mark);
    return report && { code: report.exit ?? 1, signal: report.signal ?? null };
  };
  return { command, preamble, nonce, reportBytes: reportSize, readEnd };
}

/** Existing paths, links followed, without paths below another one. */
function distinct(paths: readonly string[]): string[] {
  const there = paths.filter((path) => !ofMachine.test(path) && existsSync(path))
    .map((path) => realpathSync(path));
  const all = new Set(there);
  return [...all].filter((path) => {
    for (let at = dirname(path); at !== dirname(at); at = dirname(at)) {
      if (all.has(at)) return false;
    }
    return true;
  });
}

function binding(path: string, access: FileAccess): Binding {
  const kind = statSync(path).isDirectory() ? "directory" : "file";
  return { path, inside: path, kind, access };
}
