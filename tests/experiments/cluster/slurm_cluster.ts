/** A sweep on two nodes of SLURM: the same table as on one machine, also after scancel. */
import assert from "node:assert/strict";
import { withProject } from "../../cli/command_line.ts";
import { measuredBy, rate, statesOf, writeSmallGrid } from "../sweep_project.ts";
import { sluiceOnNodes } from "./calls.ts";
import { startSlurm } from "./slurm.ts";

const sweep = ["sweep", "p.toml", "--set", `${rate}=0.01,0.03`, "--set", "seed=0..2"];

Deno.test("a sweep that is submitted, cancelled and submitted again has the bits of one machine", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "sluice-slurm-" });
  const slurm = await startSlurm(folder, 1);
  try {
    await withProject([], async (project) => {
      writeSmallGrid(project, 40);
      project.write(
        "cluster.toml",
        `workers = 2\ncpus = 2\nsluice = ${JSON.stringify(sluiceOnNodes)}\n`,
      );
      assert.equal((await project.sluice(...sweep)).code, 0);
      const submit = () =>
        project.sluiceWith(
          slurm.env,
          ...["submit", "sweep", "small_grid-1", "--slurm", "cluster.toml", "--go"],
        );
      const first = await submit();
      assert.deepEqual(
        [first.code, /^submitted as job \d+\n$/.test(first.out)],
        [0, true],
        first.err,
      );
      const job = /\d+/.exec(first.out)![0];
      const done = () =>
        statesOf(project, "small_grid-1").filter((state) => state === "done").length;
      while (done() === 0) await new Promise((resolve) => setTimeout(resolve, 200));
      slurm.run("scancel", job);
      await slurm.idle();
      assert.ok(done() < 6, "it was cancelled on the way");
      const second = await submit();
      const third = await submit(); // more workers than there is work for
      assert.deepEqual([second.code, third.code], [0, 0]);
      await slurm.idle();
      assert.deepEqual(statesOf(project, "small_grid-1"), Array(6).fill("done"));
      const twice = await project.sluice(
        ...["query", "--format", "json"],
        `select fingerprint from stage_run where status = 'done' and not cached
         group by all having count(*) > 1`,
      );
      assert.deepEqual(JSON.parse(twice.out), [], "no stage was computed twice");
      const bits = await measuredBy(project, "small_grid-1");
      await withProject([], async (other) => {
        writeSmallGrid(other, 40);
        await other.sluice(...sweep);
        await other.sluice("sweep", "work", "small_grid-1", "--workers", "2");
        assert.deepEqual(await measuredBy(other, "small_grid-1"), bits);
      });
      project.write("cluster.toml", `${project.read("cluster.toml")}partition = "none"\n`);
      const wrong = await submit();
      assert.deepEqual([wrong.code, /sbatch refused.*invalid partition/i.test(wrong.err)], [
        1,
        true,
      ], wrong.err);
    });
  } finally {
    slurm.stop();
  }
});
