/** Faults of a cluster: whatever dies, no point is lost, none is done twice, and bits are those of one machine. */
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "../../cli/command_line.ts";
import { measuredBy, pointsOf, rate, writeSmallGrid } from "../sweep_project.ts";
import { sluiceOnNodes } from "./calls.ts";
import { type Slurm, startSlurm } from "./slurm.ts";

const id = "small_grid-1";
const sweep = ["sweep", "p.toml", "--set", `${rate}=0.01,0.03`, "--set", "seed=0..1"];

/** A sweep of four points, each a training of some seconds. */
async function withSweep(use: (project: CommandLine) => Promise<void>): Promise<void> {
  await withProject([], async (project) => {
    writeSmallGrid(project, 1000, 50);
    const { code, err } = await project.sluice(...sweep);
    assert.equal(code, 0, err);
    await use(project);
  });
}

function writeCluster(project: CommandLine, lines = ""): void {
  const sluice = `sluice = ${JSON.stringify(sluiceOnNodes)}\n`;
  project.write("cluster.toml", `workers = 2\ncpus = 2\n${sluice}${lines}`);
}

const submission = ["submit", "sweep", id, "--slurm", "cluster.toml", "--go"];

/** Submits, and gives the number of the job. */
async function submit({ env }: Slurm, project: CommandLine): Promise<string> {
  const { code, out, err } = await project.sluiceWith(env, ...submission);
  assert.equal(code, 0, err);
  return /job (\d+)/.exec(out)![1];
}

async function statesOf(project: CommandLine): Promise<string[]> {
  return (await pointsOf(project, id)).map(({ state }) => state);
}

async function untilOne(project: CommandLine, state: string): Promise<void> {
  while (!(await statesOf(project)).includes(state)) await pause(100);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Every point is there, in a run of its own, no stage was computed twice, and bits are as undisturbed. */
async function requireWhole(project: CommandLine, bits: unknown): Promise<void> {
  const points = await pointsOf(project, id);
  assert.deepEqual(points.map(({ state }) => state), Array(4).fill("done"));
  assert.equal(new Set(points.map(({ run }) => run)).size, 4);
  const sql = `select fingerprint from stage_run where status = 'done' and not cached
    group by all having count(*) > 1`;
  const twice = await project.sluice("query", "--format", "json", sql);
  assert.deepEqual(JSON.parse(twice.out), [], "no stage was computed twice");
  assert.deepEqual(await measuredBy(project, id), bits);
}

Deno.test("faults of a cluster lose no point and do none twice", async (test) => {
  let bits: unknown;
  await withSweep(async (project) => {
    await project.sluice("sweep", "work", id, "--workers", "2");
    bits = await measuredBy(project, id);
  });
  const slurm = await startSlurm(Deno.makeTempDirSync({ prefix: "sluice-slurm-" }));
  const step = (
    name: string,
    disturb: (project: CommandLine) => Promise<void>,
  ) =>
    test.step(name, () =>
      withSweep(async (project) => {
        writeCluster(project);
        await disturb(project);
        await slurm.idle();
        await requireWhole(project, bits);
      }));
  try {
    await step("a node that dies", async (project) => {
      await submit(slurm, project);
      await untilOne(project, "running");
      slurm.kill("n1");
      while (!/down/.test(slurm.run("sinfo", "-h", "-N", "-o", "%N %T"))) await pause(300);
      slurm.start("n1");
    });
    await step("scontrol requeue", async (project) => {
      const job = await submit(slurm, project);
      await untilOne(project, "running");
      slurm.run("scontrol", "requeue", `${job}_0`);
    });
    await step("too little memory, then enough", async (project) => {
      writeCluster(project, 'memory = "60M"\n');
      const job = await submit(slurm, project);
      await slurm.idle();
      const said = slurm.run("scontrol", "show", "job", job);
      assert.match(said, /JobState=(FAILED|OUT_OF_MEMORY|CANCELLED)/);
      assert.ok(!(await statesOf(project)).includes("failed"), "no point is blamed");
      writeCluster(project);
      await submit(slurm, project);
    });
    await step("submit that is killed at 20 moments", async (project) => {
      for (let moment = 0; moment < 20; moment++) {
        const child = project.start(submission, { env: slurm.env, detached: true });
        await pause(60 * moment);
        try {
          Deno.kill(-child.pid, "SIGKILL");
        } catch {
          // It had ended.
        }
        await child.output();
      }
      await submit(slurm, project);
    });
    await step("a controller that is away for 60 s", async (project) => {
      await submit(slurm, project);
      await untilOne(project, "running");
      slurm.stop("slurmctld");
      await pause(60_000);
      slurm.start("slurmctld");
    });
    await step("a time limit", async (project) => {
      const once =
        "[ -e .sluice/$SLURM_ARRAY_TASK_ID ] || { touch .sluice/$SLURM_ARRAY_TASK_ID; sleep 50; }";
      const lines = `time = "1"\nwarning_seconds = 1\nsetup = [${JSON.stringify(once)}]\n`;
      writeCluster(project, lines);
      const job = await submit(slurm, project);
      await slurm.idle();
      assert.match(slurm.run("scontrol", "show", "job", job), /Restarts=[1-9]/);
    });
    await step("no accounting", async (project) => {
      assert.throws(() => slurm.run("sacct"), /accounting storage is disabled/i);
      await submit(slurm, project);
    });
  } finally {
    slurm.stop();
  }
});
