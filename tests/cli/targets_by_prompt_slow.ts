/** Two data sets, a prompt about each, one policy: every prompt has the target of its own data. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import { withProject } from "./command_line.ts";
import { fourPrograms } from "./four_programs.ts";

const dataset = (name: string) =>
  `[stages.${name}]
kind = "dataset"
path = "${name}.csv"
columns = { age = { role = "predictor" }, length = { role = "response", resolution = 0.01 } }
[stages.${name}_target]
kind = "target"
inputs = { environment = "programs", data = "${name}" }
log_reward = [{ judge = "elpd_loo" }, { judge = "log_prior" }]
`;

const targets = 'targets = { line = "line_target", bend = "bend_target" }';

const pipeline = `format = 1
name = "two"
seed = 3
${dataset("line")}${dataset("bend")}
[stages.programs]
kind = "grammar"
path = "four.toml"
[stages.ask]
kind = "prompts"
prompts = [
  { id = "line", data = "line", show = ["columns"], template = "Up to age {{ columns[0].max }}." },
  { id = "bend", data = "bend", show = ["columns"], template = "Elsewhere, up to {{ columns[0].max }}." },
]
[stages.start]
kind = "sft"
inputs = { environment = "programs", prompts = "ask" }
${targets}
policy = { kind = "table" }
steps = 1
examples = [
  { name = "a line", derivation = ["linear", "normal"] },
  { name = "a bend", derivation = ["logarithmic", "normal"], prompt = "bend" },
]
[stages.train]
kind = "loop"
steps = 150
state = { policy = "start.policy" }
next = { policy = "learn.policy" }
[stages.train.stages.sample]
kind = "sample"
inputs = { policy = "state.policy", environment = "programs", prompts = "ask" }
batch_size = 16
exploration = { kind = "epsilon_uniform", start = 0.3, end = 0.0 }
[stages.train.stages.execute]
kind = "sandbox_execute"
inputs = { trajectories = "sample.trajectories" }
${targets}
states = "terminal"
[stages.train.stages.judge]
kind = "judge"
inputs = { executions = "execute.executions" }
${targets}
[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "sample.trajectories", log_reward = "judge.log_reward", known = "start.scored" }
objective = "trajectory_balance"
replay = { capacity = 8, fraction = 0.5 }
learning_rate = { start = 0.1, schedule = "cosine", end = 0.0 }
[stages.evaluate]
kind = "evaluate_kl"
inputs = { policy = "train.policy", prompts = "ask" }
${targets}
[stages.unseen]
kind = "benchmark"
inputs = { policy = "train.policy", prompts = "ask" }
${targets}
examples = [{ name = "the curve", derivation = ["logarithmic", "normal"] }]
samples = 60
[[checks]]
name = "both prompts: KL both ways of at most 0.05"
sql = """select count(*) = 4 and max(value) <= 0.05 from evaluation
where stage = 'evaluate' and subject_kind = 'policy' and "group" in ('line', 'bend')
  and measure in ('kl_target_policy', 'kl_policy_target')"""
`;

/** 24 ages, and lengths about a curve. */
function table(name: string, curve: (age: number) => number): string {
  const random = new RandomStream("seed 1", name);
  const row = (_: unknown, i: number) => {
    const age = 1 + 1.2 * i;
    return `${age.toFixed(2)},${(curve(age) + 0.1 * (random.uniform() - 0.5)).toFixed(2)}`;
  };
  return ["age,length", ...Array.from({ length: 24 }, row), ""].join("\n");
}

Deno.test("a policy learns the target of each prompt, of one data set or the other", async (test) => {
  await withProject([], async (project) => {
    project.write("four.toml", fourPrograms);
    project.write("line.csv", table("line", (age) => 1 + age / 15));
    project.write("bend.csv", table("bend", (age) => 1 + Math.log(1 + age)));
    project.write("two.toml", pipeline);
    await test.step("the pipeline's check holds", async () => {
      const { code, err } = await project.sluice("run", "two.toml");
      assert.equal(code, 0, err);
    });
    await test.step("curves that rise in a line are likely under one prompt alone", async () => {
      const sql =
        "select prompt, max_by(program, log_reward) as best from trajectory group by 1 order by 1";
      const [bend, line] = await project.query<{ prompt: string; best: string }>(sql);
      assert.deepEqual([bend.prompt, line.prompt], ["bend", "line"]);
      assert.match(bend.best, /mu = a \+ b \* pm\.math\.log/);
      assert.match(line.best, /mu = a \+ b \* age/);
    });
    await test.step("a benchmark tells the curve of one prompt from that of the other", async () => {
      const sql = `select "group", value from evaluation where stage = 'unseen'
        and measure = 'exact_match' order by 1`;
      const asked = await project.sluice("query", "--run", "last", "--format", "json", sql);
      const [bend, line, all] = JSON.parse(asked.out) as { group: string | null; value: number }[];
      assert.deepEqual([bend.group, line.group, all.group], ["bend", "line", null]);
      assert.ok(bend.value > 0.3 && line.value < 0.2, asked.out);
    });
    await test.step("examples have the reward of each prompt's data, and begin replay", async () => {
      const sql = `select prompt, count(distinct log_reward) as rewards, count(*) as examples
        from trajectory where stage = 'start' group by 1 order by 1`;
      const asked = await project.sluice("query", "--run", "last", "--format", "json", sql);
      assert.deepEqual(JSON.parse(asked.out), [
        { prompt: "bend", rewards: 2, examples: 2 },
        { prompt: "line", rewards: 1, examples: 1 },
      ]);
      const listed = await project.sluice("programs", "last");
      assert.match(listed.err, /prompts are counted each for itself; .* export sft last --top 10/);
      const best = await project.sluice("export", "sft", "--top", "1", "--out", "best.jsonl");
      assert.equal(best.code, 0, best.err);
      const lines = project.read("best.jsonl").trim().split("\n").map((one) => JSON.parse(one));
      assert.deepEqual(lines.map(({ completion }) => /log\(/.test(completion)).sort(), [
        false,
        true,
      ]);
    });
    await test.step("every program has an opinion of both targets, and prompts their data", async () => {
      const sql = `select (select count(*) from judgement where stage <> 'start') as judged,
        (select count(distinct data) from execution) as executed,
        (select count(distinct data) from prompt) as asked`;
      assert.deepEqual(await project.query(sql), [{ judged: 16, executed: 2, asked: 2 }]);
    });
    await test.step("what is wired wrongly is said with the prompt, and what to write", async () => {
      const wrong = async (from: string, to: string): Promise<string> => {
        project.write("wrong.toml", pipeline.replaceAll(from, to));
        const { code, err } = await project.sluice("run", "wrong.toml");
        assert.equal(code, 2, err);
        return err;
      };
      const missing = await wrong(targets, 'targets = { line = "line_target" }');
      assert.match(missing, /no target is for prompt "bend"[\s\S]*add it to targets/);
      const both = 'inputs = { executions = "execute.executions", target = "line_target" }';
      const twice = await wrong('inputs = { executions = "execute.executions" }', both);
      assert.match(twice, /both a target and targets of prompts/);
      project.write(
        "wrong.toml",
        pipeline.replaceAll(targets, targets.replace("bend =", "bent =")),
      );
      const checked = await project.sluice("check", "wrong.toml");
      assert.equal(checked.code, 2, checked.err);
      for (const cannot of ["reward", "evaluate", "benchmark"]) {
        assert.match(checked.err, new RegExp(`Cannot ${cannot} answers: no target is for .*bend`));
      }
    });
  });
});
