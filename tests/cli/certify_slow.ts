/** A reader certifies a finished run by a seed of his own, and sees both verdicts. */
import assert from "node:assert/strict";
import { withProject } from "./command_line.ts";

const grid = "pipelines/benchmarks/hypergrid.toml";

/** A collapse: trajectory balance where the background is thin, few steps, nothing counted. */
const collapsed = [
  "stages.grid.r0=0.001",
  'stages.train.stages.learn.objective="trajectory_balance"',
  "stages.train.steps=60",
  "stages.start.policy.width=32",
  "stages.train.stages.progress.every=60",
  "stages.evaluate.enumerate_at_most=10",
  "stages.evaluate.certificate.list_at_most=10",
  "stages.evaluate.baseline_repetitions=0",
].flatMap((one) => ["--set", one]);

Deno.test("sluice certify prints the reader's verdict beside the author's", async () => {
  await withProject([grid], async (project) => {
    const run = await project.sluice("run", grid, "--quiet", ...collapsed);
    assert.equal(run.code, 1, "a check of the file wants a better policy");
    const again = await project.sluice("certify", "last", "--seed", "a reader's", "--quiet");
    assert.equal(again.code, 1, again.err);
    assert.match(again.out, /evaluate\s+author\s+bounded\s+0\.\d+/);
    assert.match(again.out, /evaluate\s+reader\s+bounded\s+0\.\d+/);
    assert.match(again.out, /Seed of the reader: a reader's; run 01/);
    const none = await project.sluice("certify", "nothing");
    assert.equal(none.code, 2);
  });
});
