/** pipelines/dugongs_language_model.toml by the real command line: four programs, random weights. */
import assert from "node:assert/strict";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { withProject } from "./command_line.ts";
import { fourPrograms } from "./four_programs.ts";

const files = ["configs", "data/dugongs.csv", "grammars", "pipelines"];

const overlay = `[stages.programs]
path = "four.toml"
[stages.texts]
model = "tiny"
[stages.warm_start]
policy = { kind = "language_model", model = "tiny", adapter = { rank = 4 }, backend = "fused" }
steps = 2
learning_rate = 1e-2
examples = [{ name = "a line", derivation = ["linear", "normal"] }]
[stages.train]
steps = 4
checkpoint_every = 2
[stages.train.stages.sample]
batch_size = 4
[stages.train.stages.progress]
every = 2
[stages.train_transformer]
steps = 2
[stages.train_table]
steps = 2
[[checks]]
name = "KL(target‖policy) of the language model of at most 0.05"
sql = "select count(*) = 4 from enumeration where stage = 'evaluate'"
[[checks]]
name = "what was sampled are token ids, the end last"
sql = "select bool_and(list_last(tokens) = 257) from trajectory where stage = 'train.judge'"
`;

const masked = `format = 1
name = "masked"
seed = 1
[stages.programs]
kind = "grammar"
path = "four.toml"
[stages.texts]
kind = "tokens"
model = "tiny"
mask = "language"
most_tokens = 12
inputs = { environment = "programs" }
[stages.start]
kind = "policy"
inputs = { environment = "texts" }
policy = { kind = "language_model", model = "tiny", adapter = { rank = 4 }, backend = "fused" }
`;

const rewarded = `[stages.data]
kind = "dataset"
path = "data/dugongs.csv"
columns = { age = { role = "predictor" }, length = { role = "response", resolution = 0.01 } }
[stages.target]
kind = "target"
inputs = { environment = "texts", data = "data" }
log_reward = [{ judge = "elpd_loo" }]
[[checks]]
name = "nothing is asked"
sql = "select true"
`;

Deno.test("a language model learns in a pipeline; without the model the run says how to add it", async (test) => {
  await withProject(files, async (project) => {
    project.write("four.toml", fourPrograms);
    project.write("tiny.toml", overlay);
    const run = ["run", "pipelines/dugongs_language_model.toml", "@tiny.toml"];
    await test.step("a model that was not added ends with the command that adds it", async () => {
      const { code, err } = await project.sluice(...run);
      assert.equal(code, 3);
      assert.match(err, /Cannot use model "tiny": it was not added/);
      assert.match(err, /mend: deno task sluice model add/);
    });
    writeRandomCheckpoint(project.path("tiny"), "seed 20", { context: 512 });
    assert.equal((await project.sluice("model", "add", "tiny")).code, 0);
    await test.step("check finds what an adapter is put on and the model does not have", async () => {
      project.write(
        "mapless.toml",
        masked.replace("rank = 4", 'targets = ["q_prj"], last_layers = 9'),
      );
      const { code, err } = await project.sluice("check", "mapless.toml");
      assert.equal(code, 2);
      assert.match(
        err,
        /mapless\.toml:16:\d+: Cannot adapt a model: last_layers is 9, it has \d+\n/,
      );
      assert.match(
        err,
        /mapless\.toml:16:\d+: .* target "q_prj" matches no map\n[^]*mean "q_proj"\?/,
      );
    });
    await test.step("check finds a target of free texts whose author may have seen the response", async () => {
      project.write("rewarded.toml", masked + rewarded);
      const informed = await project.sluice("check", "rewarded.toml");
      assert.equal(informed.code, 2);
      assert.match(informed.err, /rewarded\.toml:\d+:\d+: Cannot reward by elpd_loo: the author/);
      project.write("rewarded.toml", masked + rewarded.replace("[[", 'author = "blind"\n[['));
      const { code, err } = await project.sluice("check", "rewarded.toml");
      assert.equal(code, 0, err);
    });
    await test.step("it runs to its end, and the checks hold", async () => {
      const { code, err } = await project.sluice(...run);
      assert.equal(code, 0, err);
    });
    await test.step("what it learned is a folder that PEFT reads", async () => {
      const wrong = await project.sluice("export", "adapter", "--of=train.polcy", "--out=adapter");
      assert.equal(wrong.code, 2);
      assert.match(wrong.err, /has no policy "train.polcy"[^]*mend: its policies: .*train.policy/);
      const { code, err } = await project.sluice(
        ...["export", "adapter", "last", "--of=train.policy", "--out=adapter"],
      );
      assert.equal(code, 0, err);
      assert.deepEqual(project.list("adapter"), [
        "adapter_config.json",
        "adapter_model.safetensors",
      ]);
      assert.equal(JSON.parse(project.read("adapter/adapter_config.json")).r, 4);
    });
    await test.step("the mask of the language is made in one process, and met in another", async () => {
      project.write("masked.toml", masked);
      const { code, err } = await project.sluice("run", "masked.toml");
      assert.equal(code, 0, err);
    });
  });
});
