/** One dialect: constants are camelCase, and fields of an object stand in it, not in a spread literal. */
import assert from "node:assert/strict";
import { trackedFiles } from "../../tools/imports/modules.ts";

/** Lines of the house that a dialect of its own would write, with their places. */
function dialectsIn(files: ReadonlyMap<string, string>): string[] {
  const house = [...files].filter(([path]) => /^(src|stages)\/|^mod\.ts$/.test(path));
  return house.flatMap(([path, text]) =>
    text.split("\n").flatMap((line, i) =>
      /^(export )?const [A-Z][A-Z0-9_]+\b/.test(line) || /\.\.\.\{ ?[\w"]+[:,]/.test(line)
        ? [`${path}:${i + 1}: ${line.trim()}`]
        : []
    )
  );
}

Deno.test("src and stages have one style of constants and of fields", async () => {
  assert.deepEqual(dialectsIn(await trackedFiles()), []);
});

Deno.test("a constant in capitals and a spread literal are found", () => {
  const text = "export const MOST = 3;\nconst most = { ...other,\n  ...{ a: 1, b } };\n";
  assert.deepEqual(dialectsIn(new Map([["src/a.ts", text], ["tests/a.ts", text]])), [
    "src/a.ts:1: export const MOST = 3;",
    "src/a.ts:3: ...{ a: 1, b } };",
  ]);
});
