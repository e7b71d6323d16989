/** The JSON Schema of the format accepts what the resolver accepts, and refuses mistyped keys. */
import assert from "node:assert/strict";
import { parseTomlFile } from "../../../src/pipeline/toml/parse.ts";
import { pipelineJsonSchema } from "../../../src/pipeline/read/json_schema.ts";
import { dugongs, fakeKinds } from "./fake_kinds.ts";
import { violations } from "./validate_json_schema.ts";

const schema = pipelineJsonSchema(fakeKinds);
const example = dugongs["pipelines/p.toml"];
const check = (text: string) => violations(schema, parseTomlFile(text, "p.toml").value);

Deno.test("the schema accepts the pipeline of the design", () => {
  assert.deepEqual(check(example), []);
});

const changes: readonly (readonly [string, string, string])[] = [
  ["a mistyped key", "batch_size = 32", "batchsize = 32"],
  ["a mistyped key inside a loop's stage", "lambda = 1.0", "lamda = 1.0"],
  ["an unknown kind", 'kind = "sandbox_execute"', 'kind = "sandbox"'],
  ["a name out of the list", '"sub_trajectory_balance"', '"sub_trajectory"'],
  ["a number out of range", "batch_size = 32", "batch_size = 0"],
  ["an unknown input", 'data = "data"', 'dataset = "data"'],
  ["a later format", "format = 1", "format = 2"],
  ["an unknown key at the top", "seed = 20", "sed = 20"],
  ["a key of another variant", "until = 0.75", "temperature = 0.75"],
];
for (const [what, from, to] of changes) {
  Deno.test(`the schema refuses ${what}`, () => {
    assert.ok(example.includes(from));
    assert.notDeepEqual(check(example.replace(from, to)), []);
  });
}

Deno.test("a table with use may lack keys, a stage with use its kind", () => {
  assert.deepEqual(check('format = 1\n[stages.a]\nuse = "a.toml"\n'), []);
  assert.deepEqual(check('format = 1\n[stages.a]\nkind = "sft"\nuse = "a.toml"\n'), []);
  assert.notDeepEqual(check('format = 1\n[stages.a]\nkind = "sft"\n'), []);
});

Deno.test("a kind named by path takes any parameters", () => {
  assert.deepEqual(check('format = 1\n[stages.a]\nkind = "./mine.ts"\nanything = [1]\n'), []);
});
