/** Plants exports that nothing uses, and expects each by name. */
import assert from "node:assert/strict";
import { exportFaults, type ExportPlan } from "../../tools/exports/unused.ts";
import { fileArrows, parsed } from "../../tools/imports/modules.ts";

const plan: ExportPlan = { house: ["src"], doors: /mod\.ts$/, testsOnly: {} };

/** A house whose door gives `a`, with what a test plants in it. */
function faultsWith(planted: Record<string, string>, own = plan): string[] {
  const sources = parsed(
    new Map(Object.entries({
      "src/mod.ts": `export { a } from "./a.ts";`,
      "src/a.ts": `import { b } from "./b.ts";\nexport const a = b;`,
      "src/b.ts": `export const b = 1;`,
      ...planted,
    })),
  );
  return exportFaults(sources, fileArrows(sources, new Map()), own);
}

Deno.test("exports that are used, doors and entry points have no fault", () => {
  assert.deepEqual(faultsWith({}), []);
});

Deno.test("an export that only its own file uses is red, of every sort", () => {
  const text = `
    export interface C {}
    export type D = C;
    export const { e, f: [g] } = { e: 1, f: [2] };
    export class H {}
    export function i() { return i; }
    export default i;
    export { b as j } from "./b.ts";`;
  assert.deepEqual(
    faultsWith({ "src/c.ts": text }),
    ["C", "D", "e", "g", "H", "i", "default", "j"].map((name) =>
      `src/c.ts#${name} is used in no other file: remove \`export\`, or the code`
    ),
  );
});

Deno.test("a use in a type, on demand, or of all names is a use", () => {
  const c = "export const c = 1;";
  for (
    const use of [
      `export type D = import("./c.ts").c;`,
      `export const d = () => import("./c.ts");`,
      `import * as all from "./c.ts";\nexport const d = all;`,
    ]
  ) {
    assert.deepEqual(
      faultsWith({ "src/c.ts": c, "src/d/mod.ts": use.replaceAll("./c", "../c") }),
      [],
    );
  }
});

Deno.test("code that tests alone use is red; a unit of its file that tests use too is not", () => {
  const test = { "tests/c_test.ts": `import { c } from "../src/c.ts";` };
  const alone = { "src/c.ts": "export const c = 1;", ...test };
  assert.deepEqual(faultsWith(alone), [
    "src/c.ts#c is used by tests alone: test what uses it, and remove it",
  ]);
  const unit = `export const c = 1;\nexport const d = c;`;
  const user = { "src/mod.ts": `export { a } from "./a.ts";\nexport { d } from "./c.ts";` };
  assert.deepEqual(faultsWith({ "src/c.ts": unit, ...user, ...test }), []);
});

Deno.test("an exception stands while tests alone use it, and is red afterwards", () => {
  const own: ExportPlan = { ...plan, testsOnly: { "src/c.ts#c": "a test" } };
  const test = { "tests/c_test.ts": `import { c } from "../src/c.ts";` };
  assert.deepEqual(faultsWith({ "src/c.ts": "export const c = 1;", ...test }, own), []);
  assert.deepEqual(faultsWith({}, own), [
    "testsOnly names src/c.ts#c, which tests alone do not use: remove the entry",
  ]);
});
