/** Messages about what a pipeline says about itself: small wrong pipelines, each with the whole text a user reads. */
import assert from "node:assert/strict";
import { dugongs, messagesOf } from "./fake_kinds.ts";

Deno.test("a pipeline without format is told to add it", async () => {
  const pipeline = `\
seed = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
`;
  const message = `\
pipelines/p.toml:1:1: Cannot read the pipeline: missing key "format"
   1 | seed = 1
     | ^^^^^^^^
  mend: add format = 1 as the first line: the version of the file format`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a pipeline of a later format is told to install a newer Sluice", async () => {
  const pipeline = `\
format = 2
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
`;
  const message = `\
pipelines/p.toml:1:10: Cannot read the pipeline: format is 2, wanted 1
   1 | format = 2
     |          ^
  mend: install a newer Sluice (this one is 0.1.0), or write format = 1`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a format that is not a number is shown", async () => {
  const pipeline = `\
format = "1"
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
`;
  const message = `\
pipelines/p.toml:1:10: Cannot read the pipeline: format is "1", wanted 1
   1 | format = "1"
     |          ^^^
  mend: write format = 1`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a pipeline that requires another version of Sluice says both versions", async () => {
  const pipeline = `\
format = 1
requires = ">=99"
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
`;
  const message = `\
pipelines/p.toml:2:12: Cannot read the pipeline: it requires Sluice >=99, and this is Sluice 0.1.0
   2 | requires = ">=99"
     |            ^^^^^^
  mend: install a version that satisfies it, or change requires`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a malformed requires is explained", async () => {
  const pipeline = `\
format = 1
requires = "new"
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
`;
  const message = `\
pipelines/p.toml:2:12: Cannot read the pipeline: requires is "new", wanted a range of versions
   2 | requires = "new"
     |            ^^^^^
  mend: write it like ">=0.1.0" or "^0.1.0"`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a policy of the sandbox that names no level is told to", async () => {
  const pipeline = `\
format = 1
[sandbox]
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
`;
  const message = `\
pipelines/p.toml:2:2: Cannot read the pipeline: missing key "level" in sandbox, wanted one of L1, L2, L3
   2 | [sandbox]
     |  ^^^^^^^
  mend: add level = "L1"`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a level that there is not, of another type, or under another name is refused", async () => {
  const pipeline = (sandbox: string) =>
    `\
format = 1
sandbox = ${sandbox}
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
`;
  const cases = [
    ['{ level = "L4" }', 'sandbox.level is "L4", wanted one of L1, L2, L3'],
    ["{ level = 2 }", "sandbox.level is 2, wanted one of L1, L2, L3"],
    ['"L2"', 'sandbox is "L2", wanted a table { level }'],
    ['{ level = "L2", net = true }', 'unknown key "net" in sandbox'],
  ];
  for (const [written, said] of cases) {
    const message = await messagesOf(pipeline(written), {}, dugongs);
    assert.ok(message.includes(`Cannot read the pipeline: ${said}`), message);
  }
});

Deno.test("unknown keys at the top get the nearest name", async () => {
  const pipeline = `\
format = 1
sed = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
`;
  const message = `\
pipelines/p.toml:2:1: Cannot read the pipeline: unknown key "sed"
   2 | sed = 1
     | ^^^
  mend: did you mean "seed"? Known keys: checks, description, export, format, name, requires, sandbox, seed, seeds, stages, sweep`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("checks without sql, with other keys or other types are all reported", async () => {
  const pipeline = `\
format = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
[[checks]]
sqll = "select true"
[[checks]]
sql = 3
`;
  const message = `\
pipelines/p.toml:6:1: Cannot read the pipeline: unknown key "sqll" in checks.0
   6 | sqll = "select true"
     | ^^^^
  mend: did you mean "sql"? Known keys: every, name, on_fail, over, sql

pipelines/p.toml:8:7: Cannot read the pipeline: checks.1.sql is 3, wanted text of at least 1 character
   8 | sql = 3
     |       ^

2 errors`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a pipeline without stages is told how to add one", async () => {
  const pipeline = `\
format = 1
`;
  const message = `\
pipelines/p.toml:1:1: Cannot read the pipeline: it has no stages
   1 | format = 1
     | ^^^^^^^^^^
  mend: add a stage: [stages.first] with kind = "…"`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a pipeline whose stages are empty is told how to add one", async () => {
  const pipeline = `\
format = 1
stages = {}
`;
  const message = `\
pipelines/p.toml:2:1: Cannot read the pipeline: it has no stages
   2 | stages = {}
     | ^^^^^^
  mend: add a stage: [stages.first] with kind = "…"`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

for (const seeds of ["0", "-2", "1.5", "1001"]) {
  Deno.test(`${seeds} seeds are refused with the range`, async () => {
    const pipeline = `format = 1\nseeds = ${seeds}\n[stages.g]\nkind = "grammar"\n` +
      'path = "../grammars/growth_curves.toml"\n';
    const carets = "^".repeat(seeds.length);
    const message = `pipelines/p.toml:2:9: Cannot read the pipeline: seeds is ${seeds}, ` +
      `wanted a whole number from 1 to 1000\n   2 | seeds = ${seeds}\n` +
      `     |         ${carets}`;
    assert.equal(await messagesOf(pipeline, {}, dugongs), message);
  });
}
