/** A loop that samples and executes ahead: the same rows with any workers, after kills, from cache. */
import assert from "node:assert/strict";
import { query } from "../../src/pipeline/store/query.ts";
import { CommandLine } from "../cli/command_line.ts";
import { checkpointStep, LiveRun } from "./live_run.ts";
import { assertSameRows, readRows } from "./same_rows.ts";
import { shortFiles, shortPipeline } from "./short_pipeline.ts";

const run = (workers: number) => [
  ...["run", "p.toml", "--workers", `${workers}`],
  ...["--set", "stages.train.staleness=2", "--set", "stages.train.steps=9"],
];

function makeProject(): CommandLine {
  const project = CommandLine.make(shortFiles);
  project.write("p.toml", shortPipeline());
  return project;
}

Deno.test("with staleness too, kill -9 and fewer workers change no row", async (test) => {
  const [whole, broken] = [makeProject(), makeProject()];
  try {
    assert.equal((await whole.sluice(...run(2))).code, 0);
    const rows = await readRows(whole.root);

    await test.step("every fresh trajectory has its age, at most the bound", async () => {
      const sql = "select step, staleness from trajectory where not replayed order by step";
      const ages = (await query(whole.root, sql, { run: "last" })).rows;
      assert.equal(ages.length, 18);
      for (const [step, age] of ages) assert.equal(Number(age), Math.min(2, Number(step) - 1));
    });

    await test.step("killed after a checkpoint, it ends with the same rows", async () => {
      const live = new LiveRun(broken, run(2));
      assert.ok(await live.until(() => checkpointStep(broken) >= 4));
      assert.equal((await live.kill()).signal, "SIGKILL");
      const { code, err } = await broken.sluice(...run(1));
      assert.equal(code, 0, err);
      assert.match(err, /train goes on after step [468] of 9/);
      assertSameRows(await readRows(broken.root), rows, "killed");
    });
  } finally {
    for (const project of [whole, broken]) project.remove();
  }
});
