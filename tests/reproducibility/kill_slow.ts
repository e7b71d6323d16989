/** A run that is interrupted, then killed, then ends with another number of workers: the same rows. */
import assert from "node:assert/strict";
import type { CommandLine } from "../cli/command_line.ts";
import { checkpointStep, LiveRun, memoSize, processesOf } from "./live_run.ts";
import { assertSameRows, readRows } from "./same_rows.ts";
import { executions, runArguments, small, withProjects } from "./small_run.ts";

Deno.test("Ctrl-C, kill -9 in a batch, and fewer workers change no row", async (test) => {
  await withProjects(2, small, async (whole, broken) => {
    const reference = new LiveRun(whole, runArguments(2));
    assert.ok(await reference.until(() => memoSize(whole) > 2));
    assert.ok(processesOf(whole).length >= 3, "the runner, a stage and a worker can be seen");
    const { code, err } = await reference.end();
    assert.equal(code, 0, err);
    const rows = await readRows(whole.root);
    assert.equal(rows.execution.length, executions);

    await test.step("Ctrl-C ends with 130, a checkpoint and a hint", async () => {
      const run = new LiveRun(broken, runArguments(2));
      assert.ok(await run.until(() => checkpointStep(broken) >= 2));
      const { code, err } = await run.interrupt("group");
      assert.equal(code, 130, err);
      assert.match(
        err,
        /^Stopping after this step\nCtrl-C again: at once, back to the last checkpoint; scored programs are kept$/m,
      );
      const hint = `next: the same command goes on: deno task sluice ${
        runArguments(2).join(" ")
      }\n`;
      assert.match(err, /^Interrupted after .*; what was done is kept\nnext: /m);
      assert.ok(err.endsWith(hint), err);
      assert.ok(checkpointStep(broken) >= 2);
      assert.equal(statusOf(broken), "interrupted");
    });

    const [runId] = broken.list("runs");
    await test.step("the same command goes on, and is killed while programs are scored", async () => {
      const step = checkpointStep(broken);
      const known = memoSize(broken);
      const run = new LiveRun(broken, runArguments(1));
      assert.ok(await run.until(() => memoSize(broken) > known + 2));
      const { signal, err } = await run.kill();
      assert.equal(signal, "SIGKILL");
      assert.ok(memoSize(broken) < executions);
      assert.match(err, new RegExp(`^Run reopened ${runId}$`, "m"));
      assert.match(err, new RegExp(`^ {2}train goes on after step ${step} of 12$`, "m"));
    });

    await test.step("it goes on once more, and ends with the same rows", async () => {
      const { code, err } = await broken.sluice(...runArguments(1));
      assert.equal(code, 0, err);
      assert.match(err, new RegExp(`^Run reopened ${runId}$`, "m"));
      assert.deepEqual([broken.list("runs"), statusOf(broken)], [[runId], "done"]);
      assertSameRows(await readRows(broken.root), rows, "interrupted and killed");
    });

    await test.step("a database rebuilt from its segments has the same rows", async () => {
      Deno.removeSync(broken.path("runs", runId, "run.duckdb"));
      const { code, err } = await broken.sluice("query", "select count(*) from trajectory");
      assert.equal(code, 0, err);
      assert.match(err, /rebuilt from its segments/);
      assertSameRows(await readRows(broken.root), rows, "rebuilt");
    });

    await test.step("another run answers from cache, with the same rows", async () => {
      const { code, err } = await broken.sluice(...runArguments(2));
      assert.equal(code, 0, err);
      assert.match(err, /, 7 of 7 stages from cache\n$/);
      assert.equal(broken.list("runs").length, 2);
      assertSameRows(await readRows(broken.root), rows, "from cache");
    });
  });
});

/** Status in `run.json` of the only run. */
function statusOf(project: CommandLine): string {
  const [runId] = project.list("runs");
  return JSON.parse(project.read(`runs/${runId}/run.json`)).status;
}
