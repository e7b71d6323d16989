/** Faults of a cluster: if any process dies, no point is lost or done twice, and bits equal one machine's. */
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "../../cli/command_line.ts";
import { measuredBy, pointsOf, rate, statesOf, writeSmallGrid } from "../sweep_project.ts";
import { sluiceOnNodes } from "./calls.ts";
import { type Slurm, startSlurm } from "./slurm.ts";

const id = "small_grid-1";
const sweep = ["sweep", "p.toml", "--set", `${rate}=0.01,0.03`, "--set", "seed=0..1"];

/** A sweep of four points, each a training of some seconds. */
async function withSweep<T>(use: (project: CommandLine) => Promise<T>): Promise<T> {
  let came: T | undefined;
  await withProject([], async (project) => {
    writeSmallGrid(project, 1000, 50);
    const { code, err } = await project.sluice(...sweep);
    assert.equal(code, 0, err);
    came = await use(project);
  });
  return came!;
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

async function untilOne(project: CommandLine, state: string): Promise<void> {
  while (!statesOf(project, id).includes(state)) await pause(100);
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

/** Steps run side by side, as faults wait for clocks: of a dead node, of a limit. */
const sideBySide = { sanitizeOps: false, sanitizeResources: false, sanitizeExit: false };

const name = "faults of a cluster lose no point and do none twice";

Deno.test({ name, ...sideBySide }, async (test) => {
  const bits = withSweep(async (project) => {
    await project.sluice("sweep", "work", id, "--workers", "2");
    return await measuredBy(project, id);
  });
  const slurm = await startSlurm(Deno.makeTempDirSync({ prefix: "sluice-slurm-" }));
  const step = (name: string, disturb: (project: CommandLine) => Promise<void>) => {
    const fn = () =>
      withSweep(async (project) => {
        writeCluster(project);
        await disturb(project);
        await slurm.idle(project.root);
        await requireWhole(project, await bits);
      });
    return test.step({ name, fn, ...sideBySide });
  };
  const aTimeLimit = () =>
    step("a time limit", async (project) => {
      const once =
        "[ -e .sluice/$SLURM_ARRAY_TASK_ID ] || { touch .sluice/$SLURM_ARRAY_TASK_ID; sleep 50; }";
      const lines = `time = "1"\nwarning_seconds = 1\nsetup = [${JSON.stringify(once)}]\n`;
      writeCluster(project, lines);
      const job = await submit(slurm, project);
      await slurm.idle(project.root);
      assert.match(slurm.run("scontrol", "show", "job", job), /Restarts=[1-9]/);
    });
  const aNodeThatDies = () =>
    step("a node that dies", async (project) => {
      const [node] = slurm.nodes.other;
      writeCluster(project, 'partition = "other"\n');
      await submit(slurm, project);
      await untilOne(project, "running");
      slurm.kill(node);
      const state = () => slurm.run("sinfo", "-h", "-N", "-n", node, "-o", "%T");
      while (!/down/.test(state())) await pause(300);
      slurm.start(node);
    });
  const faultsThatDoNotWait = async () => {
    await step("scontrol requeue", async (project) => {
      const job = await submit(slurm, project);
      await untilOne(project, "running");
      slurm.run("scontrol", "requeue", `${job}_0`);
    });
    await step("too little memory, then enough", async (project) => {
      writeCluster(project, 'memory = "60M"\n');
      const job = await submit(slurm, project);
      await slurm.idle(project.root);
      const said = slurm.run("scontrol", "show", "job", job);
      assert.match(said, /JobState=(FAILED|OUT_OF_MEMORY|CANCELLED)/);
      assert.ok(!statesOf(project, id).includes("failed"), "no point is blamed");
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
    await step("no accounting", async (project) => {
      assert.throws(() => slurm.run("sacct"), /accounting storage is disabled/i);
      await submit(slurm, project);
    });
  };
  try {
    await Promise.all([aTimeLimit(), aNodeThatDies(), faultsThatDoNotWait()]);
    await step("a controller that is away for 60 s", async (project) => {
      await submit(slurm, project);
      await untilOne(project, "running");
      slurm.stop("slurmctld");
      await pause(60_000);
      slurm.start("slurmctld");
    });
  } finally {
    slurm.stop();
  }
});
