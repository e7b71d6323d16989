/** Messages about parameters and files: small wrong pipelines, each with the whole text a user reads. */
import assert from "node:assert/strict";
import { dugongs, messagesOf } from "./fake_kinds.ts";

Deno.test("an unknown key gets the nearest name and the known keys, and is not also missing", async () => {
  const pipeline = `\
format = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
[stages.w]
kind = "sft"
policy = "table"
steps = 1
leraning_rate = 1e-3
inputs = { environment = "g" }
`;
  const message = `\
pipelines/p.toml:9:1: Cannot read stage "w": unknown key "leraning_rate"
   9 | leraning_rate = 1e-3
     | ^^^^^^^^^^^^^
  mend: did you mean "learning_rate"? Known keys: learning_rate, policy, steps`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a missing key says what is wanted", async () => {
  const pipeline = `\
format = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
[stages.w]
kind = "sft"
policy = "table"
learning_rate = 1e-3
inputs = { environment = "g" }
`;
  const message = `\
pipelines/p.toml:5:9: Cannot read stage "w": missing key "steps", wanted a whole number of at least 1
   5 | [stages.w]
     |         ^
  mend: add steps = …`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("wrong types and values say what was found and what is wanted", async () => {
  const pipeline = `\
format = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
[stages.w]
kind = "sft"
policy = "tabel"
steps = 0
learning_rate = "fast"
inputs = { environment = "g" }
`;
  const message = `\
pipelines/p.toml:7:10: Cannot read stage "w": policy is "tabel", wanted one of table, transformer
   7 | policy = "tabel"
     |          ^^^^^^^
  mend: did you mean "table"?

pipelines/p.toml:8:9: Cannot read stage "w": steps is 0, wanted a whole number of at least 1
   8 | steps = 0
     |         ^

pipelines/p.toml:9:17: Cannot read stage "w": learning_rate is "fast", wanted a number above 0, or a table { start, schedule, end }
   9 | learning_rate = "fast"
     |                 ^^^^^^

3 errors`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("within a union the branch that was meant is explained", async () => {
  const pipeline = `\
format = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
[stages.w]
kind = "sft"
policy = "table"
steps = 1
learning_rate = { start = 1, edn = 2 }
inputs = { environment = "g" }
`;
  const message = `\
pipelines/p.toml:9:30: Cannot read stage "w": unknown key "edn" in learning_rate
   9 | learning_rate = { start = 1, edn = 2 }
     |                              ^^^
  mend: did you mean "end"? Known keys: end, schedule, start`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("keys of nested tables are found at their place", async () => {
  const pipeline = `\
format = 1
[stages.d]
kind = "dataset"
path = "../data/dugongs.csv"
[stages.d.columns]
age = { role = "predictr", rol = 1 }
`;
  const message = `\
pipelines/p.toml:6:16: Cannot read stage "d": columns.age.role is "predictr", wanted one of response, predictor, trials, ignore
   6 | age = { role = "predictr", rol = 1 }
     |                ^^^^^^^^^^
  mend: did you mean "predictor"?

pipelines/p.toml:6:28: Cannot read stage "d": unknown key "rol" in columns.age
   6 | age = { role = "predictr", rol = 1 }
     |                            ^^^
  mend: did you mean "role"? Known keys: resolution, role

2 errors`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a value of --set is shown in --set", async () => {
  const pipeline = `\
format = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
`;
  const message = `\
--set:2:10: Cannot read stage "g": unknown key "pth"
   2 | stages.g.pth='x'
     |          ^^^
  mend: did you mean "path"? Known keys: path`;
  assert.equal(
    await messagesOf(pipeline, { "sets": ["seed=4", "stages.g.pth='x'"] }, dugongs),
    message,
  );
});

Deno.test("a missing file gets the nearest name in its folder", async () => {
  const pipeline = `\
format = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curve.toml"
`;
  const message = `\
pipelines/p.toml:4:8: Cannot read stage "g": there is no file "../grammars/growth_curve.toml"
   4 | path = "../grammars/growth_curve.toml"
     |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  mend: did you mean "../grammars/growth_curves.toml"?`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a mistyped name where a path would be legal gets the nearest name", async () => {
  const pipeline = `\
format = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
[stages.t]
kind = "target"
inputs = { environment = "g" }
log_reward = [{ judge = "elpd_lo" }]
`;
  const message = `\
pipelines/p.toml:8:25: Cannot read stage "t": log_reward.0.judge is "elpd_lo", wanted one of elpd_loo, log_prior, or the path of a module ("./mine.ts")
   8 | log_reward = [{ judge = "elpd_lo" }]
     |                         ^^^^^^^^^
  mend: did you mean "elpd_loo"?`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a missing module is reported at its path", async () => {
  const pipeline = `\
format = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
[stages.t]
kind = "target"
inputs = { environment = "g" }
log_reward = [{ judge = "./mine.ts" }]
`;
  const message = `\
pipelines/p.toml:8:25: Cannot read stage "t": there is no file "./mine.ts"
   8 | log_reward = [{ judge = "./mine.ts" }]
     |                         ^^^^^^^^^^^
  mend: paths are relative to the file in which they are written`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("an unknown variant of a table gets the known ones", async () => {
  const pipeline = `\
format = 1
[stages.g]
kind = "grammar"
path = "../grammars/growth_curves.toml"
[stages.w]
kind = "sft"
policy = "table"
steps = 1
learning_rate = 1e-3
inputs = { environment = "g" }
[stages.s]
kind = "sample"
batch_size = 4
exploration = { kind = "temperd", temperature = 2 }
inputs = { policy = "w.policy", environment = "g" }
`;
  const message = `\
pipelines/p.toml:14:24: Cannot read stage "s": exploration.kind is "temperd", wanted one of none, epsilon_uniform, tempered
  14 | exploration = { kind = "temperd", temperature = 2 }
     |                        ^^^^^^^^^
  mend: did you mean "tempered"?`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});
