/** The cache: stages that run again and stages that do not, and rows that come along. */
import assert from "node:assert/strict";
import { keyOfProject, openSealer } from "../../../src/base/seal.ts";
import { addTrust } from "../../../src/base/trust.ts";
import { chooseUserFolder, userFolder } from "../../../src/base/user_folder.ts";
import { withConfig } from "../../base/config_folder.ts";
import { ObjectStore } from "../../../src/pipeline/store/objects.ts";
import type { RunObserver } from "../../../src/pipeline/plan/observer.ts";
import type { RunOutcome } from "../../../src/pipeline/run/run.ts";
import { sumPipeline, walkPipeline, warningKeeper, withProject } from "./project.ts";

const states = (stages: readonly { stage: string; status: string }[]) =>
  Object.fromEntries(stages.map(({ stage, status }) => [stage, status]));

Deno.test("a second run is answered from the cache, with the same rows", () =>
  withProject(async (project) => {
    const first = await project.run(sumPipeline);
    assert.equal(first.exitCode, 0);
    const second = await project.run(sumPipeline, { record: true });
    assert.notEqual(second.runId, first.runId);
    assert.deepEqual(second.stages.map(({ status }) => status), Array(4).fill("cached"));
    assert.equal(second.exitCode, 0);
    const sql = "select stage, step, name, value from metric order by all";
    const rows = await project.query(first.runId, sql);
    assert.equal(rows.length, 9);
    assert.deepEqual(await project.query(second.runId, sql), rows);
  }));

Deno.test("where nothing changed, the earlier run is the answer, and nothing is written", () =>
  withProject(async (project) => {
    const first = await project.run(sumPipeline);
    const seen: string[] = [];
    const observer: RunObserver = {
      unchanged: ({ runId }) => void seen.push(runId),
      checkFinished: ({ passed, sql }) => void seen.push(`${passed} ${sql}`),
    };
    const second = await project.run(sumPipeline, { observer });
    const sql = "select count(*) = 2 from metric where name = 'sum'";
    assert.deepEqual(seen, [first.runId, `true ${sql}`]);
    assert.deepEqual(project.runs(), [first.runId]);
    assert.deepEqual([second.runId, second.unchanged, second.exitCode], [first.runId, true, 0]);
    const outputs = (run: RunOutcome) => run.stages.map((stage) => stage.outputs);
    assert.deepEqual(outputs(second), outputs(first));
  }));

Deno.test("another check, a changed value, an altered or a lost run: the run is made", () =>
  withProject(async (project) => {
    const first = await project.run(sumPipeline);
    const isNew = async (toml: string, sets: readonly string[] = []) => {
      const { unchanged, runId } = await project.run(toml, { sets });
      assert.equal(unchanged, false);
      return runId;
    };
    await isNew(sumPipeline.replace("= 2", "= 2 and true"));
    await isNew(sumPipeline, ["stages.sum.retries=2"]);
    assert.equal((await project.run(sumPipeline)).runId, first.runId);
    const database = project.path("runs", first.runId, "run.duckdb");
    const bytes = Deno.readFileSync(database);
    Deno.writeFileSync(database, bytes);
    const again = await isNew(sumPipeline);
    Deno.removeSync(project.path("runs", again), { recursive: true });
    await isNew(sumPipeline);
  }));

Deno.test("a check that does not hold is asked again", () =>
  withProject(async (project) => {
    const toml = sumPipeline.replace("= 2", "= 3");
    const [first, second] = [await project.run(toml), await project.run(toml)];
    assert.deepEqual([first.exitCode, second.exitCode, second.unchanged], [1, 1, false]);
  }));

Deno.test("a large artifact is known by its stamp, and --verify reads it all the same", () =>
  withProject(async (project) => {
    const objects = (verify = false) => new ObjectStore(project.root, verify);
    const path = (digest: string) => objects().path(digest);
    const digest = objects().put(new Uint8Array(100_000));
    const first = objects();
    await new Promise((resolve) => setTimeout(resolve, 2100)); // objects just written are hashed
    assert.equal(first.check(digest), "found");
    first.save();
    const { atime, mtime } = Deno.statSync(path(digest));
    const altered = new Uint8Array(100_000).fill(1, 7, 8);
    Deno.writeFileSync(path(digest), altered);
    Deno.utimeSync(path(digest), atime!, mtime!);
    assert.equal(objects().check(digest), "corrupt", "its ctime is another");
    const again = objects();
    again.put(new Uint8Array(100_000));
    assert.equal(again.check(digest), "found");
    Deno.writeTextFileSync(project.path(".sluice", "stamps.json"), "{}");
    assert.equal(objects().check(digest), "found", "stamps that nobody sealed are no stamps");
    assert.equal(objects(true).check(digest), "found");
  }));

Deno.test("a renamed stage that draws nothing keeps its cache, and its rows have the new name", () =>
  withProject(async (project) => {
    const first = await project.run(sumPipeline);
    const renamed = sumPipeline.replace("stages.right", "stages.second")
      .replace('b = "right"', 'b = "second"');
    const second = await project.run(renamed);
    assert.deepEqual(second.stages.map(({ status }) => status), Array(4).fill("cached"));
    const sql = "select step, name, value from metric where stage = ? order by all";
    const rows = (runId: string, stage: string) =>
      project.query(runId, sql.replace("?", `'${stage}'`));
    const expected = await rows(first.runId, "right");
    assert.ok(expected.length > 0);
    assert.deepEqual(await rows(second.runId, "second"), expected);
    assert.deepEqual(await rows(second.runId, "right"), []);
  }));

Deno.test("the same bytes from a changed stage stop the wave", () =>
  withProject(async (project) => {
    await project.run(sumPipeline);
    const plan = await project.plan(sumPipeline, ["stages.left.count=2"]);
    const shown = plan.map(({ stage, state, reason }) => [stage, state, reason.split(" (")[0]]);
    assert.deepEqual(shown.filter(([, state]) => state !== "cached"), [
      ["left", "run", "count 3 -> 2"],
      ["sum", "blocked", "waits for left"],
      ["more", "blocked", "waits for sum"],
    ]);
    const { stages } = await project.run(sumPipeline, { sets: ["stages.left.count=2"] });
    const expected = { left: "done", right: "cached", sum: "done", more: "cached" };
    assert.deepEqual(states(stages), expected);
  }));

Deno.test("a damaged object is computed again, and the run says so", () =>
  withProject(async (project) => {
    const first = await project.run(sumPipeline);
    const digest = first.stages.find(({ stage }) => stage === "sum")!.outputs.sum;
    Deno.writeTextFileSync(new ObjectStore(project.root).path(digest), "6");
    const observer = warningKeeper();
    const second = await project.run(sumPipeline, { observer });
    assert.deepEqual(states(second.stages), {
      ...{ left: "cached", right: "cached", sum: "done", more: "cached" },
    });
    assert.deepEqual(
      second.stages.map(({ outputs }) => outputs),
      first.stages.map((s) => s.outputs),
    );
    assert.match(observer.warnings.join(), /"sum" is computed again: its output "sum" is corrupt/);
  }));

Deno.test("a record that is there and not believed is not called gone", () =>
  withProject(async (project) => {
    const [{ fingerprint: one }] = (await project.run(sumPipeline)).stages;
    const path = project.path(".sluice", "fingerprints", `${one}.json`);
    const record = JSON.parse(Deno.readTextFileSync(path));
    Deno.writeTextFileSync(path, JSON.stringify({ ...record, rows: "forged" }));
    const reason = async () => (await project.plan(sumPipeline))[0].reason;
    assert.equal(await reason(), "its record has no seal trusted here: it was altered");
    Deno.removeSync(path);
    assert.equal(await reason(), "its record is gone");
  }));

Deno.test("a record of another key names the command that believes it", () =>
  withProject(async (project) => {
    let key = "";
    await withConfig(async () => {
      await project.run(sumPipeline);
      key = openSealer(project.root).keyId;
    });
    await withConfig(async () => {
      const reason =
        `its record has no seal trusted here: "sluice trust add ${key}" believes its key`;
      assert.equal((await project.plan(sumPipeline))[0].reason, reason);
      addTrust(key);
      assert.equal((await project.plan(sumPipeline))[0].state, "cached");
    });
  }));

Deno.test("a run whose key lies in the project says so", () =>
  withProject(async (project) => {
    const before = userFolder();
    chooseUserFolder("/dev/null/none");
    try {
      const observer = warningKeeper();
      await project.run(sumPipeline, { observer });
      assert.deepEqual(observer.warnings, [keyOfProject]);
    } finally {
      chooseUserFolder(before);
    }
  }));

Deno.test("a file system without locks is named once, and holds nothing up", () =>
  withProject(async (project) => {
    const observer = warningKeeper();
    const { tryLockSync } = Deno.FsFile.prototype;
    Deno.FsFile.prototype.tryLockSync = () => {
      throw new Error("No locks available (os error 37)");
    };
    try {
      assert.equal((await project.run(walkPipeline, { observer })).exitCode, 0);
      const warnings = observer.warnings.filter((one) => !/declares/.test(one));
      assert.equal(warnings.length, 1);
      assert.match(warnings[0], /carries no locks/);
    } finally {
      Deno.FsFile.prototype.tryLockSync = tryLockSync;
    }
  }));

Deno.test("a changed file that a parameter names runs its stage again, wherever the project is", () =>
  withProject(async (project) => {
    const toml =
      `format = 1\nname = "files"\n[stages.read]\nkind = "reads_file"\npath = "data.txt"\n`;
    project.write("data.txt", "abc");
    assert.deepEqual(states((await project.run(toml)).stages), { read: "done" });
    const [{ fingerprint }] = await project.plan(toml);
    project.write("data.txt", "abcd");
    const [changed] = await project.plan(toml);
    assert.deepEqual([changed.state, changed.reason], ["run", 'file "path" changed']);
    await withProject(async (elsewhere) => {
      elsewhere.write("data.txt", "abc");
      assert.equal((await elsewhere.plan(toml))[0].fingerprint, fingerprint);
    });
  }));

Deno.test("a seed matters to random stages only, a checkpoint's period to none", () =>
  withProject(async (project) => {
    await project.run(walkPipeline);
    const sets = ["stages.train.checkpoint_every=9", "stages.train.retries=3", "seed=8"];
    const [calm, random] = [sets.slice(0, 2), sets];
    assert.ok((await project.plan(walkPipeline, calm)).every(({ state }) => state === "cached"));
    const plan = await project.plan(walkPipeline, random);
    assert.deepEqual(plan.map(({ state }) => state), ["cached", "run", "blocked"]);
    assert.equal(plan[1].reason, "seed 7 -> 8");
    const [, inner] = await project.plan(walkPipeline, ["stages.train.stages.move.milliseconds=1"]);
    assert.match(inner.reason, /^move.milliseconds \(absent\) -> 1 /);
  }));
