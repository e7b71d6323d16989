/** `sluice install`: puts native libraries beside Sluice that not every user needs, or reports missing ones. */
import { Argument, type Command } from "@commander-js/extra-typings";
import { join } from "node:path";
import { denoPath, moduleArgument, moduleBeside } from "../../base/deno_command.ts";
import type { ExitStatus } from "../exit.ts";
import type { Session } from "../session.ts";

const parts = ["blas", "llama", "cuda", "tensorflow"] as const;

const example = `
blas        OpenBLAS, 35 MB: policies and oracles with backend = "blas"
llama       llama.cpp, 85 MB: oracles of kind "llama_cpp"
cuda        says which NVIDIA GPU is found, and tries it; with a folder, the one
            of libcudart.so and libcublas.so where the loader does not know it
tensorflow  TensorFlow, 1.3 GB: backend = "tensorflow"

Example:
  sluice install blas

Bytes of another hash than Sluice knows are refused before they are unpacked.
What is installed lies in .sluice of Sluice's own folder, for all its projects.`;

export function addCommand(root: Command, session: Session): void {
  root.command("install")
    .description("install an optional native library")
    .addArgument(new Argument("<library>", "library").choices(parts))
    .argument("[folder]", "cuda: folder of its libraries")
    .option("--gpu", "tensorflow: the build for a GPU")
    .addHelpText("after", example)
    .action(async (library, folder, { gpu = false }) => {
      const stray = folder !== undefined && library !== "cuda"
        ? `'${folder}' is for cuda alone`
        : gpu && library !== "tensorflow"
        ? "'--gpu' is for tensorflow alone"
        : undefined;
      if (stray) root.error(`error: ${stray}`, { code: "commander.invalidArgument" });
      const more = [...(folder === undefined ? [] : [folder]), ...(gpu ? ["--gpu"] : [])];
      session.exit = await installed(library, more) as ExitStatus;
    });
}

/** Runs the installer, in a process of its own that may start programs and write beside Sluice alone. */
async function installed(library: typeof parts[number], more: readonly string[]): Promise<number> {
  const main = moduleBeside(`../install/${library}.ts`, import.meta.url);
  const { findSluiceHome, homeFlags } = await import("../../pipeline/project/mod.ts");
  const child = new Deno.Command(denoPath(), {
    args: [
      ...["run", "--quiet", "--no-prompt", "--no-check"],
      ...homeFlags(),
      ...["--allow-read", `--allow-write=${join(findSluiceHome().root, ".sluice")}`, "--allow-run"],
      ...["--allow-env", "--allow-sys", "--allow-ffi", moduleArgument(main), ...more],
    ],
    stdin: "null",
    stdout: "inherit",
    stderr: "inherit",
  }).spawn();
  return (await child.status).code;
}
