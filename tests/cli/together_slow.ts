/** Runs that were begun together: each stage is computed once, and the others use what it found. */
import assert from "node:assert/strict";
import { LiveRun } from "../reproducibility/live_run.ts";
import { withDoubling } from "./doubling.ts";

const run = ["run", "doubling.toml", "--set"];

Deno.test("of four runs begun together one computes a stage, and three wait for its result", () =>
  withDoubling(async (project) => {
    const args = [...run, "stages.a.ms=3000"];
    const runs = Array.from({ length: 4 }, () => project.sluice(...args));
    const ends = await Promise.all(runs);
    assert.deepEqual(ends.map(({ code }) => code), [0, 0, 0, 0], ends.map((e) => e.err).join("\n"));
    const computed = ends.filter(({ err }) => /✓ a/.test(err));
    assert.equal(computed.length, 1, ends.map(({ err }) => err).join("\n"));
    const sql = "select count(*) as n, count(*) filter (where cached) as cached from stage_run";
    const { out } = await project.sluice("query", "--format", "json", sql);
    assert.deepEqual(JSON.parse(out), [{ n: 4, cached: 3 }]);
  }));

Deno.test("a run that waits for one that is killed computes the stage itself", () =>
  withDoubling(async (project) => {
    const first = new LiveRun(project, [...run, "stages.a.ms=5000"]);
    assert.ok(await first.untilSaid("\nRun "));
    const second = new LiveRun(project, [...run, "stages.a.ms=5000"]);
    assert.ok(await second.untilSaid("is waited for"));
    const killed = performance.now();
    first.signal("SIGKILL");
    const { code, err } = await second.end();
    assert.equal(code, 0, err);
    assert.match(err, /✓ a/);
    assert.ok(performance.now() - killed < 20_000, "a dead run of this machine is seen at once");
  }));

Deno.test("a run that waits is interrupted like any other", () =>
  withDoubling(async (project) => {
    const first = new LiveRun(project, [...run, "stages.a.ms=600000"]);
    assert.ok(await first.untilSaid("\nRun "));
    const second = new LiveRun(project, [...run, "stages.a.ms=600000"]);
    assert.ok(await second.untilSaid("is waited for"));
    second.signal("SIGINT");
    assert.equal((await second.end()).code, 130);
    first.signal("SIGINT");
    assert.equal((await first.end()).code, 130);
  }));
