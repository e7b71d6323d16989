/** Each library's README lists the doors that deno.json exports, and names files that exist. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { home, missingFiles, read } from "./markdown.ts";

const { exports, imports }: Record<string, Record<string, string>> = JSON.parse(read("deno.json"));
const libraries = new Set(
  Object.keys(exports).flatMap((name) => name.split("/")[1] ?? [])
    .filter((name) => existsSync(join(home, "src", name))), // `sluice/stage` is one of stages
);

/** Names of the doors of a library, as `exports` has them. */
function doorsOf(library: string): string[] {
  return Object.keys(exports).filter((name) => name.startsWith(`./${library}/`)).map((name) =>
    `sluice${name.slice(1)}`
  ).sort();
}

for (const library of libraries) {
  Deno.test(`the README of ${library} lists its doors, at most ten`, () => {
    const page = read(`src/${library}/README.md`);
    const listed = [...page.matchAll(/^\| `(sluice\/[\w/]+)`/gm)].map(([, name]) => name);
    const doors = doorsOf(library);
    const whole = exports[`./${library}`] ? [`sluice/${library}`] : [];
    assert.deepEqual(listed.filter((name) => !whole.includes(name)).sort(), doors);
    assert(doors.length <= 10, `${doors.length} doors`);
  });

  Deno.test(`the README of ${library} names files and folders that exist`, () => {
    const page = read(`src/${library}/README.md`);
    const folders = [join(home, "src", library), home];
    const isThere = (path: string) => folders.some((folder) => existsSync(join(folder, path)));
    assert.deepEqual(missingFiles(page, isThere), []);
  });
}

Deno.test("a file that moved is found in a README, within a fence it is not looked for", () => {
  const page = "`math/exp.ts` and `wasm/`, not `exp(x)`.\n\n```ts\n`gone.ts`\n```\n";
  assert.deepEqual(missingFiles(page, (path) => path === "wasm/"), ["math/exp.ts"]);
});

Deno.test("a door has the same name inside and outside of the repository", () => {
  for (const [name, target] of Object.entries(exports)) {
    assert.equal(imports[`sluice${name.slice(1)}`], target, name);
  }
});
