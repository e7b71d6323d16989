/** Plants in a small house what the gate of imports must see, and expects each fault by name. */
import assert from "node:assert/strict";
import { importFaults } from "../../tools/imports/faults.ts";
import { plan } from "../../tools/imports/floors.ts";
import { fileArrows, parsed } from "../../tools/imports/modules.ts";

/** A house of two files in place, with what a test plants in it. */
function faultsWith(planted: Record<string, string>, own = plan): string[] {
  const files = new Map(Object.entries({
    "src/base/a.ts": `import { b } from "./b.ts";\nexport const a = b;`,
    "src/base/b.ts": `import type { C } from "./c.ts";\nexport const b: C = 1;`,
    "src/base/c.ts": `export type C = number;`,
    ...planted,
  }));
  const doors = new Map([["sluice/engine", "src/engine/mod.ts"]]);
  return importFaults([...files.keys()], fileArrows(parsed(files), doors), own, doors.values());
}

Deno.test("a house in order has no fault", () => {
  assert.deepEqual(faultsWith({}), []);
});

Deno.test("a folder without a place in the plan is red, in the house and in a wing", () => {
  const faults = faultsWith({
    "src/cellar/x.ts": "",
    "src/engine/attic/x.ts": "",
    "src/engine/mod.ts": "",
  });
  assert.deepEqual(faults, [
    "src/cellar/x.ts lies in no wing: give its folder a floor in tools/imports/floors.ts",
    "src/engine/attic/x.ts lies in no room of src/engine: give its folder a floor in tools/imports/floors.ts",
  ]);
});

Deno.test("a library is entered through its doors, by tests alone through other files", () => {
  const planted = {
    "src/engine/mod.ts": `export { b } from "./score/b.ts";`,
    "src/engine/score/b.ts": "export const b = 1;",
    "src/cli/x.ts": `import { b } from "../engine/mod.ts";\nexport const x = b;`,
    "tests/cli/x.ts": `import { b } from "../../src/engine/score/b.ts";\nexport const x = b;`,
  };
  assert.deepEqual(faultsWith(planted), []);
  const deep = `import { b } from "../engine/score/b.ts";\nexport const x = b;`;
  assert.deepEqual(faultsWith({ ...planted, "src/cli/x.ts": deep }), [
    "src/cli/x.ts imports src/engine/score/b.ts: import it from a door of src/engine that deno.json exports",
  ]);
});

Deno.test("a circle of values is red, through a file that no door leads to as well", () => {
  const faults = faultsWith({
    "src/base/b.ts": `import { a } from "./a.ts";\nexport const b = a;`,
  });
  assert.match(faults.join(), /^a circle of values: src\/base\/a.ts -> src\/base\/b.ts/);
});

Deno.test("a circle by types is red, an `import()` on demand is none", () => {
  const types = faultsWith({
    "src/base/c.ts": `import { type a } from "./a.ts";\nexport type C = a;`,
  });
  assert.match(types.join(), /^a circle by types: .*a.ts -> .*b.ts -> .*c.ts/);
  const inType = faultsWith({ "src/base/c.ts": `export type C = import("./a.ts").A;` });
  assert.match(inType.join(), /^a circle by types: /);
  assert.deepEqual(faultsWith({ "src/base/c.ts": `export const c = () => import("./a.ts");` }), []);
});

Deno.test("an excepted circle stands, and an exception of no circle is red", () => {
  const files = ["src/base/a.ts", "src/base/b.ts", "src/base/c.ts"];
  const own = { ...plan, typeCircles: [{ files, reason: "a test" }] };
  const circle = { "src/base/c.ts": `import type { A } from "./a.ts";\nexport type C = A;` };
  assert.deepEqual(faultsWith(circle, own), []);
  assert.deepEqual(faultsWith({}, own), [
    `typeCircles excepts ${files}, which is no circle: remove the entry`,
  ]);
});

Deno.test("an arrow up, through a public door as well, into the grounds, and a foreign library are red", () => {
  const faults = faultsWith({
    "src/engine/mod.ts": `import "smol-toml";`,
    "src/base/d.ts": `import "sluice/engine";`,
    "src/base/e.ts": `import { helper } from "../../tests/helper.ts";`,
    "tests/helper.ts": `import "smol-toml";\nexport const helper = 1;`,
  });
  assert.deepEqual(faults, [
    "src/base/d.ts imports src/engine/mod.ts: src/engine is not below src/base",
    "src/base/e.ts imports tests/helper.ts: tests is not below src/base",
    "src/engine/mod.ts imports smol-toml: only src/pipeline/toml may",
  ]);
});
