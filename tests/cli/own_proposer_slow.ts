/** The proposer of docs/examples, run by the real command line: it proposes, and others are refused. */
import assert from "node:assert/strict";
import { withProject } from "./command_line.ts";

const pipeline = `format = 1
name = "own_proposer"
seed = 3

[stages.grid]
kind = "hypergrid"
ndim = 2
height = 8

[stages.start]
kind = "policy"
inputs = { environment = "grid" }
policy = { kind = "table" }

[stages.train]
kind = "loop"
steps = 6
state = { policy = "start.policy" }
next = { policy = "learn.policy" }

[stages.train.stages.sample]
kind = "sample"
inputs = { policy = "state.policy", environment = "grid" }
batch_size = 8

[stages.train.stages.propose]
kind = "propose"
inputs = { policy = "state.policy", trajectories = "sample.trajectories" }
own = { path = "./docs/examples/crossing_proposer.ts", count = 4, parameters = { parents = 5 } }

[stages.train.stages.learn]
kind = "learn"
inputs = { policy = "state.policy", trajectories = "propose.trajectories" }
objective = "trajectory_balance"
`;

Deno.test("a proposer of one's own proposes in a pipeline", () =>
  withProject(["docs/examples"], async (project) => {
    project.write("own.toml", pipeline);
    const { code, err } = await project.sluice("run", "own.toml");
    assert.equal(code, 0, err);
    const sql = "select step, value from metric where name = 'proposed_own' order by step";
    const values = await project.query<{ step: number; value: number }>(sql);
    assert.equal(values.length, 6);
    assert.equal(values[0].value, 0, "nothing is known at first");
    assert.ok(values.some(({ value }) => value > 0));
    project.edit("own.toml", "crossing_proposer", "short_program_judge");
    const wrong = await project.sluice("run", "own.toml");
    assert.equal(wrong.code, 2, wrong.err);
    assert.match(wrong.err, /Cannot use the proposer .*: its default export is not a proposer/);
  }));
