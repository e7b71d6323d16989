/** The engine worker as a confined program: Deno, the libraries it is linked to, and one script. */
import { workerFlags } from "./launcher.ts";
import { launchedArgument } from "./inside/launched.ts";
import { workerLoader } from "./worker_loader.ts";
import type { ConfinedProgram } from "./confinement.ts";
import type { ResourceLimits } from "./limits.ts";
import type { Binding } from "./namespaces.ts";

/** Libraries that Deno is linked to, and the loader that starts it. */
const libraries = ["libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1"]
  .concat("libgcc_s.so.1");
const loaders = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"];
/** Where distributions keep libraries; the first folder that has one is taken. */
const libraryFolders = ["/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/lib64", "/usr/lib64"]
  .concat("/usr/lib", "/lib");

/** Files and limits of a worker's process. */
interface DenoWorkerOptions {
  /** Path of Deno's executable. */
  readonly deno: string;
  readonly worker: string;
  readonly limits: ResourceLimits;
}

/** A worker without any permission, on the fewest files it can start from. */
export function denoWorkerProgram({ deno, worker, limits }: DenoWorkerOptions): ConfinedProgram {
  const bindings: Binding[] = [
    { path: deno, inside: "/deno", kind: "file", access: "execute" },
    { path: worker, inside: `/worker${extension(worker)}`, kind: "file", access: "read" },
    ...linkedFiles(),
  ];
  return {
    command: (
      at,
    ) => [at(deno), "run", ...workerFlags, workerLoader(at(worker)), launchedArgument],
    environment: {
      NO_COLOR: "1",
      DENO_NO_UPDATE_CHECK: "1",
      DENO_NO_PROMPT: "1",
      DENO_DIR: "/nonexistent/deno",
      HOME: "/nonexistent",
    },
    world: { bindings, links: [["/proc/self/exe", "/deno"]] }, // Deno looks there for its own path
    limits,
  };
}

/** The libraries and the loader of this machine, by their usual paths. */
export function linkedFiles(): Binding[] {
  const found = libraries.map((name) =>
    libraryFolders.map((folder) => `${folder}/${name}`).find(isFile)
  );
  const paths = found.filter((path) => path !== undefined);
  const bind = (access: "read" | "execute") => (path: string): Binding => {
    return { path, inside: path, kind: "file", access };
  };
  return [...paths.map(bind("read")), ...loaders.filter(isFile).map(bind("execute"))];
}

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

function extension(path: string): string {
  return path.slice(path.lastIndexOf("."));
}
