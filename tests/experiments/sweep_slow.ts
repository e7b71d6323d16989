/** Sweeps from end to end: made, worked on, killed, grown, read in SQL, reported. */
import assert from "node:assert/strict";
import { withProject } from "../cli/command_line.ts";
import { LiveRun } from "../reproducibility/live_run.ts";
import { measuredBy, pointsOf, rate, writeSmallGrid } from "./sweep_project.ts";

const sweep = ["sweep", "p.toml", "--set", `${rate}=0.01,0.03`];

/** So many that two workers are at it for seconds, longer than it takes to kill them. */
const steps = 80;

Deno.test("a sweep that is killed twice and grown runs each point once, with the bits of one undisturbed", async () => {
  await withProject([], async (project) => {
    writeSmallGrid(project, steps);
    const made = await project.sluice(...sweep, "--set", "seed=0..1", "--json");
    assert.deepEqual([made.code, made.out], [0, '{"sweep":"small_grid-1","points":4}\n'], made.err);
    for (let kill = 0; kill < 2; kill++) {
      const live = new LiveRun(project, ["sweep", "work", "small_grid-1", "--workers", "2"]);
      assert.ok(await live.untilSaid("#"));
      await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 900));
      await live.kill();
    }
    const states = (await pointsOf(project, "small_grid-1")).map(({ state }) => state);
    assert.ok(states.every((one) => ["waiting", "lost", "done"].includes(one)), states.join());
    const grown = await project.sluice(...sweep, "--set", "seed=0..2", "--into", "small_grid-1");
    assert.equal(grown.code, 0, grown.err);
    const works = await Promise.all(
      [1, 2].map(() => project.sluice("sweep", "work", "small_grid-1", "--workers", "2", "--wait")),
    );
    assert.deepEqual(works.map(({ code }) => code), [0, 0], works.map(({ err }) => err).join());
    const points = await pointsOf(project, "small_grid-1");
    assert.deepEqual(points.map(({ state }) => state), Array(6).fill("done"));
    assert.equal(new Set(points.map(({ run }) => run)).size, 6, "a run of its own for each point");
    const twice = await project.sluice(
      ...["query", "--format", "json"],
      `select stage, fingerprint, count(*) as n from stage_run
       where status = 'done' and not cached group by all having count(*) > 1`,
    );
    assert.deepEqual(JSON.parse(twice.out), [], "no stage was computed twice");
    const bits = await measuredBy(project, "small_grid-1");
    assert.ok(bits.length >= 6 * steps);
    await withProject([], async (other) => {
      writeSmallGrid(other, steps);
      await other.sluice(...sweep, "--set", "seed=0..2");
      const { code, err } = await other.sluice("sweep", "work", "small_grid-1", "--workers", "2");
      assert.equal(code, 0, err);
      assert.deepEqual(await measuredBy(other, "small_grid-1"), bits);
    });
  });
});

Deno.test("points are frozen, a failed one is told with its log, and bad input is refused", async (test) => {
  await withProject([], async (project) => {
    writeSmallGrid(project);
    const refused = async (args: readonly string[], message: RegExp, status = 2) => {
      const { code, err } = await project.sluice(...args);
      assert.equal(code, status, err);
      assert.match(err, message);
    };
    await test.step("nothing is swept, set twice, mistyped, or too much", async () => {
      await refused(["sweep", "p.toml"], /nothing has two values\n {2}mend: give --set/);
      await refused([...sweep, "--set", `${rate}=1`], /both set it/);
      await refused(["sweep", "p.toml", "--set", "stages.train.stepz=1,2"], /stepz[\s\S]*"steps"/);
      await refused(["sweep", "p.toml", "--set", `${rate}=0.1,-1`], /learning_rate/);
      await refused(
        ["sweep", "p.toml", "--set", `${rate}=-1,0.1,-2`, "--set", "stages.train.steps=0,8"],
        /learning_rate is -1[^]*learning_rate is -2[^]*steps is 0[^]*3 errors/,
      );
      await refused(
        ["sweep", "p.toml", "--set", "seed=0..9999", "--set", `${rate}=0.1,0.2`],
        /Cannot make 20,000 points unasked\n {2}mend: say --yes/,
      );
      await refused(["sweep", "status", "p-1"], /There is no sweep "p-1"/);
      assert.ok(!project.list().includes("sweeps"), "nothing was written");
    });
    await test.step("a table of the pipeline, which a run passes over", async () => {
      const table = `[sweep]\nseeds = 2\n[sweep.grid]\n"${rate}" = [0.01, 0.02]\n`;
      project.write("p.toml", `${project.read("p.toml")}\n${table}`);
      const { out } = await project.sluice("sweep", "p.toml", "--json");
      assert.deepEqual(JSON.parse(out), { sweep: "small_grid-1", points: 4 });
      await refused(
        ["sweep", "p.toml", "--set", "seed=5,6"],
        /Cannot sweep seed: "\[sweep\] seed"/,
      );
      assert.equal((await project.sluice("check", "p.toml")).code, 0);
    });
    await test.step("later changes of the file reach no point", async () => {
      project.edit("p.toml", "steps = 8", "steps = 99999999");
      await refused(["sweep", "p.toml", "--into", "small_grid-1"], /p\.toml is not what it was/);
      const { code, err } = await project.sluice("sweep", "work", "small_grid-1", "--workers", "2");
      assert.equal(code, 0, err);
      assert.match(err, /sweep small_grid-1: 4 points done\n/);
    });
    await test.step("SQL, report and diff", async () => {
      const sql = "select count(distinct point) as n from sweep_point where state = 'done'";
      const { out } = await project.sluice("query", "--format", "json", sql);
      assert.deepEqual(JSON.parse(out), [{ n: 4 }]);
      const report = await project.sluice("sweep", "report", "small_grid-1", "--measure", "tv");
      assert.match(report.out, /^# Sweep small_grid-1\n\n4 points of `p\.toml`: 4 done/);
      assert.match(report.out, /\| learn\.learning_rate=0\.02 +\| 2 +\|/);
      const json = await project.sluice("sweep", "report", "small_grid-1", "--format", "json");
      assert.equal(JSON.parse(json.out).settings.length, 2);
      const [a, b] = (await pointsOf(project, "small_grid-1")).map(({ run }) => run!);
      const diff = await project.sluice("diff", a, b, "--measure", "tv");
      assert.match(diff.out, /\| seed +\| 0 +\| 1 +\| --set:\d+ +\|/);
      await refused(
        ["sweep", "report", "small_grid-1", "--against", "zzz"],
        /no setting begins so\n {2}mend: settings: learn\.learning_rate=0\.01/,
      );
    });
    await test.step("a point that fails", async () => {
      project.edit("p.toml", "steps = 99999999", "steps = 8");
      project.write(
        "break.ts",
        `import { defineStage, z } from "sluice";
export default defineStage({ kind: "breaks", version: 1, description: "Fails at 2.",
  params: z.strictObject({ n: z.int() }), inputs: {}, outputs: {},
  run(_c, _i, { n }) { if (n === 2) throw new Error("two is too much"); return Promise.resolve({}); },
});`,
      );
      project.write("b.toml", `format = 1\n[stages.a]\nkind = "./break.ts"\nn = 1\n`);
      await project.sluice("sweep", "b.toml", "--set", "stages.a.n=1,2,3");
      const work = await project.sluice("sweep", "work", "b-1");
      assert.equal(work.code, 1);
      assert.match(work.err, /✗ #1 .*two is too much\n +log: runs\/[^\n]*a-1\.log/);
      const { out } = await project.sluice("sweep", "status", "b-1");
      assert.match(out, /^sweep b-1: 3 points, 2 done, 1 failed\n {2}#1 {2}failed/);
      const again = await project.sluice("sweep", "work", "b-1");
      assert.deepEqual([again.code, /0 points done/.test(again.err)], [0, true], again.err);
      const retried = await project.sluice("sweep", "work", "b-1", "--retry");
      assert.equal(retried.code, 1, "tried once more, and no more");
    });
  });
});
