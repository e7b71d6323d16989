/** A golden file keeps the cases that a maker was not asked for. Needs SLUICE_PYTHON, any Python 3. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../temporary_folder.ts";

const golden = fileURLToPath(new URL("../../tools/golden/", import.meta.url));
const versions = { pymc: "1" };
const before = {
  versions,
  cases: [{ name: "A", at: 1 }, { name: "B", at: 1 }, { name: "B", at: 2 }, { name: "C", at: 1 }],
};

/** Writes cases that were made now over a file of earlier ones, as a maker does. */
async function made(asked: readonly string[], cases: readonly object[], of = versions) {
  const path = `${temporaryFolder()}/golden.json`;
  Deno.writeTextFileSync(path, JSON.stringify(before));
  const code = `import sys, json, pathlib; sys.path.insert(0, ${JSON.stringify(golden)})
from kept_cases import write_cases
write_cases(pathlib.Path(sys.argv[1]), json.loads(sys.argv[2]), "cases", json.loads(sys.argv[3]))`;
  const texts = [JSON.stringify({ versions: of, cases }), JSON.stringify(asked)];
  const args = ["-c", code, path, ...texts];
  const python = Deno.env.get("SLUICE_PYTHON") ?? "python3";
  const { success, stderr } = await new Deno.Command(python, { args }).output();
  const found = JSON.parse(Deno.readTextFileSync(path)) as typeof before;
  return { success, said: new TextDecoder().decode(stderr), cases: found.cases };
}

Deno.test("cases of a name take the place of the earlier ones, new names come last, the rest stays", async () => {
  const [b, d] = [{ name: "B", at: 9 }, { name: "D", at: 9 }];
  const { success, cases } = await made(["B", "D"], [b, d]);
  assert.ok(success);
  assert.deepEqual(cases, [{ name: "A", at: 1 }, b, { name: "C", at: 1 }, d]);
});

Deno.test("without names the file is replaced", async () => {
  assert.deepEqual((await made([], [{ name: "D", at: 9 }])).cases, [{ name: "D", at: 9 }]);
});

Deno.test("names of nothing, and cases of other versions, leave the file as it was", async () => {
  const nothing = await made(["X"], []);
  assert.match(nothing.said, /none of these names is a case: nothing was written/);
  const other = await made(["B"], [{ name: "B", at: 9 }], { pymc: "2" });
  assert.match(other.said, /make all of it, without names/);
  for (const { success, cases } of [nothing, other]) {
    assert.ok(!success);
    assert.deepEqual(cases, before.cases);
  }
});
