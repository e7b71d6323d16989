/** Runs that go on from others: a training that forks, and an input that an earlier run gave. */
import assert from "node:assert/strict";
import { InputError } from "../../../src/base/diagnostic.ts";
import { Checkpoints } from "../../../src/pipeline/store/checkpoints.ts";
import { garbageOf } from "../../../src/pipeline/store/garbage.ts";
import { type TestProject, walkPipeline, withProject } from "./project.ts";

const walked = "select step, value from metric where stage = 'train.move' order by step";
const longer = { sets: ["stages.train.steps=90"] };

/** Digest of where the walk ended. */
function end(outcome: Awaited<ReturnType<TestProject["run"]>>): string {
  return outcome.stages.find(({ stage }) => stage === "train")!.outputs.walk;
}

Deno.test("a loop that goes on from another run ends with the bits of an undisturbed one", () =>
  withProject(async (project) => {
    const { runId } = await project.run(walkPipeline);
    const forked = await project.run(walkPipeline, { ...longer, continueFrom: { runId } });
    await withProject(async (other) => {
      const whole = await other.run(walkPipeline, longer);
      assert.equal(end(forked), end(whole));
      const rows = await other.query(whole.runId, walked);
      assert.deepEqual(await project.query(forked.runId, walked), rows.slice(60));
    });
    const again = await project.run(walkPipeline, { ...longer, continueFrom: { runId } });
    assert.ok(again.unchanged);
    const fresh = await project.run(walkPipeline, longer);
    assert.equal(fresh.stages.find(({ stage }) => stage === "train")!.status, "done");
    assert.equal(end(fresh), end(forked), "the cache never answers one by the other");
  }));

Deno.test("states of every N-th step stay, and a run goes on from the one that is named", () =>
  withProject(async (project) => {
    const sets = ["stages.train.keep_every=25"];
    const { runId, stages } = await project.run(walkPipeline, { sets });
    const { fingerprint = "" } = stages.find(({ stage }) => stage === "train")!;
    const checkpoints = new Checkpoints(project.path(".sluice", "checkpoints"));
    assert.deepEqual(checkpoints.steps(fingerprint), [60, 50, 25]);
    assert.deepEqual(kept(project, 0), [], "garbage is what no run needs");
    const forked = await project.run(walkPipeline, { continueFrom: { runId, step: 25 } });
    assert.equal((await project.query(forked.runId, walked)).length, 35);
    assert.equal(end(forked), stages.find(({ stage }) => stage === "train")!.outputs.walk);
    Deno.removeSync(project.path("runs", runId), { recursive: true });
    assert.equal(kept(project, 0).length, 3);
  }));

Deno.test("a loop hands on its best state, of all its steps, and goes on from its last", () =>
  withProject(async (project) => {
    const best = walkPipeline.replace(
      "checkpoint_every = 7",
      'checkpoint_every = 7\nbest = { of = "look.place", want = "most" }',
    ).replace("every = 10", "every = 1");
    const { runId } = await project.run(best);
    const places = await project.query(runId, walked) as [number, number][];
    const most = Math.max(...places.map(([, place]) => place));
    assert.notEqual(most, places.at(-1)![1], "the last place is not the farthest");
    const handedOn = "select value from metric where stage = 'end'";
    assert.deepEqual(await project.query(runId, handedOn), [[most]]);
    const { runId: forked } = await project.run(best, { ...longer, continueFrom: { runId } });
    const whole = [...places, ...await project.query(forked, walked) as [number, number][]];
    const farthest = Math.max(...whole.map(([, place]) => place));
    assert.deepEqual(await project.query(forked, handedOn), [[farthest]]);
    const unmeasured = await project.run(best.replace("look.place", "look.plaice"));
    assert.match(unmeasured.stages[1].fault!.message, /wrote no number called plaice/);
    await assert.rejects(project.resolve(best.replace("look.place", "lok.place")), /called "lok"/);
  }));

/** Checkpoints that would be freed once they are so many days old; those of now included. */
function kept(project: TestProject, days: number): readonly string[] {
  return garbageOf(project.root, { days: days - 1 }).find(({ kind }) => kind === "checkpoints")!
    .paths;
}

Deno.test("an input may be an output of an earlier run, or the state of its loop at a step", () =>
  withProject(async (project) => {
    const { runId } = await project.run(walkPipeline, { sets: ["stages.train.keep_every=25"] });
    const steps = await project.query(runId, walked);
    const look = (wire: string) =>
      `format = 1
name = "look"
seed = 1
[stages.look]
kind = "observe_walk"
inputs = { walk = "run:${runId}/${wire}" }
`;
    for (
      const [wire, step] of [["train.walk", 60], ["train", 60], ["train.walk@25", 25]] as const
    ) {
      const { runId: looked } = await project.run(look(wire));
      const [[value]] = await project.query(looked, "select value from metric");
      assert.equal(value, steps[step - 1][1], wire);
    }
    for (
      const [wire, said] of [
        ["train.walk@26", "steps that are kept: 25, 50, 60"],
        ["train.wlak", "its outputs: walk"],
        ["trian.walk", "its stages: start, train, end"],
      ]
    ) {
      await assert.rejects(project.run(look(wire)), (error: Error) => hintOf(error).includes(said));
    }
  }));

function hintOf(error: Error): string {
  return error instanceof InputError ? error.diagnostics[0].hint ?? "" : "";
}

Deno.test("a run that cannot be gone on with says why, and how to mend it", () =>
  withProject(async (project) => {
    const { runId } = await project.run(walkPipeline);
    const from = (continueFrom: { runId: string; step?: number }, toml = walkPipeline) =>
      project.run(toml, { ...longer, continueFrom });
    await assert.rejects(from({ runId, step: 9 }), /after step 9 is not kept/);
    await assert.rejects(from({ runId }, walkPipeline.replaceAll("move", "go")), /"train.move"/);
    await assert.rejects(from({ runId: "01J00000000000000000000000" }), /no loop of this pipeline/);
    const short = project.run(walkPipeline, { continueFrom: { runId } });
    await assert.rejects(short, /it has 60 steps/);
  }));
