/** A run that is watched: its events, SQL while it goes on, and marks to find it by. */
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "../cli/command_line.ts";
import { LiveRun } from "../reproducibility/live_run.ts";
import { writeSmallGrid } from "./sweep_project.ts";

const steps = 100_000;

async function stepNow(project: CommandLine): Promise<number> {
  const sql = "select coalesce(max(step), 0) as step from metric";
  const { code, out } = await project.sluice("query", "--run", "live", "--format", "json", sql);
  return code === 0 ? JSON.parse(out)[0].step : 0;
}

Deno.test("a run that goes on is asked in SQL, and tells its events", async () => {
  await withProject([], async (project) => {
    writeSmallGrid(project, steps, 1000);
    const none = await project.sluice("query", "--run", "live", "select 1");
    assert.deepEqual([none.code, /no run "live"/.test(none.err)], [2, true]);
    const args = ["run", "p.toml", "--json", "--label", "watched", "--tag", "one"];
    const live = new LiveRun(project, args);
    let [first, second] = [0, 0];
    assert.ok(await live.until(() => project.list().includes("runs")));
    for (let tries = 0; first === 0 && tries < 60; tries++) first = await stepNow(project);
    for (let tries = 0; second <= first && tries < 20; tries++) second = await stepNow(project);
    assert.ok(second > first && first > 0, `${first}, then ${second}`);
    const sql = "select r.status, count(distinct m.step) = max(m.step) as whole from run r " +
      "join metric m using (run_id) where m.stage = 'train.learn' group by all";
    const asked = await project.sluice("query", "--run", "live", "--format", "json", sql);
    assert.deepEqual(JSON.parse(asked.out), [{ status: "running", whole: true }], "no step lacks");
    live.signal("SIGINT");
    const { code, out } = await live.end();
    const events = out.trim().split("\n").map((line) => JSON.parse(line));
    const named = (name: string) => events.filter(({ event }) => event === name);
    assert.equal(code, 130);
    assert.equal(named("run.started").length, 1);
    assert.deepEqual(named("stage.started").map(({ stage }) => stage), ["grid", "start", "train"]);
    assert.ok(named("loop.step").length > 1 && named("loop.step")[0].steps === steps);
    const ends = named("stage.completed").map(({ stage, status }) => `${stage} ${status}`);
    assert.deepEqual(ends, ["grid done", "start done", "train interrupted"]);
    assert.deepEqual(events.at(-1).event, "run.failed");
    assert.deepEqual([events.at(-1).status, events.at(-1).exit], ["interrupted", 130]);
  });
});

Deno.test("runs are found by marks, with values beside them, and queries by name", async () => {
  await withProject([], async (project) => {
    writeSmallGrid(project);
    const run = ["run", "p.toml", "--quiet", "--set"];
    await project.sluice(...run, "seed=1", "--label", "base", "--tag", "one");
    await project.sluice(...run, "seed=2");
    const marked = await project.sluice("mark", "last", "--tag", "two", "--note", "a note");
    assert.equal(marked.code, 0, marked.err);
    const list = async (...args: string[]) =>
      JSON.parse((await project.sluice("runs", "--json", ...args)).out);
    const all = await list("--with", "tv,learning_rate,nothing");
    assert.deepEqual(all.map((one: Record<string, unknown>) => [one.seed, one.label, one.tags]), [
      [2, "", "two"],
      [1, "base", "one"],
    ]);
    assert.ok(all.every((one: Record<string, number>) => one.tv > 0 && one.learning_rate === 0.01));
    assert.deepEqual((await list("--tag", "one")).length, 1);
    const sql = "select meta->>'$.label' as label from run where seed = 1";
    project.write("queries/labels.sql", sql);
    const asked = await project.sluice("query", "@labels", "--format", "json");
    assert.deepEqual(JSON.parse(asked.out), [{ label: "base" }]);
    const wrong = await project.sluice("query", "@label");
    assert.deepEqual([wrong.code, /did you mean "@labels"/.test(wrong.err)], [2, true]);
    const nothing = await project.sluice("mark", "last");
    assert.equal(nothing.code, 2);
    const failed = await project.sluice("run", "p.toml", "--json", "--only", "nothing");
    assert.equal(failed.code, 2);
    assert.equal(JSON.parse(failed.out.trim()).event, "run.failed");
  });
});
