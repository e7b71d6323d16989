/** Runs that are killed, interrupted, shared and starved at random moments; takes some minutes. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import type { CommandLine } from "../cli/command_line.ts";
import { checkpointStep, LiveRun, memoSize, processesOf } from "../reproducibility/live_run.ts";
import { assertSameRows, readRows, type Rows } from "../reproducibility/same_rows.ts";
import { executions, medium, runArguments, withProjects } from "../reproducibility/small_run.ts";

let known: Promise<Rows> | undefined;

/** The rows of an undisturbed run, with two workers. */
function referenceRows(): Promise<Rows> {
  return known ??= new Promise((resolve, reject) => {
    withProjects(1, medium, async (project) => {
      await finish(project, 2);
      const rows = await readRows(project.root);
      assert.equal(rows.execution.length, executions);
      resolve(rows);
    }).catch(reject);
  });
}

/** Runs to the end and returns what was said. */
async function finish(project: CommandLine, workers: number): Promise<string> {
  const { code, err } = await project.sluice(...runArguments(workers));
  assert.equal(code, 0, err);
  return err;
}

/** Programs that are known and steps that are safe: grows with a run, and outlives its process. */
function progress(project: CommandLine): number {
  return memoSize(project) + checkpointStep(project);
}

/** Waits for a random moment of a run: some time, or some progress and then some time. */
async function randomMoment(run: LiveRun, project: CommandLine, random: RandomStream) {
  const early = random.below(4) === 0;
  const wanted = early ? 0 : progress(project) + 1 + random.below(35);
  const delay = random.below(early ? 1000 : 150);
  if (!await run.until(() => progress(project) >= wanted)) return false;
  const end = performance.now() + delay;
  return await run.until(() => performance.now() >= end);
}

for (const workers of [1, 4]) {
  Deno.test(`${workers} workers give the rows of 2`, async () => {
    const reference = await referenceRows();
    await withProjects(1, medium, async (project) => {
      await finish(project, workers);
      assertSameRows(await readRows(project.root), reference, `${workers} workers`);
    });
  });
}

for (const seed of [1, 2, 3, 4, 5]) {
  Deno.test(`kills at three random moments change no row, seed ${seed}`, async () => {
    const reference = await referenceRows();
    const random = new RandomStream("kills", seed);
    await withProjects(1, medium, async (project) => {
      for (let kills = 0; kills < 3; kills++) {
        const reopened = checkpointStep(project, 40) > 0 ? project.list("runs").at(-1) : undefined;
        const run = new LiveRun(project, runArguments(1 + random.below(4)));
        assert.ok(await randomMoment(run, project, random));
        const { err } = await run.kill();
        const named = /^Run reopened (\S+)$/m.exec(err)?.[1];
        if (named) assert.equal(named, reopened);
      }
      const goesOn = checkpointStep(project, 40);
      const err = await finish(project, 2);
      if (goesOn > 0) assert.ok(err.includes(`train goes on after step ${goesOn} of 40`), err);
      assertSameRows(await readRows(project.root), reference, `seed ${seed}`);
      const runId = project.list("runs").at(-1)!;
      Deno.removeSync(project.path("runs", runId, "run.duckdb"));
      await project.sluice("query", "--run", runId, "select 1 from run");
      assertSameRows(await readRows(project.root), reference, `seed ${seed}, rebuilt`);
    });
  });
}

for (const to of ["runner", "group"] as const) {
  Deno.test(`Ctrl-C to the ${to} at random moments changes no row`, async () => {
    const reference = await referenceRows();
    const random = new RandomStream("interrupts", to);
    await withProjects(1, medium, async (project) => {
      for (let i = 0; i < 3; i++) {
        const run = new LiveRun(project, runArguments(2));
        await run.until(() => memoSize(project) > 0);
        if (!await randomMoment(run, project, random)) break;
        const { code, err } = await run.interrupt(to);
        if (code === 0) break; // it came too late
        assert.equal(code, 130, err);
        assert.match(err, /\nnext: the same command goes on: /);
      }
      await finish(project, 2);
      assertSameRows(await readRows(project.root), reference, to);
    });
  });
}

Deno.test("two runs at once in one project both end with the same rows", async () => {
  const reference = await referenceRows();
  await withProjects(1, medium, async (project) => {
    await Promise.all([finish(project, 2), finish(project, 1)]);
    const runs = project.list("runs");
    assert.equal(runs.length, 2);
    for (const run of runs) {
      assertSameRows(await readRows(project.root, run), reference, "two at once");
    }
  });
});

Deno.test("a killed sandbox worker is replaced, and changes no row", async () => {
  const reference = await referenceRows();
  await withProjects(1, medium, async (project) => {
    const run = new LiveRun(project, runArguments(2));
    for (const size of [5, 20, 35]) {
      assert.ok(await run.until(() => memoSize(project) >= size));
      const worker = processesOf(project).find(({ command }) =>
        command.includes(".sluice/engine/")
      );
      if (worker) Deno.kill(worker.pid, "SIGKILL");
    }
    const { code, err } = await run.end();
    assert.equal(code, 0, err);
    assertSameRows(await readRows(project.root), reference, "workers killed");
  });
});

Deno.test("a killed stage goes on from its checkpoint, and changes no row", async () => {
  const reference = await referenceRows();
  await withProjects(1, medium, async (project) => {
    const run = new LiveRun(project, runArguments(2));
    assert.ok(await run.until(() => checkpointStep(project) >= 14));
    const stage = processesOf(project).find(({ command }) => command.includes("/entries/"));
    Deno.kill(stage!.pid, "SIGKILL");
    const { code, err } = await run.end();
    assert.equal(code, 0, err);
    assert.match(
      err,
      /^! train: attempt 1 at "train" failed and is tried again: Crash: .*SIGKILL\n {2}train goes on after step \d+ of 40$/m,
    );
    assertSameRows(await readRows(project.root), reference, "stage killed");
  });
});
