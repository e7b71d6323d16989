/** Each library's README lists the doors that deno.json exports, and no others. */
import assert from "node:assert/strict";
import { read } from "./markdown.ts";

const libraries = ["engine", "gfn", "models", "numerics", "pipeline", "sandbox"];
const { exports, imports }: Record<string, Record<string, string>> = JSON.parse(read("deno.json"));

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
}

Deno.test("a door has the same name inside and outside of the repository", () => {
  for (const [name, target] of Object.entries(exports)) {
    assert.equal(imports[`sluice${name.slice(1)}`], target, name);
  }
});
