/** Ctrl-C in a terminal, which signals the whole group, at moments when that is awkward. */
import assert from "node:assert/strict";
import type { CommandLine } from "../cli/command_line.ts";
import { withDoubling } from "../cli/doubling.ts";
import { checkpointStep, handlesTermination, LiveRun, memoSize, processesOf } from "./live_run.ts";
import { runArguments, small, withProjects } from "./small_run.ts";

/**
 * True as soon as the second sandbox worker exists, which is before it can listen for signals. The
 * loop's first batch starts it, and needs its answer to finish the step.
 */
function secondWorkerStarts(project: CommandLine): boolean {
  if (Deno.build.os !== "linux") return memoSize(project) > 1;
  const workers = processesOf(project).filter(({ command }) => command.includes(".sluice/engine/"));
  return workers.length >= 2;
}

Deno.test("Ctrl-C while a worker starts interrupts the run, and fails nothing", async () => {
  await withProjects(1, small, async (project) => {
    const run = new LiveRun(project, runArguments(2));
    assert.ok(await run.until(() => secondWorkerStarts(project)));
    const { code, err } = await run.interrupt("group");
    assert.equal(code, 130, err);
    assert.doesNotMatch(err, /failed/i);
    assert.match(err, /\nnext: the same command goes on: /);
  });
});

Deno.test("SIGTERM to every process interrupts the run after its step, and fails nothing", async () => {
  await withProjects(1, { ...small, checkpointEvery: 1000 }, async (project) => {
    const run = new LiveRun(project, runArguments(2));
    assert.ok(await run.until(() => memoSize(project) >= 4));
    run.terminateAll();
    const { code, err } = await run.end();
    assert.equal(code, 130, err);
    assert.doesNotMatch(err, /failed|at once\n/i);
    assert.ok(checkpointStep(project) >= 1, "the step that was under way is lost");
    assert.match(err, /\nnext: the same command goes on: /);
  });
});

function stagesOf(project: CommandLine) {
  return processesOf(project).filter(({ command }) => /entries/.test(command));
}

Deno.test("SIGTERM to every process while a stage starts interrupts the run", () =>
  withDoubling(async (project) => {
    const run = new LiveRun(project, ["run", "doubling.toml", "--set", "stages.a.ms=600000"]);
    assert.ok(await run.untilSaid("\nRun "));
    assert.ok(await run.until(() => stagesOf(project).length > 0));
    run.terminateAll();
    const { code, err } = await run.end();
    assert.equal(code, 130, err);
    assert.doesNotMatch(err, /failed/i);
  }));

Deno.test("SIGTERM to the group of a run whose stage waits interrupts it at once", () =>
  withDoubling(async (project) => {
    const run = new LiveRun(project, ["run", "doubling.toml", "--set", "stages.a.ms=600000"]);
    assert.ok(await run.untilSaid("\nRun "));
    assert.ok(await run.until(() => stagesOf(project).some(handlesTermination)));
    run.terminateAll();
    run.press("group", "SIGTERM"); // a parent that hands it on
    const { code, err } = await run.end();
    assert.equal(code, 130, err);
    const ended = await project.sluice("runs");
    assert.match(ended.out, /interrupted/);
  }));

Deno.test("a second Ctrl-C stops at once, and leaves no process", async () => {
  const longStep = { ...small, batchSize: 80 };
  await withProjects(1, longStep, async (project) => {
    const run = new LiveRun(project, runArguments(1));
    assert.ok(await run.until(() => memoSize(project) >= 4));
    run.press("group");
    await run.untilSaid("Stopping after this step");
    await new Promise((resolve) => setTimeout(resolve, 400)); // before that it is the same one
    const { code, err } = await run.interrupt("group");
    assert.equal(code, 130, err);
    assert.match(err, /\nStopping at once\n/);
    assert.match(err, /\nnext: the same command goes on: /);
  });
});
