/**
 * Has Sluice use NVIDIA's libraries of a folder, and proves them as the first policy does:
 * `sluice install cuda FOLDER`. Only needed where the system's loader does not know the folder.
 */
import { mkdirSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chosenFile, findCuda } from "../../numerics/cuda/mod.ts";

const path = fileURLToPath(chosenFile);
const usage = "usage: sluice install cuda [FOLDER], the one with libcudart.so and libcublas.so";

function main([target]: readonly string[]): void {
  if (target !== undefined) choose(resolve(target));
  const found = findCuda();
  if ("problem" in found) fail(found.problem, usage);
  const { name, freeBytes } = found.device;
  console.log(`${name}, ${(freeBytes / 1e9).toFixed(1)} GB free: products are right.`);
  console.log('Choose it in a pipeline: policy = { kind = "language_model", backend = "cuda" }');
}

function choose(target: string): void {
  const has = (name: string) =>
    [...Deno.readDirSync(target)].some((one) => one.name.includes(name));
  try {
    const missing = ["libcudart.so", "libcublas.so"].find((name) => !has(name));
    if (missing) fail(`${target} has no ${missing}`, usage);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    fail(`there is no folder ${target}`, usage);
  }
  mkdirSync(dirname(path), { recursive: true });
  Deno.writeTextFileSync(path, `${target}\n`);
}

function fail(what: string, remedy: string): never {
  console.error(`Cannot use a GPU: ${what}\n  mend: ${remedy}`);
  Deno.exit(3);
}

if (import.meta.main) main(Deno.args);
