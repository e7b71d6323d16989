/** Shared by the tests that run Python text: small limits, and text for output. */
import type { KernelLevel } from "../../src/sandbox/attestation.ts";
import type { PythonLimits } from "../../src/sandbox/python_program.ts";
import type { RunOptions } from "../../src/sandbox/run_program.ts";
import { runPython } from "../../src/sandbox/run_python.ts";

/** Levels that the kernel makes. */
export const kernelLevels: readonly KernelLevel[] = ["L2", "L3"];

/** Limits that a test can wait for. */
export const smallLimits: PythonLimits = {
  ...{ wallMs: 20_000, cpuSeconds: 1, dataBytes: 256 << 20, scratchBytes: 4 << 20 },
};

/** How a text is run. */
export interface RunTextOptions extends RunOptions {
  /** Folder of the file; the system's for temporary files by default. */
  readonly dir?: string;
}

/** Runs a text at a level; the file is gone afterwards. */
export async function runText(
  text: string,
  level: KernelLevel,
  limits: Partial<PythonLimits> = {},
  { dir, ...options }: RunTextOptions = {},
) {
  const script = Deno.makeTempFileSync({ dir, prefix: "program-", suffix: ".py" });
  try {
    Deno.writeTextFileSync(script, text);
    Deno.chmodSync(script, 0o644);
    const run = await runPython({
      ...options,
      script,
      level,
      limits: { ...smallLimits, ...limits },
    });
    const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { ...run, out: decode(run.stdout), err: decode(run.stderr) };
  } finally {
    Deno.removeSync(script);
  }
}
