/** `run --smoke`: two steps with a table, and one trajectory with all that is recorded of it. */
import assert from "node:assert/strict";
import { servedPipeline } from "../oracle/served_pipeline.ts";
import { withProject } from "./command_line.ts";

const pipeline = `${servedPipeline('oracle = { kind = "table", path = "p.csv" }')}
[stages.start]
kind = "policy"
inputs = { environment = "digits" }
policy = { kind = "transformer", width = 16 }
[stages.train]
kind = "loop"
steps = 50
state = { policy = "start.policy" }
next = { policy = "learn.policy" }
[stages.train.stages.sample]
kind = "sample"
inputs = { policy = "state.policy", environment = "digits" }
batch_size = 16
[stages.train.stages.judge]
kind = "judge"
inputs = { trajectories = "sample.trajectories", target = "target" }
[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "sample.trajectories", log_reward = "judge.log_reward" }
objective = "trajectory_balance"
[[checks]]
sql = "select false"
`;

Deno.test("a smoke run has two steps with a table, and prints one whole trace", async () => {
  await withProject([], async (project) => {
    project.write("p.csv", "text,log_prob\n0,-1\n1,-2\n2,-3\n3,-4\n");
    project.write("p.toml", pipeline);
    const { code, out, err } = await project.sluice("run", "p.toml", "--smoke");
    assert.equal(code, 0, err);
    assert.match(out, /trace: train\.\w+, step 2, trajectory 0/);
    for (const part of [/object +[0-3]\n/, /log_pf +-\d/, /log_reward +-[1-4]\n/, /loss +\d/]) {
      assert.match(out, part);
    }
    assert.match(out, /p: x +log p = -[1-4] of 1 tokens/);
    const rows = await project.query<{ n: number }>(
      "select count(*) as n from trajectory where stage = 'train.learn' or stage = 'train.judge'",
    );
    assert.equal(Number(rows[0].n), 8);
    assert.doesNotMatch(err, /answers/, "what stands behind the loops is not run");
    project.write(
      "p.toml",
      pipeline.replace("-4", "-4").replace('path = "p.csv"', 'path = "q.csv"'),
    );
    assert.equal((await project.sluice("run", "p.toml", "--smoke")).code, 2);
  });
});
