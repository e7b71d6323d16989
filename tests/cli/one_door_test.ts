/** Tests that the command line cannot read a program: no module that it loads can parse or run one. */
import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("../../", import.meta.url));

/** Rooms of the engine that a worker alone may load. */
const readers = /^src\/engine\/(syntax|interpreter|numpy|pymc|graph_import|density|predict)\//;

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

/**
 * Every module that is reached, with the one that it was reached by. What stage kinds load is left
 * out: their work is done in processes of their own.
 */
function reached(entries: readonly string[]): Map<string, string> {
  const found = new Map(entries.map((path) => [path, "the command line"]));
  for (const [path] of found) {
    for (const from of loadedBy(Deno.readTextFileSync(path))) {
      const next = join(dirname(path), from);
      const isKind = relative(home, next).startsWith("stages/");
      if (!isKind && !found.has(next)) found.set(next, relative(home, path));
    }
  }
  return found;
}

function commandLine(): string[] {
  const folder = join(home, "src/cli");
  const files = (at: string): string[] =>
    [...Deno.readDirSync(at)].flatMap(({ name, isDirectory }) =>
      isDirectory ? files(join(at, name)) : [join(at, name)]
    );
  return files(folder);
}

Deno.test("no module of the command line can parse, check or compile a program", () => {
  const modules = reached(commandLine());
  assert.ok(modules.size > 100, "the walk found the modules");
  const astray = [...modules].map(([path, by]) => [relative(home, path), by])
    .filter(([path]) => readers.test(path));
  assert.deepEqual(astray, []);
});
