/** The package's package.json, derived from deno.json so that nothing is said twice. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** Fields of deno.json that are read. */
export interface DenoConfig {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly exports: Readonly<Record<string, string>>;
  readonly imports: Readonly<Record<string, string>>;
  readonly tasks: Readonly<Record<string, string>>;
}

/** Reads deno.json of a checkout. */
export function readDenoConfig(root: string): DenoConfig {
  return JSON.parse(readFileSync(join(root, "deno.json"), "utf8"));
}

/**
 * The text of package.json.
 *
 * @param config What deno.json says.
 * @param packages Names of the packages that shipped modules import.
 * @param peersOf Names of the packages that a package expects beside itself.
 */
export function manifest(
  config: DenoConfig,
  packages: readonly string[],
  peersOf: (name: string) => readonly string[],
): string {
  const { name, version, license, imports } = config;
  const wanted = packages.flatMap((each) => [each, ...peersOf(each)]).filter((each) =>
    each !== name
  );
  const dependencies = [...new Set(wanted)].sort().map((each) => [each, pinned(imports, each)]);
  const json = {
    name,
    version,
    description:
      "Trains policies that write probabilistic programs, and proves how close they came.",
    license,
    type: "module",
    bin: { [name]: "bin/sluice.js" },
    exports: {
      ...Object.fromEntries(Object.entries(config.exports).map(compiledExport)),
      "./package.json": "./package.json",
    },
    dependencies: Object.fromEntries([...dependencies, ["deno", Deno.version.deno]].sort()),
  };
  return JSON.stringify(json, undefined, 2) + "\n";
}

/** A door of the checkout as the package has it: declarations and JavaScript. */
function compiledExport([door, module]: readonly [string, string]) {
  const path = module.replace(/\.ts$/, "");
  return [door, { types: `${path}.d.ts`, default: `${path}.js` }];
}

/** The exact version of `npm:<name>@<version>` in the import map. */
function pinned(imports: DenoConfig["imports"], name: string): string {
  const prefix = `npm:${name}@`;
  const specifier = imports[name];
  if (specifier?.startsWith(prefix)) return specifier.slice(prefix.length);
  throw new Error(`deno.json pins no version of ${name}, which shipped code needs`);
}

/** Peers that a package of node_modules declares. */
export function peersIn(root: string, name: string): readonly string[] {
  const text = readFileSync(join(root, "node_modules", name, "package.json"), "utf8");
  return Object.keys(JSON.parse(text).peerDependencies ?? {});
}

/**
 * The flags that the task `sluice` starts `deno` with.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { launchFlags } from "./manifest.ts";
 *
 * const task = "deno run --no-prompt --allow-write=. src/cli/main.ts";
 * assert.deepEqual(launchFlags(task), ["--no-prompt", "--allow-write=."]);
 * ```
 */
export function launchFlags(task: string): string[] {
  const match = /^deno run ((?:--\S+ )+)src\/cli\/main\.ts$/.exec(task);
  if (!match) throw new Error(`the task "sluice" is not "deno run --… src/cli/main.ts": ${task}`);
  return match[1].trim().split(" ");
}
