/** A sweep run by Snakemake. Needs SNAKEMAKE, its path; `pip install snakemake` has one. */
import assert from "node:assert/strict";
import { withProject } from "../../cli/command_line.ts";
import { pointsOf, rate, writeSmallGrid } from "../sweep_project.ts";
import { sluiceOnNodes } from "./calls.ts";

Deno.test("snakemake runs each point once, and nothing the second time", async () => {
  await withProject([], async (project) => {
    writeSmallGrid(project, 8);
    project.write("cluster.toml", `sluice = ${JSON.stringify(sluiceOnNodes)}\ncpus = 1\n`);
    await project.sluice("sweep", "p.toml", "--set", `${rate}=0.01,0.03`, "--set", "seed=0,1");
    const made = await project.sluice(
      ...["export", "sweep", "small_grid-1", "--to", "snakemake"],
      ...["--slurm", "cluster.toml", "--out", "Snakefile"],
    );
    assert.equal(made.code, 0, made.err);
    const snakemake = () => {
      const { code, stderr } = new Deno.Command(Deno.env.get("SNAKEMAKE") ?? "snakemake", {
        args: ["--cores", "2"],
        cwd: project.root,
        env: { NO_COLOR: "1", XDG_CONFIG_HOME: project.path(".config") },
      }).outputSync();
      return { code, err: new TextDecoder().decode(stderr) };
    };
    const first = snakemake();
    assert.equal(first.code, 0, first.err);
    const points = await pointsOf(project, "small_grid-1");
    assert.deepEqual(points.map(({ state }) => state), Array(4).fill("done"));
    assert.match(snakemake().err, /Nothing to be done/);
    assert.equal(project.list("runs").length, 4);
  });
});
