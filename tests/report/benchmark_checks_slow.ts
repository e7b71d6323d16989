/** Checks of the benchmark pipelines: bounds of a file's own values, and learning with any others. */
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "../cli/command_line.ts";

const short = [
  ...["stages.train.steps=40", "stages.train.stages.sample.batch_size=16"],
  ...["stages.train.stages.progress.every=20", "stages.evaluate.floor_repetitions=2"],
  "stages.evaluate.baseline_repetitions=0",
];

/** What makes each of them small, and how many checks it has. */
const small: Readonly<Record<string, readonly [string, number]>> = {
  hypergrid: ["stages.grid.height=4", 2],
  bit_sequence: ["stages.sequences.n=8", 2],
  expression: ["stages.expressions.max_length=3", 3],
  numbers: ["stages.numbers.max=12", 2],
  conjugate_programs: ['stages.programs.terms=["linear","quadratic"]', 3],
  qm9_strings: ["stages.strings.blocks=4", 2],
};

async function run(project: CommandLine, name: string, ...more: readonly string[]) {
  const { code, err } = await project.sluice("run", `pipelines/benchmarks/${name}.toml`, ...more);
  const checks = err.split("\n").filter((line) => /^[✓✗] (holds|does not hold)/.test(line));
  return { code, err, checks };
}

const sets = (values: readonly string[]) => values.flatMap((value) => ["--set", value]);

for (const [name, [value, count]] of Object.entries(small)) {
  // GRPO learns no log Z and has no flow: what a bound of balance asks for may not even be there.
  Deno.test(`${name}.toml does not fail an objective that is not its own`, async () => {
    await withProject(["pipelines/benchmarks"], async (project) => {
      const objective = 'stages.train.stages.learn.objective="grpo"';
      const { code, err, checks } = await run(project, name, ...sets([...short, value, objective]));
      assert.equal(code, 0, err);
      assert.equal(checks.length, count, err);
    });
  });
}

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
