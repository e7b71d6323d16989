/** A language model as a policy of a pipeline, by the real command line, on a checkpoint of random weights. */
import assert from "node:assert/strict";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { withProject } from "./command_line.ts";

const pipeline = `format = 1
name = "tiny_language_model"
seed = 3

[stages.numbers]
kind = "numbers"
max = 40
base = 10

[stages.texts]
kind = "tokens"
model = "tiny"
inputs = { environment = "numbers" }

[stages.start]
kind = "policy"
inputs = { environment = "texts" }
policy = { kind = "language_model", model = "tiny", context = 32, adapter = { rank = 4 } }

[stages.train]
kind = "loop"
steps = 12
state = { policy = "start.policy" }
next = { policy = "learn.policy" }

[stages.train.stages.sample]
kind = "sample"
inputs = { policy = "state.policy", environment = "texts" }
batch_size = 16

[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "sample.trajectories" }
objective = "trajectory_balance"
learning_rate = 0.01

[stages.evaluate]
kind = "evaluate_kl"
inputs = { policy = "train.policy", environment = "texts" }
compare = { initial = "start.policy" }
`;

Deno.test("a pipeline trains a language model held to a trie, and counts how far it is", async (test) => {
  await withProject([], async (project) => {
    project.write("tiny.toml", pipeline);
    await test.step("a model that was not added ends with the command that adds it", async () => {
      const { code, err } = await project.sluice("run", "tiny.toml");
      assert.equal(code, 3);
      assert.match(err, /Cannot use model "tiny": it was not added/);
    });
    writeRandomCheckpoint(project.path("tiny"), "seed 20");
    assert.equal((await project.sluice("model", "add", "tiny")).code, 0);
    await test.step("it runs, and comes nearer to the target", async () => {
      const { code, err } = await project.sluice("run", "tiny.toml");
      assert.equal(code, 0, err);
      const sql = "select subject_kind, value from evaluation where measure = 'kl_target_policy' " +
        "and subject in ('policy', 'initial') order by subject_kind";
      const { out } = await project.sluice("query", sql, "--format=csv");
      const [initial, trained] = out.trim().split("\n").slice(1).map((line) =>
        Number(line.split(",")[1])
      );
      assert.ok(trained < initial, `${out}`);
    });
    await test.step("again, all of it is cached", async () => {
      const { err } = await project.sluice("run", "tiny.toml");
      assert.doesNotMatch(err, /never done here/);
    });
  });
});
