/** A project whose sweep is small: a policy on sixteen cells, trained for a few steps. */
import assert from "node:assert/strict";
import type { CommandLine } from "../cli/command_line.ts";
import { readSweep, sweepStatus } from "../../src/experiments/mod.ts";
import { read } from "../docs/markdown.ts";

/** The path that sweeps of tests set. */
export const rate = "stages.train.stages.learn.learning_rate";

/** Puts the pipeline `p.toml` into a project; `steps` of its loop, with a checkpoint after each two, or as told. */
export function writeSmallGrid(project: CommandLine, steps = 8, checkpointEvery = 2): void {
  const text = read("docs/examples/small_grid.toml")
    .replace("height = 8", "height = 4").replace("width = 32", "width = 8")
    .replace("steps = 30", `steps = ${steps}`).replace(
      "checkpoint_every = 10",
      `checkpoint_every = ${checkpointEvery}`,
    )
    .replace("batch_size = 16", "batch_size = 4").replace("every = 10", `every = ${steps}`);
  project.write("p.toml", text.slice(0, text.indexOf("[stages.evaluate]")));
}

/** A point as `sweep status --json` gives it. */
export interface Point {
  readonly point: number;
  readonly set: Record<string, unknown>;
  readonly state: string;
  readonly run: string | null;
}

/** The points of a sweep. */
export async function pointsOf(project: CommandLine, sweep: string): Promise<Point[]> {
  const { code, out, err } = await project.sluice("sweep", "status", sweep, "--json");
  assert.equal(code, 0, err);
  return JSON.parse(out).points;
}

/** States of the points, without a process: for tests that wait. */
export function statesOf({ root }: CommandLine, sweep: string): string[] {
  return sweepStatus(root, readSweep(root, sweep)).map(({ state }) => state);
}

/** Measures of training by point: equal bits are equal text. */
export async function measuredBy(project: CommandLine, sweep: string) {
  const sql = `select p.path, p.value, s.seed, m.step, m.name, m.value as measured
    from sweep_point p join run s using (run_id) join metric m using (run_id)
    where p.sweep = '${sweep}' and p.path != 'seed' order by all`;
  const { code, out, err } = await project.sluice("query", "--format", "json", sql);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}
