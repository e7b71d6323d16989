/**
 * Puts an OpenBLAS that knows current processors into `.sluice/blas`, and proves it as the first
 * policy does: `deno task blas:install`. It is the library that SciPy's wheels are built with.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const version = "0.3.34.481.3";

const folder = fileURLToPath(new URL("../.sluice/blas", import.meta.url));

async function main(): Promise<void> {
  if (Deno.args.length > 0) fail(`unknown flag ${Deno.args[0]}`, "usage: deno task blas:install");
  rmSync(folder, { recursive: true, force: true });
  Deno.mkdirSync(folder, { recursive: true });
  console.log(`1/2  scipy-openblas32 ${version}: about 8 MB to load, 35 MB unpacked`);
  const only = ["--no-deps", "--only-binary=:all:"];
  await python(["pip", "download", "-q", ...only, "-d", folder, `scipy-openblas32==${version}`]);
  const wheel = [...Deno.readDirSync(folder)].find(({ name }) => name.endsWith(".whl"));
  if (!wheel) fail(`pip left no wheel in ${folder}`, "try again");
  await python(["zipfile", "-e", join(folder, wheel.name), folder]);
  Deno.removeSync(join(folder, wheel.name));
  console.log("2/2  proving it with products of every kind");
  const { libraryKernels } = await import("../src/gfn/policies/fused.ts");
  const { backend, computes } = libraryKernels();
  if (backend !== "blas") fail(computes, "report this with the output above");
  console.log(`     ${computes}\nDone. Choose it in a pipeline: policy = { backend = "blas" }`);
}

async function python(module: readonly string[]): Promise<void> {
  try {
    const command = new Deno.Command("python3", { args: ["-m", ...module], stdin: "null" });
    if ((await command.spawn().status).success) return;
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  fail(`python3 -m ${module[0]} is missing or has failed`, "install Python 3 with pip");
}

function fail(what: string, remedy: string): never {
  console.error(`Cannot install OpenBLAS: ${what}\n  mend: ${remedy}`);
  Deno.exit(3);
}

if (import.meta.main) await main();
