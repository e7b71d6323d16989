/** pipelines/asked_numbers.toml by the real command line: prompts with targets of their own, random weights. */
import assert from "node:assert/strict";
import { writeRandomCheckpoint } from "../../src/models/store/random_checkpoint.ts";
import { withProject } from "./command_line.ts";

/** All weights of a tiny model learn, where the pipeline has an adapter of a large one. */
const policy =
  `{ kind = "language_model", model = "tiny", adapter = "full", context = 128, backend = "fused" }`;
const overlay = `[stages.texts]
model = "tiny"
[stages.start]
policy = ${policy}
[stages.train]
steps = 200
checkpoint_every = 100
[stages.train.stages.learn]
learning_rate = { start = 1e-2 }
[stages.maximise]
steps = 60
[stages.maximise.stages.learn]
learning_rate = { start = 1e-2 }
`;

/** A pipeline that learns, replays and evaluates exported examples, matched by the ids of their prompts. */
const again = `format = 1
name = "again"
[stages.numbers]
kind = "environment"
path = "docs/examples/asked_numbers.ts"
parameters = { max = 99, beyond = -8 }
[stages.texts]
kind = "tokens"
model = "tiny"
inputs = { environment = "numbers" }
[stages.ask]
kind = "prompts"
prompts = [
  { id = "few", template = "The following is a random integer drawn uniformly between 0 and 9:" },
  { id = "all", template = "The following is a random integer drawn uniformly between 0 and 99:" },
]
[stages.warm_start]
kind = "sft"
inputs = { environment = "texts", prompts = "ask" }
policy = ${policy}
file = "two.jsonl"
states = "terminable"
steps = 5
[stages.train]
kind = "loop"
steps = 2
state = { policy = "warm_start.policy" }
next = { policy = "learn.policy" }
[stages.train.stages.sample]
kind = "sample"
inputs = { policy = "state.policy", environment = "texts", prompts = "ask" }
batch_size = 8
[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "sample.trajectories", known = "warm_start.scored" }
objective = "trajectory_balance"
replay = { capacity = 400, fraction = 1 }
[stages.unseen]
kind = "benchmark"
inputs = { policy = "train.policy", environment = "texts", prompts = "ask" }
file = "two.jsonl"
samples = 40
[[checks]]
name = "examples have the rewards of their prompts"
sql = """select count(*) > 50 and bool_and(log_reward = 0) and count(distinct prompt) = 2
  from trajectory where stage = 'warm_start'"""
[[checks]]
name = "they are replayed under them"
sql = """select count(*) = 16 and count(prompt) = 16 from trajectory
  where stage = 'train.learn' and replayed"""
[[checks]]
name = "answers are held against those of their prompt"
sql = """select count(distinct "group") = 2 and count(*) = 3 from evaluation
  where stage = 'unseen' and measure = 'exact_match'"""
`;

type Rows = Readonly<Record<string, unknown>>[];

Deno.test("every prompt comes near its own target, and a policy that maximises the reward does not", async (test) => {
  await withProject(["docs/examples", "pipelines/asked_numbers.toml"], async (project) => {
    project.write("tiny.toml", overlay);
    writeRandomCheckpoint(project.path("tiny"), "seed 20");
    assert.equal((await project.sluice("model", "add", "tiny")).code, 0);
    const run = ["run", "pipelines/asked_numbers.toml", "@tiny.toml"];
    const query = (sql: string): Promise<Rows> => project.query(sql);
    await test.step("its checks hold: 0.05 nats both ways for each of four prompts", async () => {
      const { code, err } = await project.sluice(...run);
      assert.equal(code, 0, err);
      assert.ok(!err.includes("NaN"), err);
    });
    await test.step("every prompt has its rows, and its own log Z", async () => {
      const rows = await query(`select "group", any_value(value) filter (measure = 'log_z') as z,
        any_value(value) filter (measure = 'log_z_error') as error from evaluation
        where stage = 'evaluate' and subject_kind = 'policy' and "group" is not null
        group by "group" order by cast("group" as integer)`);
      assert.deepEqual(rows.map(({ group }) => group), ["9", "19", "39", "59", "69", "99"]);
      rows.forEach(({ group, z }) => {
        const [wanted, others] = [Number(group) + 1, 99 - Number(group)];
        assert.ok(Math.abs(Number(z) - Math.log(wanted + others * Math.exp(-8))) < 1e-9);
      });
      const learned = rows.filter(({ error }) => error !== null).map(({ group }) => group);
      assert.deepEqual(learned, ["9", "39", "69", "99"]);
    });
    await test.step("each trajectory says what it answers; what is held out is never asked", async () => {
      const rows = await query(`select prompt, count(*) as n from trajectory
        where stage = 'train.learn' and not replayed group by prompt order by cast(prompt as integer)`);
      assert.deepEqual(rows, ["9", "39", "69", "99"].map((prompt) => ({ prompt, n: 1600 })));
    });
    await test.step("what was sampled is exported with what it answers", async () => {
      const out = ["--at-least", "-1", "--out", "answers.jsonl"];
      const { code, err } = await project.sluice("export", "sft", "last", ...out);
      assert.equal(code, 0, err);
      const lines = project.read("answers.jsonl").trim().split("\n").map((one) => JSON.parse(one));
      assert.ok(new Set(lines.map(({ prompt }) => prompt)).size === 4);
      for (const { prompt, completion } of lines) {
        const [, largest] = /^The following .* between 0 and (\d+):$/.exec(prompt)!;
        assert.ok(Number(completion) <= Number(largest));
      }
      assert.ok(lines.length > 150); // of 10 + 40 + 70 + 100
    });
    await test.step("and learnt again by the names of its prompts; other questions are refused", async () => {
      const lines = project.read("answers.jsonl").trim().split("\n");
      const asking = (largest: string) => lines.filter((one) => one.includes(` ${largest}:`));
      project.write("two.jsonl", [...asking("9"), ...asking("99")].join("\n"));
      project.write("again.toml", again);
      const { code, err } = await project.sluice("run", "again.toml");
      assert.equal(code, 0, err);
      project.write("two.jsonl", [...asking("9"), ...asking("39")].join("\n"));
      const other = await project.sluice("run", "again.toml");
      assert.equal(other.code, 2, other.err);
      assert.match(other.err, /two\.jsonl:\d+: what it asks is none of the prompts/);
    });
  });
});
