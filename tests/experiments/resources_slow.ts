/** Resources of stages: a machine that lacks them leaves the stage, and one that has them goes on. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";
import { pointsOf, rate, writeSmallGrid } from "./sweep_project.ts";

Deno.test("points that want a GPU are left to a worker that has one, which computes no stage twice", async (test) => {
  await withProject([], async (project) => {
    writeSmallGrid(project);
    const wanted = 'resources = { gpus = 1, memory = "1M", minutes = 5 }';
    project.edit("p.toml", "steps = 8", `steps = 8\n${wanted}`);
    await test.step("a run says what it lacks, and keeps what was done", async () => {
      const { code, err } = await project.sluice("run", "p.toml", "--quiet");
      assert.equal(code, 3, err);
      assert.match(err, /"train" on this machine: it wants 1 gpu \(0 gpus here\)/);
      const onGpu = await project.sluice("run", "p.toml", "--gpus", "1", "--json");
      assert.equal(onGpu.code, 0, onGpu.err);
      assert.match(onGpu.out, /"stage":"start","status":"cached"/);
    });
    await test.step("a worker without GPUs does the rest", async () => {
      await project.sluice("sweep", "p.toml", "--set", `${rate}=0.02,0.03`);
      const { code, err } = await project.sluice("sweep", "work", "small_grid-1");
      assert.equal(code, 0, err);
      assert.match(err, /2 left, 2 of them for a machine that has what they want/);
    });
    await test.step("a worker with one goes on", async () => {
      const args = ["sweep", "work", "small_grid-1", "--gpus", "1", "--only-needing", "gpus"];
      const { code, err } = await project.sluice(...args);
      assert.equal(code, 0, err);
      const states = (await pointsOf(project, "small_grid-1")).map(({ state }) => state);
      assert.deepEqual(states, ["done", "done"]);
      const sql =
        "select stage from stage_run where status = 'done' and not cached and stage != 'train'";
      const { out } = await project.sluice(
        "query",
        "--format",
        "json",
        `${sql} group by all having count(*) > 1`,
      );
      assert.deepEqual(JSON.parse(out), []);
    });
    await test.step("schedulers are told", async () => {
      const { out } = await project.sluice(
        "export",
        "sweep",
        "small_grid-1",
        "--to",
        "snakemake",
        "--out",
        "S",
      );
      const text = project.read("S");
      assert.match(text, /gpu=1,/, out);
      assert.match(text, /mem="1M",\n {8}runtime=5,/);
    });
  });
});

Deno.test("stages that want all cores run one after the other", async () => {
  await withProject([], async (project) => {
    const cores = navigator.hardwareConcurrency;
    const stage = (name: string, height: number) =>
      `[stages.${name}]\nkind = "hypergrid"\nndim = 2\nheight = ${height}\n` +
      `resources = { cores = ${cores} }\n`;
    project.write("c.toml", `format = 1\nname = "c"\n${stage("a", 4)}${stage("b", 5)}`);
    const { code, err } = await project.sluice("run", "c.toml", "--quiet");
    assert.equal(code, 0, err);
    const sql = `select count(*) from stage_run x join stage_run y using (run_id)
      where x.stage < y.stage and x.started_at < y.ended_at and y.started_at < x.ended_at`;
    const { out } = await project.sluice("query", "--format", "csv", sql);
    assert.match(out, /\n0\s*$/);
    project.edit("c.toml", `cores = ${cores}`, "cores = 0");
    const bad = await project.sluice("check", "c.toml");
    assert.equal(bad.code, 2);
    assert.match(bad.err, /cores/);
  });
});
