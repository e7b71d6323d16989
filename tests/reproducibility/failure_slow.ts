/** A stage that fails in the middle leaves its rows, its log and a clear last word. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";
import { readRows } from "./same_rows.ts";
import { shortFiles, shortPipeline } from "./short_pipeline.ts";

/** A judge that gives up after some programs, where `calls` says. */
function judgeText(calls: number): string {
  return `import { defineJudge } from "sluice";

let calls = 0;

export default defineJudge({
  name: "tired",
  version: 1,
  uses: "execution",
  judge(execution) {
    if (++calls > ${calls}) throw new Error("the judge is tired");
    return { logReward: execution.status === "ok" ? -1 : -2, components: {} };
  },
});
`;
}

Deno.test("a judge that throws in the middle of a loop leaves rows, log and a last word", async () => {
  await withProject(shortFiles, async (project) => {
    project.write("p.toml", shortPipeline("./judge.ts"));
    project.write("judge.ts", judgeText(6));
    const { code, out, err } = await project.sluice("run", "p.toml");
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, /^✓ target +[0-9.]+ s\n✗ train +[0-9.]+ s {2}failed$/m);
    const last =
      /\nStage (\S+) failed at step (\d+): the judge is tired\n {2}log: (\S+)\nFailed in /;
    const [, stage, step, log] = last.exec(err) ?? assert.fail(err);
    assert.deepEqual([stage, Number(step) > 1], ["train.judge", true]);
    assert.match(project.read(log), /^failed: Error: the judge is tired\n +at .*judge\.ts:10:/m);
    const run = JSON.parse(project.read(`runs/${project.list("runs")[0]}/run.json`));
    assert.equal(run.status, "failed");

    const failed = await readRows(project.root);
    const steps = failed.trajectory.map((row) => Number(JSON.parse(row)[1]));
    assert.deepEqual([...new Set(steps)].sort(), range(Number(step) - 1));
    const before = await project.sluice("query", "--run", "last", "--format", "csv", eventSql);
    assert.equal(before.out, `message\r\nthe judge is tired at step ${step} of train.judge\r\n`);

    project.write("judge.ts", judgeText(1000));
    const mended = await project.sluice("run", "p.toml");
    assert.equal(mended.code, 0, mended.err);
    const rows = await readRows(project.root);
    const kept = new Set(rows.trajectory);
    assert.deepEqual(failed.trajectory.filter((row) => !kept.has(row)), []);
  });
});

const eventSql = "select message from event where level = 'error'";

/** 1 … n. */
function range(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i + 1);
}
