/** A run that was killed before its first checkpoint reads as interrupted; one that goes on does not. */
import assert from "node:assert/strict";
import { projectLayout } from "../../../src/pipeline/project/project.ts";
import { lockRun, settleInterrupted } from "../../../src/pipeline/run/interrupted_runs.ts";
import { query } from "../../../src/pipeline/store/query.ts";
import { ulid } from "../../../src/pipeline/basics/ulid.ts";
import { sumPipeline, type TestProject, walkPipeline, withProject } from "./project.ts";

const driver = new URL("./driver.ts", import.meta.url).href;
const endless = ["stages.train.stages.move.milliseconds=20", "stages.train.checkpoint_every=1000"];

function statusOf(project: TestProject, runId: string): string {
  return JSON.parse(Deno.readTextFileSync(project.path("runs", runId, "run.json"))).status;
}

/** Starts a run, kills it in the middle of its loop, and gives its id. */
async function killedRun(project: TestProject): Promise<string> {
  const path = project.write("pipeline.toml", walkPipeline);
  const args = ["run", "-A", "--quiet", driver, project.root, path, ...endless];
  const child = new Deno.Command("deno", { args, stdout: "null", stderr: "inherit" }).spawn();
  while (!hasRows(project)) await new Promise((resolve) => setTimeout(resolve, 20));
  child.kill("SIGKILL");
  await child.status;
  return project.runs()[0];
}

function hasRows(project: TestProject): boolean {
  try {
    const [runId] = project.runs();
    const rows = [...Deno.readDirSync(project.path("runs", runId, "rows"))];
    return rows.some(({ name }) => name.startsWith("train"));
  } catch {
    return false;
  }
}

Deno.test("a run killed before its first checkpoint reads as interrupted", () =>
  withProject(async (project) => {
    const killed = await killedRun(project);
    assert.equal(statusOf(project, killed), "running");
    const asked = await query(project.root, "select status from run", { run: killed });
    assert.deepEqual(asked.rows, [["interrupted"]]);
    const { runId } = await project.run(sumPipeline);
    assert.deepEqual([killed, runId].map((id) => statusOf(project, id)), ["interrupted", "done"]);
  }));

Deno.test("a run that another process is writing stays as it is", () =>
  withProject((project) => {
    const [layout, runId] = [projectLayout(project.root), ulid()];
    const file = project.path("runs", runId, "run.json");
    Deno.mkdirSync(project.path("runs", runId), { recursive: true });
    Deno.writeTextFileSync(file, JSON.stringify({ status: "running", seed: 1 }));
    const lock = lockRun(layout, runId);
    settleInterrupted(layout);
    assert.equal(statusOf(project, runId), "running");
    lock?.release();
    settleInterrupted(layout);
    assert.deepEqual(JSON.parse(Deno.readTextFileSync(file)), { status: "interrupted", seed: 1 });
    return Promise.resolve();
  }));
