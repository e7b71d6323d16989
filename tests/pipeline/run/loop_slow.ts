/** Loops: state is folded, stages run every so often, and a loop that was cut short goes on. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { nothingRuns, rest, start as startPipeline } from "./live_driver.ts";
import { type TestProject, walkPipeline, withProject } from "./project.ts";

const slow = ["stages.train.stages.move.milliseconds=8"];
const rowsSql = "select stage, step, name, value from metric order by all";

/** The walk in a process of its own. */
const start = (project: TestProject) => startPipeline(project, walkPipeline, slow);

/** The walk of `random_walk`, computed here. */
function walk(seed: number, steps: number): number[] {
  let [at, momentum] = [0, 0];
  return Array.from({ length: steps }, (_, i) => {
    const stream = new RandomStream(`seed ${seed}`, "train.move", i + 1, "move");
    momentum = 0.5 * momentum + stream.uniform() - 0.5;
    return at += momentum;
  });
}

Deno.test("a loop folds state through its stages and runs some of them every N steps", () =>
  withProject(async (project) => {
    const outcome = await project.run(walkPipeline);
    assert.equal(outcome.exitCode, 0);
    const sql = "select step, value from metric where stage = 'train.move' order by step";
    const expected = walk(7, 60);
    const moved = await project.query(outcome.runId, sql);
    assert.deepEqual(moved, expected.map((at, i) => [i + 1, at]));
    const looked = "select step, value from metric where stage = 'train.look' order by step";
    const every = [10, 20, 30, 40, 50, 60].map((step) => [step, expected[step - 1]]);
    assert.deepEqual(await project.query(outcome.runId, looked), every);
    const end = "select value from metric where stage = 'end'";
    assert.deepEqual(await project.query(outcome.runId, end), [[expected[59]]]);
  }));

Deno.test("a run that was killed goes on and ends with the same rows and the same bytes", () =>
  withProject(async (project) => {
    const { child, lines } = start(project);
    const checkpoints = 1 + Math.floor(Math.random() * 5);
    let seen = 0;
    for await (const line of lines) {
      if (line.event === "checkpointed" && ++seen === checkpoints) break;
    }
    child.kill("SIGKILL");
    await child.status;
    await nothingRuns(project.root);
    const said = await rest(start(project).lines);
    const [resumed, ended] = [said[0], said.at(-1)!];
    assert.equal(resumed.event, "resumed");
    assert.ok((resumed.step as number) >= 7 * checkpoints);
    assert.equal(ended.status, "done");
    assert.deepEqual(project.runs(), [ended.runId]);
    await withProject(async (other) => {
      const whole = await other.run(walkPipeline, { sets: slow });
      const digests = Object.fromEntries(whole.stages.map((s) => [s.stage, s.outputs]));
      assert.deepEqual(ended.outputs, digests);
      const rows = await project.query(ended.runId as string, rowsSql);
      assert.deepEqual(rows, await other.query(whole.runId, rowsSql));
    });
  }));

Deno.test("Ctrl-C finishes the step and writes a checkpoint; the next run goes on from there", () =>
  withProject(async (project) => {
    const { child, lines } = start(project);
    for await (const line of lines) if (line.event === "checkpointed") break;
    child.kill("SIGINT");
    assert.equal((await child.status).code, 130);
    const [run] = project.runs();
    assert.equal(
      JSON.parse(Deno.readTextFileSync(project.path("runs", run, "run.json"))).status,
      "interrupted",
    );
    const [train] = (await project.plan(walkPipeline, slow)).slice(1);
    assert.equal(train.state, "resume");
    const said = await rest(start(project).lines);
    assert.equal(said[0].event, "resumed");
    assert.deepEqual([said.at(-1)!.status, said.at(-1)!.runId], ["done", run]);
    const values = await project.query(
      run,
      "select value from metric where stage = 'train.move' order by step",
    );
    assert.deepEqual(values.flat(), walk(7, 60));
  }));

Deno.test("two runs of one loop at once both end well, with the same bytes", () =>
  withProject(async (project) => {
    const [first, second] = await Promise.all([
      rest(start(project).lines),
      rest(start(project).lines),
    ]);
    const [a, b] = [first.at(-1)!, second.at(-1)!];
    assert.deepEqual([a.status, b.status], ["done", "done"]);
    assert.notEqual(a.runId, b.runId);
    assert.deepEqual(a.outputs, b.outputs);
    const rows = await project.query(a.runId as string, rowsSql);
    assert.deepEqual(await project.query(b.runId as string, rowsSql), rows);
  }));

Deno.test("a run that waits for a loop whose run is killed goes on from its checkpoint, with its rows", () =>
  withProject(async (project) => {
    const slower = ["stages.train.stages.move.milliseconds=30"];
    const first = startPipeline(project, walkPipeline, slower);
    for await (const line of first.lines) if (line.event === "checkpointed") break;
    first.child.kill("SIGSTOP"); // it is alive, and does not end before the other one waits
    const second = startPipeline(project, walkPipeline, slower);
    await second.lines.next(); // it waits for the loop
    first.child.kill("SIGKILL");
    await first.child.status;
    const said = await rest(second.lines);
    const ended = said.at(-1)!;
    assert.equal(ended.status, "done");
    assert.equal(project.runs().length, 2);
    assert.ok(said.find(({ event }) => event === "resumed")!.step as number >= 7);
    const moved = "select value from metric where stage = 'train.move' order by step";
    const values = await project.query(ended.runId as string, moved);
    assert.deepEqual(values.flat(), walk(7, 60));
    await withProject(async (other) => {
      const whole = await other.run(walkPipeline, { sets: slower });
      const digests = whole.stages.map((s) => [s.stage, s.outputs]);
      assert.deepEqual(ended.outputs, Object.fromEntries(digests));
    });
  }));
