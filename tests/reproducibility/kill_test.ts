/** A run that is killed, or has another number of workers, ends with the rows of one that is not. */
import assert from "node:assert/strict";
import { checkpointStep, LiveRun, memoSize, processesOf } from "./live_run.ts";
import { assertSameRows, readRows } from "./same_rows.ts";
import { executions, runArguments, small, withProjects } from "./small_run.ts";

Deno.test("a kill in the middle of a batch, and one worker, change no row", async (test) => {
  await withProjects(2, small, async (whole, killed) => {
    const reference = new LiveRun(whole, runArguments(2));
    assert.ok(await reference.until(() => memoSize(whole) > 0));
    assert.ok(processesOf(whole).length >= 2, "the test can see the runner and what it started");
    const { code, err } = await reference.end();
    assert.equal(code, 0, err);
    const rows = await readRows(whole.root);
    assert.equal(rows.execution.length, executions);

    await test.step("killed after the first checkpoint, while programs are scored", async () => {
      const run = new LiveRun(killed, runArguments(1));
      assert.ok(await run.until(() => checkpointStep(killed) >= 2));
      const known = memoSize(killed);
      assert.ok(await run.until(() => memoSize(killed) > known + 2));
      assert.equal((await run.kill()).signal, "SIGKILL");
      assert.ok(memoSize(killed) < executions);
    });

    await test.step("the same command goes on with the same run", async () => {
      const [runId] = killed.list("runs");
      const { code, err } = await killed.sluice(...runArguments(1));
      assert.equal(code, 0, err);
      assert.match(err, new RegExp(`^Run reopened ${runId}$`, "m"));
      assert.match(err, /^ {2}train goes on after step \d+ of 12$/m);
      assert.deepEqual(killed.list("runs"), [runId]);
      assertSameRows(await readRows(killed.root), rows, "killed, with one worker");
    });

    await test.step("a second run answers from cache, with the same rows", async () => {
      const { code, err } = await killed.sluice(...runArguments(2));
      assert.equal(code, 0, err);
      assert.match(err, /, 6 of 6 stages from cache\n$/);
      assert.equal(killed.list("runs").length, 2);
      assertSameRows(await readRows(killed.root), rows, "from cache");
    });
  });
});
