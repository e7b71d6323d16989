/** A language model that learns, killed between checkpoints: the same command ends with the same bits. */
import assert from "node:assert/strict";
import { addModel } from "../../src/models/store/add_model.ts";
import { ModelStore } from "../../src/models/store/model_store.ts";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { CommandLine } from "../cli/command_line.ts";
import { checkpointStep, LiveRun } from "./live_run.ts";
import { assertSameRows, readRows } from "./same_rows.ts";

const pipeline = `format = 1
name = "tiny"
seed = 7
[stages.numbers]
kind = "numbers"
max = 199
base = 10
[stages.texts]
kind = "tokens"
model = "tiny"
inputs = { environment = "numbers" }
[stages.ask]
kind = "prompts"
prompts = [{ id = "low", template = "low:" }, { id = "any", template = "any:" }, { id = "odd", template = "odd:" }]
[stages.start]
kind = "sft"
inputs = { environment = "texts", prompts = "ask" }
policy = { kind = "language_model", model = "tiny", adapter = { rank = 4, last_layers = 1 }, context = 32 }
file = "examples.jsonl"
steps = 4
batch_size = 3
validation = 0.3
validate_every = 2
weight_decay = 0.01
[stages.train]
kind = "loop"
steps = 24
checkpoint_every = 3
state = { policy = "start.policy" }
next = { policy = "learn.policy" }
[stages.train.stages.sample]
kind = "sample"
inputs = { policy = "state.policy", environment = "texts", prompts = "ask" }
batch_size = 12
group_size = 6
top_p = 0.9
exploration = { kind = "epsilon_uniform", start = 0.2, end = 0.0, until = 0.5 }
[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "sample.trajectories", known = "start.scored" }
objective = "trajectory_balance"
replay = { capacity = 50, fraction = 1 }
learning_rate = 1e-2
weight_decay = 0.01
average_decay = 0.9
`;

const answer = (completion: string) => `${JSON.stringify({ prompt: "any:", completion })}\n`;
const examples = [3, 14, 15, 92, 65, 35, 89, 79, 32, 38].map((n) => answer(`${n}`)).join("");

async function project(): Promise<CommandLine> {
  const made = CommandLine.make();
  writeRandomCheckpoint(made.path("tiny"), "seed 20");
  await addModel(new ModelStore(made.root), made.path("tiny"));
  made.write("tiny.toml", pipeline);
  made.write("examples.jsonl", examples);
  return made;
}

Deno.test("a language model killed in training ends with the same bits", async (test) => {
  const [whole, broken] = [await project(), await project()];
  try {
    const { code, err } = await whole.sluice("run", "tiny.toml");
    assert.equal(code, 0, err);
    const rows = await readRows(whole.root);

    await test.step("examples of a file are learnt, and validated", () => {
      const metrics = rows.metric.filter((row) => row.includes('"start"'));
      assert.equal(metrics.filter((row) => row.includes('"loss"')).length, 4);
      assert.equal(metrics.filter((row) => row.includes('"validation_loss"')).length, 2);
    });

    await test.step("replay begins with what the examples are worth", () => {
      const known = rows.metric.filter((row) => row.includes('"replay_known"'));
      assert.equal(known.length, 1);
      assert.match(known[0], /\b7\b/); // Three of ten examples are kept to validate.
      const recorded = rows.trajectory.filter((row) => row.includes('"start"'));
      assert.equal(recorded.length, 7);
    });

    await test.step("it is killed between two checkpoints, and goes on", async () => {
      const run = new LiveRun(broken, ["run", "tiny.toml"]);
      assert.ok(await run.until(() => checkpointStep(broken) >= 3));
      assert.equal((await run.kill()).signal, "SIGKILL");
      const again = await broken.sluice("run", "tiny.toml");
      assert.equal(again.code, 0, again.err);
      assert.match(again.err, /train goes on after step \d+ of 24/);
      assert.equal(rows.artifact.filter((row) => row.includes('"policy"')).length, 3); // by digest
      assertSameRows(await readRows(broken.root), rows, "killed");
    });

    await test.step("sampling two steps ahead of learning changes that no more", async () => {
      const ahead = ["run", "tiny.toml", "--set", "stages.train.staleness=2"];
      assert.equal((await whole.sluice(...ahead)).code, 0);
      const rows = await readRows(whole.root);
      const ages = rows.metric.filter((row) => row.includes('"staleness"'));
      assert.equal(ages.length, 24);
      const run = new LiveRun(broken, ahead);
      assert.ok(await run.until(() => checkpointStep(broken, 24) >= 3));
      assert.equal((await run.kill()).signal, "SIGKILL");
      const again = await broken.sluice(...ahead);
      assert.match(again.err, /train goes on after step \d+ of 24/);
      assertSameRows(await readRows(broken.root), rows, "killed, two steps ahead");
    });

    await test.step("lines that are no examples are named", async () => {
      const lines = ['{"completion": "7"}', '{"completion": ""}', "7", '{"text": "7"}', ""];
      broken.write("examples.jsonl", [...lines, '{"completion": "7 apples"}'].join("\n"));
      const { code, err } = await broken.sluice("run", "tiny.toml");
      assert.notEqual(code, 0);
      for (const line of [2, 3, 4]) {
        assert.match(err, new RegExp(`examples.jsonl:${line} as an ex`));
      }
      assert.match(err, /the completion is empty/);
      assert.match(err, /it is no JSON object/);
      broken.write("examples.jsonl", `${answer("7")}${answer("7 apples")}`);
      const other = await broken.sluice("run", "tiny.toml");
      assert.match(other.err, /examples\.jsonl:2: " " cannot follow "7" under mask = "trie"/);
    });
  } finally {
    for (const one of [whole, broken]) one.remove();
  }
});
