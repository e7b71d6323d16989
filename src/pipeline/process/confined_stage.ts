/** A stage's process, ready to be confined: files to read, and the one file to write. */
import { join } from "node:path";
import type { ConfinedStart, ConfineProcess } from "../contract/confinement.ts";
import type { ProjectLayout, SluiceHome } from "../project/project.ts";
import { cudaFolder, nativeGrants } from "./permissions.ts";
import { readVariable, stageArguments, stageEnvironment } from "./process.ts";
import type { StageProcessOptions } from "./process.ts";

/**
 * Confines the process of a stage that may load native code, where the machine can; others are left
 * alone, and so are TensorFlow, whose binding does not load inside ("Operation not permitted"), and
 * NVIDIA's driver, which is asked by calls on devices (`ioctl`) that are refused there.
 */
export async function confinedStage(
  options: StageProcessOptions,
  modules: readonly string[],
  layout: ProjectLayout,
  confine: ConfineProcess | undefined,
): Promise<ConfinedStart | undefined> {
  const { grants, auditFile, home, cwd } = options;
  if (!confine || grants.ffi.length === 0 || isUnconfined(grants, home)) return undefined;
  if (auditFile) await Deno.writeTextFile(auditFile, "");
  const granted = [...grants.read, ...grants.ffi].filter((path) => path !== "*");
  return await confine({
    args: stageArguments(options),
    env: { ...quiet, ...stageEnvironment(options) },
    cwd,
    readable: [layout.root, ...foldersOf(home.root), ...denoFolder(), ...modules, ...granted],
    writable: auditFile ? [auditFile] : [],
  });
}

/** Whether a library is among what is granted that does not work inside. */
function isUnconfined({ ffi, read }: StageProcessOptions["grants"], home: SluiceHome): boolean {
  const { tensorflow } = nativeGrants(home);
  return ffi.includes(tensorflow.ffi[0]) || read.includes(cudaFolder(home));
}

const quiet = { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1", DENO_NO_PROMPT: "1" };

/** Sluice's own folder; of a package, that of all packages beside it. */
function foldersOf(home: string): string[] {
  const at = home.search(/[\\/]node_modules[\\/]/);
  return at < 0 ? [home] : [home, join(home.slice(0, at), "node_modules")];
}

/** Where Deno keeps what it has compiled; it may read there, and keeps nothing new. */
function denoFolder(): string[] {
  const [own, home] = [readVariable("DENO_DIR"), readVariable("HOME")];
  return own ? [own] : home ? [join(home, ".cache", "deno")] : [];
}
