/**
 * Puts an OpenBLAS for current processors into `.sluice/blas`, and proves it as the first policy
 * does: `sluice install blas`. It is the library that SciPy's wheels are built with.
 */
import { fileURLToPath } from "node:url";
import { kernelsFound } from "../../gfn/policies/built_in/mod.ts";
import { InstallError, installing, unpackWheel } from "./pinned.ts";

const folder = fileURLToPath(new URL("../../../.sluice/blas", import.meta.url));

async function install(): Promise<void> {
  console.log("1/2  scipy-openblas32: about 8 MB to load, 35 MB unpacked");
  await unpackWheel("openblas.txt", folder);
  console.log("2/2  proving it with products of every kind");
  const { backend, computes } = kernelsFound();
  if (backend !== "blas") throw new InstallError(computes, "report this with the output above");
  console.log(`     ${computes}\nDone. Choose it in a pipeline: policy = { backend = "blas" }`);
}

if (import.meta.main) await installing("OpenBLAS", folder, install);
