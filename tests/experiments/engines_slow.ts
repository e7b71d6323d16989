/** Scripts for engines, run as the engines would, by bash alone: the engines themselves are tried by tasks. */
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "../cli/command_line.ts";
import { sluiceOnNodes } from "./cluster/calls.ts";
import { measuredBy, pointsOf, rate, writeSmallGrid } from "./sweep_project.ts";

/** A folder with `srun`, which starts its words, and `scontrol`, which writes its own down. */
function engineCommands(project: CommandLine): string {
  project.write("bin/srun", '#!/bin/sh\nshift\nexec "$@"\n');
  project.write("bin/scontrol", `#!/bin/sh\necho "$@" >>${project.path("scontrol.said")}\n`);
  for (const name of ["srun", "scontrol"]) Deno.chmodSync(project.path("bin", name), 0o755);
  return `${project.path("bin")}:${Deno.env.get("PATH")}`;
}

/** A task of an array, as slurmd starts it. */
function startTask(
  { root }: CommandLine,
  path: string,
  script: string,
  task: number,
): Deno.ChildProcess {
  return new Deno.Command("bash", {
    args: [script],
    cwd: root,
    env: { PATH: path, SLURM_JOB_ID: `4711${task}`, NO_COLOR: "1" },
    stdout: "null",
    stderr: "null",
  }).spawn();
}

Deno.test("a batch script and a Snakefile give the table of one machine, with a warning on the way", () =>
  withProject([], async (project) => {
    writeSmallGrid(project, 30);
    const sweep = ["sweep", "p.toml", "--set", `${rate}=0.01,0.03`, "--set", "seed=0"];
    await project.sluice(...sweep);
    project.write("cluster.toml", `workers = 2\nsluice = ${JSON.stringify(sluiceOnNodes)}\n`);
    const submit = ["submit", "sweep", "small_grid-1", "--slurm", "cluster.toml"];
    const printed = await project.sluice(...submit);
    assert.equal(printed.code, 0, printed.err);
    const xdg = /^export XDG_CONFIG_HOME=.*$/m;
    project.write(
      "batch.sh",
      printed.out.replace(xdg, `export XDG_CONFIG_HOME=${project.path(".config")}`),
    );
    const path = engineCommands(project);
    const first = startTask(project, path, "batch.sh", 0);
    const isRunning = async () =>
      (await pointsOf(project, "small_grid-1")).some(({ state }) => state === "running");
    while (!await isRunning()) await new Promise((done) => setTimeout(done, 100));
    first.kill("SIGUSR1"); // the limit is near
    await first.status;
    assert.match(project.read("scontrol.said"), /^requeue 47110$/m);
    const points = await pointsOf(project, "small_grid-1");
    assert.ok(points.some(({ state }) => state !== "done"), "it was stopped on the way");
    const file = ["--to", "snakemake", "--slurm", "cluster.toml", "--out", "Snakefile"];
    await project.sluice("export", "sweep", "small_grid-1", ...file);
    const shell = /^ {8}"(.*--points )\{wildcards\.point\}"$/m.exec(project.read("Snakefile"))![1];
    project.write("job.sh", `export XDG_CONFIG_HOME=${project.path(".config")}\n${shell}1\n`);
    const others = [
      startTask(project, path, "batch.sh", 1),
      startTask(project, path, "job.sh", 2),
    ];
    const ended = await Promise.all(others.map(({ status }) => status));
    assert.deepEqual(ended.map(({ code }) => code), [0, 0]);
    const done = await pointsOf(project, "small_grid-1");
    assert.deepEqual(done.map(({ state }) => state), Array(2).fill("done"));
    const twice = await project.sluice(
      ...["query", "--format", "json"],
      `select fingerprint from stage_run where status = 'done' and not cached
       group by all having count(*) > 1`,
    );
    assert.deepEqual(JSON.parse(twice.out), [], "no stage was computed twice");
    const bits = await measuredBy(project, "small_grid-1");
    await withProject([], async (other) => {
      writeSmallGrid(other, 30);
      await other.sluice(...sweep);
      await other.sluice("sweep", "work", "small_grid-1", "--workers", "2");
      assert.deepEqual(await measuredBy(other, "small_grid-1"), bits);
    });
  }));

const answers = [
  ['echo "*** until 3 May ***"; echo 4712', 0, /submitted as job 4712/],
  ['echo "sbatch: error: invalid partition specified: none" >&2; exit 1', 1, /invalid partition/],
  [
    'cat >/dev/null; echo "sbatch: error: time limit is invalid" >&2; exit 1',
    1,
    /time limit is inv/,
  ],
] as const;

Deno.test("the words and status of sbatch count, whether it has read the script or not", () =>
  withProject([], async (project) => {
    writeSmallGrid(project);
    await project.sluice("sweep", "p.toml", "--set", "seed=0,1");
    project.write("cluster.toml", "cpus = 1\n");
    const none = await project.sluice(
      "submit",
      "sweep",
      "small_grid-1",
      "--slurm",
      "cluster.toml",
      "--go",
    );
    assert.equal(none.code, 2, "nodes would find no task of that name here");
    assert.match(none.err, /is no checkout of Sluice\n {2}mend: say in cluster\.toml/);
    project.write("cluster.toml", 'sluice = "true"\n');
    const env = { PATH: `${project.path("bin")}:${Deno.env.get("PATH")}` };
    const submit = ["submit", "sweep", "small_grid-1", "--slurm", "cluster.toml", "--go"];
    for (const [script, status, said] of answers) {
      project.write("bin/sbatch", `#!/bin/sh\n${script}\n`);
      Deno.chmodSync(project.path("bin/sbatch"), 0o755);
      const { code, out, err } = await project.sluiceWith(env, ...submit);
      assert.deepEqual([code, said.test(`${out}${err}`)], [status, true], `${out}${err}`);
    }
  }));
