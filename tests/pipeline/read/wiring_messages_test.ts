/** Messages about wires between stages: small wrong pipelines, each with the whole text a user reads. */
import assert from "node:assert/strict";
import { dugongs, messagesOf } from "./fake_kinds.ts";

Deno.test("an unknown stage gets the nearest name", async () => {
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
inputs = { environment = "gg" }
`;
  const message = `\
pipelines/p.toml:10:26: Cannot wire stage "w": environment is "gg", but there is no stage "gg"
  10 | inputs = { environment = "gg" }
     |                          ^^^^
  mend: did you mean "g"? Known stages: g`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("an unknown port gets the nearest name", async () => {
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
inputs = { policy = "w.polcy", environment = "g" }
`;
  const message = `\
pipelines/p.toml:14:21: Cannot wire stage "s": policy is "w.polcy", but stage "w" has no output "polcy"
  14 | inputs = { policy = "w.polcy", environment = "g" }
     |                     ^^^^^^^^^
  mend: did you mean "policy"? Its outputs: policy, initial`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a stage with two outputs must be named with its port", async () => {
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
inputs = { policy = "w", environment = "g" }
`;
  const message = `\
pipelines/p.toml:14:21: Cannot wire stage "s": policy is "w", but "w" has 2 outputs
  14 | inputs = { policy = "w", environment = "g" }
     |                     ^^^
  mend: write "w.policy" or "w.initial"`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a wrong type says found and wanted and who gives the wanted one", async () => {
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
inputs = { policy = "g", environment = "g" }
`;
  const message = `\
pipelines/p.toml:14:21: Cannot wire stage "s": policy is "g", which gives environment, wanted policy
  14 | inputs = { policy = "g", environment = "g" }
     |                     ^^^
  mend: these give policy: "w.policy", "w.initial"`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a missing input names the stage that can give it", async () => {
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
`;
  const message = `\
pipelines/p.toml:5:9: Cannot wire stage "w": missing input "environment" (environment)
   5 | [stages.w]
     |         ^
  mend: add environment = "g" to its inputs`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("an input that the kind does not have gets the nearest name", async () => {
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
inputs = { enviroment = "g" }
`;
  const message = `\
pipelines/p.toml:10:12: Cannot wire stage "w": kind "sft" has no input "enviroment"
  10 | inputs = { enviroment = "g" }
     |            ^^^^^^^^^^
  mend: did you mean "environment"? Its inputs: environment`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a stage may not read itself", async () => {
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
inputs = { policy = "s.trajectories", environment = "g" }
`;
  const message = `\
pipelines/p.toml:14:21: Cannot wire stage "s": policy is "s.trajectories", but that is an output of the stage itself
  14 | inputs = { policy = "s.trajectories", environment = "g" }
     |                     ^^^^^^^^^^^^^^^^
  mend: wire it to another stage`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("every cycle is printed stage by stage", async () => {
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
[stages.t]
kind = "target"
inputs = { environment = "g" }
log_reward = [{ judge = "log_prior" }]
[stages.a]
kind = "sample"
batch_size = 4
inputs = { policy = "d", environment = "g" }
[stages.b]
kind = "sandbox_execute"
inputs = { trajectories = "a", target = "t" }
[stages.c]
kind = "judge"
inputs = { executions = "b", target = "t" }
[stages.d]
kind = "learn"
objective = "trajectory_balance"
learning_rate = 1e-3
inputs = { policy = "w.policy", trajectories = "a", log_reward = "c" }
`;
  const message = `\
pipelines/p.toml:18:21: Cannot order the stages: each waits for the next: a → d → a
  18 | inputs = { policy = "d", environment = "g" }
     |                     ^^^
  mend: wire one of them to something else; a loop is the way to feed a result back

pipelines/p.toml:18:21: Cannot order the stages: each waits for the next: a → d → c → b → a
  18 | inputs = { policy = "d", environment = "g" }
     |                     ^^^
  mend: wire one of them to something else; a loop is the way to feed a result back

2 errors`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("state outside a loop is refused", async () => {
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
inputs = { policy = "state.policy", environment = "g" }
`;
  const message = `\
pipelines/p.toml:14:21: Cannot wire stage "s": policy is "state.policy", but "state" exists only inside a loop
  14 | inputs = { policy = "state.policy", environment = "g" }
     |                     ^^^^^^^^^^^^^^
  mend: write the name of a stage`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("wires held by a parameter are checked by type", async () => {
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
[stages.t]
kind = "target"
inputs = { environment = "g" }
log_reward = [{ judge = "log_prior" }]
[stages.e]
kind = "evaluate_kl"
inputs = { policy = "w.policy", target = "t" }
compare = { sft = "w.initial", other = "g" }
`;
  const message = `\
pipelines/p.toml:18:40: Cannot wire stage "e": compare.other is "g", which gives environment, wanted policy
  18 | compare = { sft = "w.initial", other = "g" }
     |                                        ^^^
  mend: these give policy: "w.policy", "w.initial"`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});
