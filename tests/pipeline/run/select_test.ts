/** Selections of stages: which run, which have to be found, and names that no stage has. */
import assert from "node:assert/strict";
import type { InputError } from "../../../src/base/diagnostic.ts";
import { requireFound, type Selection, selectStages } from "../../../src/pipeline/plan/select.ts";
import { withProject } from "./project.ts";

const toml = `format = 1
[stages.a]
kind = "counter"
[stages.b]
kind = "adder"
inputs = { a = "a" }
[stages.c]
kind = "adder"
inputs = { a = "b" }
[stages.d]
kind = "counter"
`;

async function selected(selection: Selection) {
  let found: Record<string, string[]> = {};
  await withProject(async (project) => {
    const { stages } = await project.resolve(toml);
    const { kept, wanted, forced } = selectStages(stages, selection);
    found = { kept: kept.map(({ name }) => name), wanted: [...wanted], forced: [...forced] };
  });
  return found;
}

Deno.test("without flags all stages run, and none is forced", async () => {
  const { kept, wanted, forced } = await selected({});
  assert.deepEqual([kept.toSorted(), wanted.toSorted(), forced], [
    ["a", "b", "c", "d"],
    ["a", "b", "c", "d"],
    [],
  ]);
});

Deno.test("only runs what it names, and keeps what that needs", async () => {
  const { kept, wanted } = await selected({ only: ["c"] });
  assert.deepEqual([kept.toSorted(), wanted], [["a", "b", "c"], ["c"]]);
});

Deno.test("from and to together are the stages between", async () => {
  const { wanted } = await selected({ from: ["b"], to: ["b"] });
  assert.deepEqual(wanted, ["b"]);
  assert.deepEqual((await selected({ from: ["b"] })).wanted.toSorted(), ["b", "c"]);
  assert.deepEqual((await selected({ to: ["b"] })).wanted.toSorted(), ["a", "b"]);
});

Deno.test("all forces what runs, and no stage that is only found", async () => {
  assert.deepEqual((await selected({ only: ["b"], force: ["all"] })).forced, ["b"]);
});

Deno.test("every unknown name is told at once, with the nearest, and flags that leave nothing", async () => {
  await assert.rejects(selected({ only: ["bb"], force: ["zzzzzz"] }), (error: InputError) => {
    assert.deepEqual(error.diagnostics.map(({ code }) => code), [
      "select/unknown-stage",
      "select/unknown-stage",
    ]);
    assert.match(error.diagnostics[0].hint!, /^did you mean "b"\?/);
    return true;
  });
  await assert.rejects(selected({ from: ["d"], to: ["a"] }), /leave none/);
});

Deno.test("a stage that is left out has to be in the cache", () => {
  const planned = [
    { stage: "a", kind: "counter", state: "run", reason: "never done here" },
    { stage: "b", kind: "adder", state: "blocked", reason: "waits for a" },
  ] as const;
  assert.throws(() => requireFound(planned, new Set(["b"])), (error: InputError) => {
    assert.equal(error.diagnostics.length, 1);
    assert.match(error.diagnostics[0].message, /Cannot leave out stage "a".*never done here/);
    return true;
  });
});
