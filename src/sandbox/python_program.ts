/** A Python file as a confined program: an interpreter, its libraries, no home but a private one. */
import { dirname } from "node:path";
import { MissingPartError } from "../base/diagnostic.ts";
import type { KernelLevel } from "./attestation.ts";
import type { ConfinedProgram } from "./confinement.ts";
import type { ResourceLimits } from "./limits.ts";
import type { Binding, World } from "./namespaces.ts";

const mib = 1 << 20;

/** Limits of a Python program: wall time is the keeper's, the rest the kernel's. */
export interface PythonLimits {
  /** Milliseconds of wall time, by the keeper's clock. */
  readonly wallMs: number;
  /** Seconds of CPU of all threads together. */
  readonly cpuSeconds: number;
  /** Bytes of writable private memory. */
  readonly dataBytes: number;
  /** Bytes of `/tmp`, in memory; used at level L3 alone. */
  readonly scratchBytes: number;
}

/** Two minutes, 2 GiB of memory and 64 MiB of private files. */
export const defaultPythonLimits: PythonLimits = {
  wallMs: 120_000,
  cpuSeconds: 120,
  dataBytes: 2048 * mib,
  scratchBytes: 64 * mib,
};

/** Script to run, its interpreter and its limits. */
interface PythonOptions {
  /** Absolute path of the interpreter, of the system or of a virtual environment. */
  readonly python: string;
  /** Absolute path of the file. */
  readonly script: string;
  readonly arguments?: readonly string[];
  readonly limits?: PythonLimits;
  /** Files or folders that it may use beside the interpreter's. */
  readonly bindings?: readonly Binding[];
}

const inside = "/program.py";
const [openFiles, fileBytes] = [64, 16 * mib];
const processes: Readonly<Record<KernelLevel, number>> = { L2: 8192, L3: 32 };

/**
 * The file run by `python -I -B`. At level L3 `/tmp` is its home, in memory and gone afterwards; at
 * level L2 there is nothing that it can write.
 *
 * @throws MissingPartError if there is no such interpreter.
 */
export function pythonProgram(options: PythonOptions, level: KernelLevel): ConfinedProgram {
  const { python, script, limits = defaultPythonLimits, bindings = [] } = options;
  const { wallMs, scratchBytes } = limits;
  const own: Binding = { path: script, inside, kind: "file", access: "read" };
  const world = pythonWorld(python);
  return {
    command: (at) => [python, "-I", "-B", at(script), ...(options.arguments ?? [])],
    environment: environment(level === "L3" ? "/tmp" : "/nonexistent"),
    world: {
      ...world,
      bindings: [...world.bindings, ...bindings, own],
      ...(level === "L3" && { scratchBytes }),
    },
    limits: kernelLimits(limits, level),
    wallMs,
  };
}

/** An interpreter in a world whose files are not this machine's, at level L3. */
export function pythonInside(
  { python, args, world, limits }: {
    readonly python: string;
    readonly args: readonly string[];
    readonly world: World;
    readonly limits: PythonLimits;
  },
): ConfinedProgram {
  const { wallMs, scratchBytes } = limits;
  return {
    command: () => [python, "-I", "-B", ...args],
    environment: environment("/tmp"),
    world: { ...world, scratchBytes },
    limits: kernelLimits(limits, "L3"),
    wallMs,
  };
}

function kernelLimits(
  { cpuSeconds, dataBytes }: PythonLimits,
  level: KernelLevel,
): ResourceLimits {
  const files = level === "L3" ? fileBytes : 0;
  return { cpuSeconds, dataBytes, openFiles, processes: processes[level], fileBytes: files };
}

function environment(home: string): Readonly<Record<string, string>> {
  return {
    PATH: "/usr/bin:/bin",
    HOME: home,
    TMPDIR: home,
    LANG: "C.UTF-8",
    OMP_NUM_THREADS: "1",
    OPENBLAS_NUM_THREADS: "1",
    MKL_NUM_THREADS: "1",
  };
}

/** Folders of the system, and those of the interpreter where it is not the system's. */
function pythonWorld(python: string): World {
  const prefixes = prefixesOf(python).filter((path) => !path.startsWith("/usr"));
  const system = ["/usr", ...["/lib", "/lib64", "/bin"].filter(isFolder)];
  const folders = [...new Set([...system, ...prefixes])];
  const bindings = folders.filter((path) => linkTarget(path) === undefined).map(readOnly);
  const links = folders.flatMap((path) => {
    const target = linkTarget(path);
    return target === undefined ? [] : [[path, target] as const];
  });
  return { bindings: [...bindings, ...devices], links };
}

const devices: readonly Binding[] = [
  { path: "/dev/null", inside: "/dev/null", kind: "device", access: "write" },
  { path: "/dev/urandom", inside: "/dev/urandom", kind: "device", access: "read" },
];

function readOnly(path: string): Binding {
  return { path, inside: path, kind: "directory", access: "execute" };
}

/** Where an interpreter's own files lie: its environment's folder, and that of the real one. */
function prefixesOf(python: string): string[] {
  try {
    const real = dirname(dirname(Deno.realPathSync(python)));
    const environment = dirname(dirname(python));
    const base = baseOf(environment);
    return base === undefined ? [real] : [...new Set([environment, real, base])];
  } catch {
    throw new MissingPartError(
      `Cannot run Python: there is no ${python}`,
      "install it, for example apt-get install python3, or name another with --python",
    );
  }
}

/** The installation that a virtual environment was made from, if it is one: it has the library. */
function baseOf(environment: string): string | undefined {
  const file = `${environment}/pyvenv.cfg`;
  if (!isFile(file)) return undefined;
  const home = /^home\s*=\s*(.+)$/m.exec(Deno.readTextFileSync(file))?.[1].trim();
  return home === undefined || !isFolder(home) ? environment : dirname(home);
}

function linkTarget(path: string): string | undefined {
  return Deno.lstatSync(path).isSymlink ? Deno.readLinkSync(path) : undefined;
}

function isFolder(path: string): boolean {
  return stat(path)?.isDirectory ?? false;
}

function isFile(path: string): boolean {
  return stat(path)?.isFile ?? false;
}

function stat(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}
