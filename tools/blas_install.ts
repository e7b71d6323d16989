/**
 * Puts an OpenBLAS that knows current processors into `.sluice/blas`, and proves it as the first
 * policy does: `deno task blas:install`. It is the library that SciPy's wheels are built with.
 */
import { fileURLToPath } from "node:url";
import { InstallError, installing, unpackWheel } from "./installers/pinned.ts";

const folder = fileURLToPath(new URL("../.sluice/blas", import.meta.url));

async function install(): Promise<void> {
  if (Deno.args.length > 0) {
    throw new InstallError(`unknown flag ${Deno.args[0]}`, "usage: deno task blas:install");
  }
  console.log("1/2  scipy-openblas32: about 8 MB to load, 35 MB unpacked");
  await unpackWheel("openblas.txt", folder);
  console.log("2/2  proving it with products of every kind");
  const { libraryKernels } = await import("../src/gfn/policies/fused.ts");
  const { backend, computes } = libraryKernels();
  if (backend !== "blas") throw new InstallError(computes, "report this with the output above");
  console.log(`     ${computes}\nDone. Choose it in a pipeline: policy = { backend = "blas" }`);
}

if (import.meta.main) await installing("OpenBLAS", folder, install);
