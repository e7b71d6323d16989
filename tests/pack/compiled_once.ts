/** Modules of the package, compiled once for all tests that pack: a compilation takes half a minute. */
import { join } from "node:path";
import ts from "typescript";
import { writeAtomic } from "../../src/base/atomic.ts";
import { sha256 } from "../../src/base/digest.ts";
import { compileModules } from "../../tools/pack/compile.ts";

/** The texts of `compileModules`, from an earlier test where every source is what it was. */
export const compiledOnce: typeof compileModules = (root, modules) => {
  const sources = [...modules, "tools/pack/compile.ts", "deno.lock"]
    .map((path) => `${path} ${sha256(Deno.readTextFileSync(join(root, path)))}`);
  const digest = sha256([ts.version, Deno.version.deno, ...sources].join("\n"));
  const kept = join(root, ".sluice", "packed.json"); // one: each is some 15 MB
  const known = readKept(kept);
  if (known?.digest === digest) return new Map(known.texts);
  const compiled = compileModules(root, modules);
  writeAtomic(kept, JSON.stringify({ digest, texts: [...compiled] }));
  return compiled;
};

function readKept(path: string): { digest: string; texts: [string, string][] } | undefined {
  try {
    return JSON.parse(Deno.readTextFileSync(path));
  } catch {
    return undefined; // none yet, or torn
  }
}
