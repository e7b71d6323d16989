/** The policy of docs/examples, run by the real command line: made, trained, cached, refused. */
import assert from "node:assert/strict";
import { withProject } from "./command_line.ts";

const pipeline = `format = 1
name = "own_policy"
seed = 3

[stages.grid]
kind = "hypergrid"
ndim = 2
height = 4

[stages.start]
kind = "policy"
inputs = { environment = "grid" }
policy = { kind = "./docs/examples/log_linear_policy.ts", parameters = { deviation = 0.5 } }

[stages.train]
kind = "loop"
steps = 6
state = { policy = "start.policy" }
next = { policy = "learn.policy" }

[stages.train.stages.sample]
kind = "sample"
inputs = { policy = "state.policy", environment = "grid" }
batch_size = 8

[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "sample.trajectories" }
objective = "trajectory_balance"
`;

Deno.test("a policy of one's own is trained by a pipeline", async (test) => {
  await withProject(["docs/examples"], async (project) => {
    project.write("own.toml", pipeline);
    const first = await project.sluice("run", "own.toml");
    assert.equal(first.code, 0, first.err);

    await test.step("it learned: the loss of every step is another number", async () => {
      const sql = "select count(distinct value) as n from metric where name = 'loss'";
      assert.deepEqual(await project.query(sql), [{ n: 6 }]);
    });

    await test.step("a changed module makes it anew, and no more than what follows", async () => {
      project.edit("docs/examples/log_linear_policy.ts", "- 0.5)", "- 0.25)");
      assert.equal((await project.sluice("run", "own.toml")).code, 0);
      const sql = "select stage, cached from stage_run order by stage";
      assert.deepEqual(await project.query(sql), [
        { stage: "grid", cached: true },
        { stage: "start", cached: false },
        { stage: "train", cached: false },
      ]);
    });

    await test.step("a module that exports something else is refused with the line to write", async () => {
      project.edit("own.toml", "log_linear_policy", "short_program_judge");
      const { code, err } = await project.sluice("run", "own.toml");
      assert.equal(code, 2);
      assert.match(err, /its default export is not a policy/);
      assert.match(err, /export default definePolicy/);
    });

    await test.step("a mistyped kind is answered with the names that there are", async () => {
      project.edit("own.toml", "./docs/examples/short_program_judge.ts", "tranformer");
      const { code, err } = await project.sluice("check", "own.toml");
      assert.equal(code, 2);
      assert.match(err, /"transformer"/);
    });
  });
});
