/** `seeds = 2` from end to end: the spread stands in the certificate, the report and on the screen. */
import assert from "node:assert/strict";
import { withProject } from "./command_line.ts";

const pipeline = `format = 1
name = "grid"
seed = 5

[stages.grid]
kind = "hypergrid"
ndim = 2
height = 3

[stages.start]
kind = "policy"
inputs = { environment = "grid" }
policy = { kind = "table" }

[stages.train]
kind = "loop"
steps = 20
state = { policy = "start.policy" }
next = { policy = "learn.policy" }
[stages.train.stages.sample]
kind = "sample"
inputs = { policy = "state.policy", environment = "grid" }
[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "sample.trajectories" }
objective = "trajectory_balance"
learning_rate = 0.1

[stages.evaluate]
kind = "evaluate_kl"
inputs = { policy = "train.policy", environment = "grid" }
floor_repetitions = 0

[[checks]]
name = "close"
sql = """select value < 1 from evaluation
where stage = 'evaluate' and measure = 'tv' and subject_kind = 'policy'"""
`;

Deno.test("two seeds: a spread in certificate, report and terminal", async () => {
  await withProject([], async (project) => {
    project.write("grid.toml", pipeline);
    const { code, out, err } = await project.sluice("run", "grid.toml", "--set", "seeds=2");
    assert.equal(code, 0, err);
    assert.match(err, /✓ train\[1\]/);
    assert.match(err, /✓ holds {2}close/);
    assert.match(out, /\nevaluate over 2 seeds, 5 to 6\npolicy +median +min +max +n\nTV +/);
    assert.match(out, /\nVerdicts: 2 exact\n/);
    const [run] = project.list("runs");
    const { spread, evaluations } = JSON.parse(project.read(`runs/${run}/certificate.json`));
    const values = evaluations.map((one: { policy: { tv: { value: number } } }) =>
      one.policy.tv.value
    );
    assert.notEqual(values[0], values[1]);
    assert.deepEqual(spread[0].seeds, [5, 6]);
    assert.deepEqual(spread[0].policy.tv, {
      n: 2,
      median: (values[0] + values[1]) / 2,
      min: Math.min(...values),
      max: Math.max(...values),
    });
    assert.equal((await project.sluice("report", run)).code, 0);
    const report = project.read(`runs/${run}/report/report.md`);
    assert.match(report, /\n## evaluate over 2 seeds\n[^]*spread_evaluate\.svg/);
  });
});
