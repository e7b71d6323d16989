/** Runs a Python file at the level that is asked for, or the highest that this machine offers. */
import { MissingPartError } from "../base/diagnostic.ts";
import type { KernelLevel } from "./attestation.ts";
import { requireOpen } from "./closed_files.ts";
import type { ConfinementHost } from "./confinement.ts";
import { examineHost } from "./host.ts";
import { defaultPythonLimits, pythonProgram } from "./python_program.ts";
import type { PythonLimits } from "./python_program.ts";
import { runProgram } from "./run_program.ts";
import type { ProgramRun, RunOptions } from "./run_program.ts";

/** Script to run, and its options. */
export interface RunPythonOptions extends RunOptions {
  /** Absolute path. */
  readonly script: string;
  /** Level that must be reached; the highest that this machine offers if left out. */
  readonly level?: KernelLevel;
  /** Absolute path of the interpreter; the system's by default. */
  readonly python?: string;
  /** Limits instead of {@linkcode defaultPythonLimits}. */
  readonly limits?: Partial<PythonLimits>;
}

const systemPythons = ["/usr/bin/python3", "/usr/local/bin/python3"];

/**
 * Runs the file and returns how it ended.
 *
 * @throws MissingPartError if the level or the interpreter is not available; nothing was run then.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { examineHost, runPython } from "sluice/sandbox";
 * const script = await Deno.makeTempFile({ suffix: ".py" });
 * await Deno.writeTextFile(script, "print(6 * 7)");
 * if ((await examineHost()).host) {
 *   const { status, stdout } = await runPython({ script, level: "L2" });
 *   assert.deepEqual([status, new TextDecoder().decode(stdout)], ["ok", "42\n"]);
 * }
 * await Deno.remove(script);
 * ```
 */
export async function runPython(options: RunPythonOptions): Promise<ProgramRun> {
  const host = await requireHost();
  const level = options.level ?? await pythonLevel();
  if (level === "L3" && !host.bubblewrap) throw noBubblewrap();
  const limits = { ...defaultPythonLimits, ...options.limits };
  const { script, python = systemPython() } = options;
  const program = pythonProgram({ python, script, limits }, level);
  requireOpen([{ path: python, kind: "file" }, ...program.world.bindings], level, host);
  return await runProgram(program, level, host, options);
}

/**
 * The highest level at which the system's Python runs here, found by running an empty file.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { examineHost } from "./host.ts";
 * import { pythonLevel } from "./run_python.ts";
 * if ((await examineHost()).host) assert.match(await pythonLevel(), /^L[23]$/);
 * ```
 *
 * @throws MissingPartError if there is none.
 */
export async function pythonLevel(): Promise<KernelLevel> {
  const host = await requireHost();
  const attempt = (level: KernelLevel) => {
    return runProgram(
      pythonProgram({ python: systemPython(), script: "/dev/null" }, level),
      level,
      host,
    );
  };
  if (host.bubblewrap) {
    const run = await attempt("L3").catch(() => undefined);
    if (run?.status === "ok") return "L3";
  }
  await attempt("L2");
  return "L2";
}

/** The host's layers of confinement. @throws MissingPartError if they are less than level L2. */
export async function requireHost(): Promise<ConfinementHost> {
  const { host, layers } = await examineHost();
  if (host) return host;
  const missing = layers.find(({ ok }) => !ok);
  throw new MissingPartError(
    `Cannot confine a program on this machine: ${missing?.layer}: ${missing?.found}`,
    missing?.remedy ?? "run `sluice doctor`",
  );
}

function noBubblewrap(): MissingPartError {
  return new MissingPartError(
    "Cannot confine a program at level L3: bubblewrap was not found",
    "install bubblewrap, for example: apt-get install bubblewrap",
  );
}

function systemPython(): string {
  const found = systemPythons.find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
  return found ?? systemPythons[0];
}
