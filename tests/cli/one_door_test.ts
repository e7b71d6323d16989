/** Tests that neither the command line nor a stage can read a program: no module of theirs can parse or run one. */
import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("../../", import.meta.url));

/** Rooms of the engine that a worker alone may load. */
const readers =
  /^src\/engine\/(language\/(syntax|interpreter|numpy|pymc|graph_import)|inference\/(density|predict))\//;

/**
 * Two may read, and why (docs/design/one_door_for_programs.md): `sluice check` starts nothing, so that its own confined
 * process checks the programs of a grammar; and a mask asks of every token whether the text before it
 * can be the beginning of a program, which is parsed and never evaluated. It names its module at run
 * time, in `stages/environment/model_source.ts`, and the runner brings it where a mask asks for it.
 */
const exceptions = [["stages/common/checked_here.ts", "src/engine/language/mod.ts"]];

function isException(by: string, path: string): boolean {
  return exceptions.some(([from, to]) => by === join(home, from) && path === join(home, to));
}

/** Modules that a module loads for their values, at once or when they are needed. */
function loadedBy(text: string): string[] {
  const withoutTypes = text.replace(/^import type [^;]*;/gm, "").replace(
    /^export type [^;]*;/gm,
    "",
  );
  const values = [
    ...withoutTypes.matchAll(/^(?:import|export)\s+(\{[^}]*\}|[^"';]*?)\s*from\s+"(\.[^"]+)"/gm),
  ]
    .filter(([, names]) => !isTypesOnly(names)).map(([, , from]) => from);
  const dynamic = [...withoutTypes.matchAll(/\bimport\("(\.[^"]+)"\)/g)].map(([, from]) => from);
  return [...values, ...dynamic];
}

/** `{ type A, type B }`. */
function isTypesOnly(names: string): boolean {
  const parts = /^\{(.*)\}$/s.exec(names)?.[1].split(",").map((one) => one.trim()).filter(Boolean);
  return parts !== undefined && parts.length > 0 && parts.every((one) => one.startsWith("type "));
}

/** Every module that is reached, with the one that it was reached by. */
function reached(entries: readonly string[]): Map<string, string> {
  const found = new Map(entries.map((path) => [path, "itself"]));
  for (const [path] of found) {
    for (const from of loadedBy(Deno.readTextFileSync(path))) {
      const next = join(dirname(path), from);
      if (!found.has(next) && !isException(path, next)) found.set(next, relative(home, path));
    }
  }
  return found;
}

/** The files of a folder and of all below it. */
function filesOf(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesOf(join(folder, name)) : [join(folder, name)]
  );
}

/** Modules that can read a program, among all that these folders reach. */
function readersFrom(...folders: string[]): string[] {
  const modules = reached(folders.flatMap((folder) => filesOf(join(home, folder))));
  assert.ok(modules.size > 100, "the walk found the modules");
  return [...modules].map(([path, by]) => `${relative(home, path)} by ${by}`)
    .filter((one) => readers.test(one));
}

Deno.test("no module of the command line can parse, check or compile a program", () => {
  assert.deepEqual(readersFrom("src/cli"), []);
});

Deno.test("no stage can parse, check or compile a program in its own process", () => {
  assert.deepEqual(readersFrom("stages", "src/pipeline/host"), []);
});

Deno.test("the walk finds what a worker reads programs with", () => {
  const found = readersFrom("src/executor");
  assert.ok(
    found.some((one) => one.startsWith("src/engine/language/pymc/check.ts by ")),
    "a reader is met",
  );
});
