/**
 * A sweep that Snakemake's executor plug-in sends to SLURM. Needs SNAKEMAKE, the path of one with
 * `snakemake-executor-plugin-slurm`, and Debian's SLURM.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { withProject } from "../../cli/command_line.ts";
import { pointsOf, rate, writeSmallGrid } from "../sweep_project.ts";
import { sluiceOnNodes } from "./calls.ts";
import { type Slurm, startSlurm } from "./slurm.ts";

/** A folder of SLURM's commands that know the cluster: the plug-in takes SLURM's variables away. */
function commandsOf({ env }: Slurm, folder: string): string {
  const bin = join(folder, "bin");
  Deno.mkdirSync(bin);
  const known = Object.entries(env).map(([name, value]) => `${name}='${value}'`).join(" ");
  for (const name of ["sbatch", "srun", "squeue", "scancel", "scontrol", "sinfo"]) {
    const script = `#!/bin/sh\n${known} exec /usr/bin/${name} "$@"\n`;
    Deno.writeTextFileSync(join(bin, name), script, { mode: 0o755 });
  }
  return bin;
}

Deno.test("snakemake --executor slurm runs each point once, on two nodes", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "sluice-slurm-" });
  const slurm = await startSlurm(folder);
  try {
    await withProject([], async (project) => {
      writeSmallGrid(project, 8);
      project.write("cluster.toml", `sluice = ${JSON.stringify(sluiceOnNodes)}\ncpus = 1\n`);
      await project.sluice("sweep", "p.toml", "--set", `${rate}=0.01,0.03`, "--set", "seed=0,1");
      const made = await project.sluice(
        ...["export", "sweep", "small_grid-1", "--to", "snakemake"],
        ...["--slurm", "cluster.toml", "--out", "Snakefile"],
      );
      assert.equal(made.code, 0, made.err);
      const { code, stderr } = await new Deno.Command(Deno.env.get("SNAKEMAKE") ?? "snakemake", {
        args: [
          ...["--executor", "slurm", "--jobs", "4", "--default-resources", "slurm_partition=debug"],
          ...["runtime=5", "mem_mb=400", "--slurm-no-account", "--slurm-status-command", "squeue"],
          ...["--slurm-init-seconds-before-status-checks", "2", "--latency-wait", "5"],
        ],
        cwd: project.root,
        env: {
          ...slurm.env,
          PATH: `${commandsOf(slurm, folder)}:${Deno.env.get("PATH")}`,
          NO_COLOR: "1",
          XDG_CONFIG_HOME: project.path(".config"),
        },
      }).output();
      const err = new TextDecoder().decode(stderr);
      assert.equal(code, 0, err);
      assert.match(err, /SLURM jobid/i);
      const points = await pointsOf(project, "small_grid-1");
      assert.deepEqual(points.map(({ state }) => state), Array(4).fill("done"));
      assert.equal(project.list("runs").length, 4);
    });
  } finally {
    slurm.stop();
  }
});
