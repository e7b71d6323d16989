/** Messages about loops and their state: small wrong pipelines, each with the whole text a user reads. */
import assert from "node:assert/strict";
import { dugongs, messagesOf } from "./fake_kinds.ts";

Deno.test("an unknown state gets the nearest name", async () => {
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
[stages.l]
kind = "loop"
steps = 2
state = { policy = "w.policy" }
next = { policy = "state.policy" }
[stages.l.stages.s]
kind = "sample"
batch_size = 4
inputs = { policy = "state.polcy", environment = "g" }
`;
  const message = `\
pipelines/p.toml:19:21: Cannot wire stage "l.s": policy is "state.polcy", but loop "l" has no state "polcy"
  19 | inputs = { policy = "state.polcy", environment = "g" }
     |                     ^^^^^^^^^^^^^
  mend: did you mean "policy"? Its state: policy`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a state that is not handed on is reported", async () => {
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
[stages.l]
kind = "loop"
steps = 2
state = { policy = "w.policy" }
next = { polcy = "state.policy" }
[stages.l.stages.s]
kind = "sample"
batch_size = 4
inputs = { policy = "state.policy", environment = "g" }
`;
  const message = `\
pipelines/p.toml:14:11: Cannot wire stage "l": next hands on no "policy", so state.policy would never change
  14 | state = { policy = "w.policy" }
     |           ^^^^^^
  mend: did you mean "policy" where next says "polcy"?`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("next must have the type of state", async () => {
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
[stages.l]
kind = "loop"
steps = 2
state = { policy = "w.policy" }
next = { policy = "s" }
[stages.l.stages.s]
kind = "sample"
batch_size = 4
inputs = { policy = "state.policy", environment = "g" }
`;
  const message = `\
pipelines/p.toml:15:19: Cannot wire stage "l": next.policy is "s", which gives trajectories, wanted policy
  15 | next = { policy = "s" }
     |                   ^^^
  mend: these give policy: "state.policy", "w.policy", "w.initial"`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("what is inside a loop is handed on by next", async () => {
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
[stages.l]
kind = "loop"
steps = 2
state = { policy = "w.policy" }
next = { policy = "state.policy" }
[stages.l.stages.s]
kind = "sample"
batch_size = 4
inputs = { policy = "state.policy", environment = "g" }
[stages.x]
kind = "sandbox_execute"
inputs = { trajectories = "l.s.trajectories", target = "t" }
[stages.t]
kind = "target"
inputs = { environment = "g" }
log_reward = [{ judge = "log_prior" }]
`;
  const message = `\
pipelines/p.toml:22:27: Cannot wire stage "x": trajectories is "l.s.trajectories", but that is inside the loop "l"
  22 | inputs = { trajectories = "l.s.trajectories", target = "t" }
     |                           ^^^^^^^^^^^^^^^^^^
  mend: hand it on with next = { trajectories = "s.trajectories" } and write "l.trajectories"`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});

Deno.test("a stage of a loop reads state, not the loop's own output", async () => {
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
[stages.l]
kind = "loop"
steps = 2
state = { policy = "w.policy" }
next = { policy = "state.policy" }
[stages.l.stages.s]
kind = "sample"
batch_size = 4
inputs = { policy = "l.policy", environment = "g" }
`;
  const message = `\
pipelines/p.toml:19:21: Cannot wire stage "l.s": policy is "l.policy", but that is what leaves the loop that this stage is in
  19 | inputs = { policy = "l.policy", environment = "g" }
     |                     ^^^^^^^^^^
  mend: write "state.policy" for what flows into the step`;
  assert.equal(await messagesOf(pipeline, {}, dugongs), message);
});
