/**
 * The experiment of a week: four objectives and five seeds over two pipelines, killed twice at random,
 * then grown by two seeds; on one machine, on two nodes of SLURM, and by Snakemake. Each point is run
 * once, a stage that points or pipelines share is computed once, bits and reports are those of a
 * machine that nothing disturbed. Needs SNAKEMAKE, its path, and Debian's SLURM.
 */
import assert from "node:assert/strict";
import { type CommandLine, withProject } from "../../cli/command_line.ts";
import { processesOf } from "../../reproducibility/live_run.ts";
import { measuredBy, statesOf, writeSmallGrid } from "../sweep_project.ts";
import { sluiceOnNodes } from "./calls.ts";
import { killTogether, startSlurm } from "./slurm.ts";

const sweeps = ["small_grid-1", "wide_grid-1"];
const files = ["p.toml", "wide.toml"];

const objectives = [
  "trajectory_balance",
  "detailed_balance",
  "sub_trajectory_balance",
  "log_partition_variance",
];

const points = (seeds: number) => objectives.length * seeds;

/** A project with two pipelines, which have their environment in common, and a sweep of each. */
async function withSweeps(seeds: number, use: (project: CommandLine) => Promise<void>) {
  await withProject([], async (project) => {
    writeSmallGrid(project, 40, 5);
    const wide = project.read("p.toml").replace("small_grid", "wide_grid");
    project.write("wide.toml", wide.replace("width = 8", "width = 16"));
    const sluice = `sluice = ${JSON.stringify(sluiceOnNodes)}\n`;
    project.write("cluster.toml", `workers = 2\ncpus = 2\n${sluice}`);
    for (const file of files) await sweep(project, file, seeds);
    await use(project);
  });
}

async function sweep(project: CommandLine, file: string, seeds: number, ...flags: string[]) {
  const objective = `stages.train.stages.learn.objective=${objectives.join()}`;
  const sets = ["--set", objective, "--set", `seed=0..${seeds - 1}`];
  await done(project, "sweep", file, ...sets, ...flags);
}

async function done(project: CommandLine, ...args: string[]): Promise<string> {
  const { code, out, err } = await project.sluice(...args);
  assert.equal(code, 0, err);
  return out;
}

async function grow(project: CommandLine): Promise<void> {
  for (const [i, file] of files.entries()) await sweep(project, file, 7, "--into", sweeps[i]);
}

/** Waits until some points more are done, of a number that is drawn each time: below half of a sweep. */
async function atRandom(project: CommandLine): Promise<void> {
  const count = () => sweeps.flatMap((id) => statesOf(project, id)).filter(isDone).length;
  const wanted = count() + 1 + Math.floor(9 * Math.random());
  while (count() < wanted) await pause(50);
  await pause(500 * Math.random()); // in the middle of another
}

const isDone = (state: string) => state === "done";

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Kills all that stands in the folder of a project. */
function killAll(project: CommandLine): void {
  killTogether(processesOf(project).map(({ pid }) => pid));
}

/** Starts a command of the project as a child whose end is waited for. */
function started(project: CommandLine, args: readonly string[]): Promise<unknown> {
  return project.start(args, { detached: true }).output();
}

/** All that a group compares: values by point and step, and the reports. */
async function resultsOf(project: CommandLine): Promise<unknown> {
  const results = [];
  for (const id of sweeps) {
    results.push(await measuredBy(project, id), await done(project, "sweep", "report", id));
  }
  return results;
}

let kept: unknown;

/** Results of a machine that nothing disturbs. */
async function undisturbed(): Promise<unknown> {
  if (kept === undefined) {
    await withSweeps(7, async (project) => {
      for (const id of sweeps) await done(project, "sweep", "work", id, "--workers", "2");
      kept = await resultsOf(project);
    });
  }
  return kept;
}

async function requireWhole(project: CommandLine): Promise<void> {
  for (const id of sweeps) {
    assert.deepEqual(statesOf(project, id), Array(points(7)).fill("done"));
  }
  const sql = `select count(distinct run_id) as runs, count(*) as points from sweep_point
    where path = 'seed'`;
  const counted = JSON.parse(await done(project, "query", "--format", "json", sql));
  assert.deepEqual(counted, [{ runs: 2 * points(7), points: 2 * points(7) }]);
  const twice = `select stage, fingerprint, count(*) as n from stage_run
    where status = 'done' and not cached group by all having count(*) > 1`;
  const computed = await done(project, "query", "--format", "json", twice);
  assert.deepEqual(JSON.parse(computed), [], "no stage was computed twice");
  assert.deepEqual(await resultsOf(project), await undisturbed());
}

Deno.test("a paired sweep of two pipelines on one machine, whose processes are killed twice", async () => {
  await withSweeps(5, async (project) => {
    for (let kill = 0; kill < 2; kill++) {
      const working = sweeps.map((id) => started(project, ["sweep", "work", id]));
      await atRandom(project);
      killAll(project);
      await Promise.all(working);
    }
    assert.ok(sweeps.some((id) => statesOf(project, id).some((state) => state !== "done")));
    await grow(project);
    await Promise.all(sweeps.map((id) => done(project, "sweep", "work", id, "--wait")));
    await requireWhole(project);
  });
});

Deno.test("its table on SLURM, whose nodes die", async () => {
  const slurm = await startSlurm(Deno.makeTempDirSync({ prefix: "sluice-slurm-" }), 2);
  const submit = async (project: CommandLine) => {
    for (const id of sweeps) {
      const args = ["submit", "sweep", id, "--slurm", "cluster.toml", "--go"];
      const { code, err } = await project.sluiceWith(slurm.env, ...args);
      assert.equal(code, 0, err);
    }
  };
  try {
    await withSweeps(5, async (project) => {
      await submit(project);
      for (const node of slurm.nodes.debug) {
        await atRandom(project);
        slurm.kill(node);
        const state = () => slurm.run("sinfo", "-h", "-N", "-n", node, "-o", "%T");
        while (!/down/.test(state())) await pause(300);
        slurm.start(node);
      }
      await grow(project);
      await submit(project);
      await slurm.idle();
      await requireWhole(project);
    });
  } finally {
    slurm.stop();
  }
});

Deno.test("its table by Snakemake, which is killed twice", async () => {
  await withSweeps(5, async (project) => {
    const exported = async () => {
      for (const id of sweeps) {
        const to = ["--to", "snakemake", "--slurm", "cluster.toml", "--out", `${id}.smk`];
        await done(project, "export", "sweep", id, ...to);
      }
    };
    const snakemake = async (...args: string[]) => {
      const { code, stderr } = await new Deno.Command(Deno.env.get("SNAKEMAKE") ?? "snakemake", {
        args: ["--cores", "2", ...args],
        cwd: project.root,
        env: { NO_COLOR: "1", XDG_CONFIG_HOME: project.path(".config") },
      }).output();
      return { code, err: new TextDecoder().decode(stderr) };
    };
    await exported();
    for (let kill = 0; kill < 2; kill++) {
      const working = snakemake("--snakefile", `${sweeps[kill]}.smk`);
      await atRandom(project);
      killAll(project);
      await working;
      await snakemake("--snakefile", `${sweeps[kill]}.smk`, "--unlock");
    }
    await grow(project);
    await exported();
    for (const id of sweeps) {
      const { code, err } = await snakemake("--snakefile", `${id}.smk`, "--rerun-incomplete");
      assert.equal(code, 0, err);
    }
    await requireWhole(project);
  });
});
