/** Checks of the benchmark pipelines: bounds of a file's own values, and learning with any others. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";
import { run, sets, testsWithGrpo } from "./benchmark_checks.ts";

testsWithGrpo(["hypergrid"]); // the others are in tests/long

Deno.test("hypergrid.toml holds its own values to the bound, and asks all others to learn", async (test) => {
  await withProject(["pipelines/benchmarks"], async (project) => {
    const file = "pipelines/benchmarks/hypergrid.toml";
    project.edit(file, "steps = 2000", "steps = 20");
    project.edit(file, "height = 16", "height = 4");
    project.edit(file, "every = 250", "every = 10");
    project.edit(file, "baseline_repetitions = 3", "baseline_repetitions = 0");
    const bound = "total variation of at most 0.0005, unless values were set";
    const learnt = "✓ holds  nearer to the target than before training";

    await test.step("as the file has it, with another seed or another evaluation", async () => {
      for (const value of ["seed=1", "seed=2", "stages.evaluate.floor_repetitions=3"]) {
        const { code, checks } = await run(project, "hypergrid", "--set", value);
        assert.deepEqual([code, checks], [1, [`✗ does not hold (false)  ${bound}`, learnt]]);
      }
    });

    await test.step("with an objective that an overlay names", async () => {
      const overlay = '[stages.train.stages.learn]\nobjective = "trajectory_balance"\n';
      project.write("other.toml", overlay);
      const { code, checks } = await run(project, "hypergrid", "@other.toml");
      assert.deepEqual([code, checks], [0, [`✓ holds  ${bound}`, learnt]]);
    });

    await test.step("a policy that did not learn fails with any objective", async () => {
      const objective = 'stages.train.stages.learn.objective="grpo"';
      const untrained = 'stages.evaluate.inputs.policy="start.policy"';
      const { code, checks } = await run(project, "hypergrid", ...sets([objective, untrained]));
      const failed = learnt.replace("✓ holds", "✗ does not hold (false)");
      assert.deepEqual([code, checks], [1, [`✓ holds  ${bound}`, failed]]);
    });
  });
});
