/** Small runs of the benchmark pipelines, with an objective that is not their own. */
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "../cli/command_line.ts";

const short = [
  ...["stages.train.steps=40", "stages.train.stages.sample.batch_size=16"],
  ...["stages.train.stages.progress.every=20", "stages.evaluate.floor_repetitions=2"],
  "stages.evaluate.baseline_repetitions=0",
];

/** The setting that makes each pipeline small, and the number of its checks. */
const small: Readonly<Record<string, readonly [string, number]>> = {
  hypergrid: ["stages.grid.height=4", 2],
  bit_sequence: ["stages.sequences.n=8", 2],
  expression: ["stages.expressions.max_length=3", 3],
  numbers: ["stages.numbers.max=12", 2],
  conjugate_programs: ['stages.programs.terms=["linear","quadratic"]', 3],
  qm9_strings: ["stages.strings.blocks=4", 2],
};

export async function run(project: CommandLine, name: string, ...more: readonly string[]) {
  const { code, err } = await project.sluice("run", `pipelines/benchmarks/${name}.toml`, ...more);
  const checks = err.split("\n").filter((line) => /^[✓✗] (holds|does not hold)/.test(line));
  return { code, err, checks };
}

export const sets = (values: readonly string[]) => values.flatMap((value) => ["--set", value]);

/** GRPO learns no log Z and has no flow: measures that a bound of balance names may be missing. */
export function testsWithGrpo(names: readonly string[]): void {
  for (const name of names) {
    const [value, count] = small[name];
    Deno.test(`${name}.toml does not fail an objective that is not its own`, async () => {
      await withProject(["pipelines/benchmarks"], async (project) => {
        const objective = 'stages.train.stages.learn.objective="grpo"';
        const { code, err, checks } = await run(
          project,
          name,
          ...sets([...short, value, objective]),
        );
        assert.equal(code, 0, err);
        assert.equal(checks.length, count, err);
      });
    });
  }
}
