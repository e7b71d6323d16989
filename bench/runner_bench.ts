/** Bench of the runner: rows into a run, points into trackers, and the plan of many stages; CPU seconds. */
import { join } from "node:path";
import process from "node:process";
import { exportTensorboard } from "../src/experiments/trackers/export.ts";
import { exportMlflow } from "../src/experiments/trackers/mlflow.ts";
import type { TrackedSeries } from "../src/experiments/trackers/series.ts";
import { ulid } from "../src/pipeline/basics/mod.ts";
import { RunStore } from "../src/pipeline/store/run_store.ts";

const home = new URL("..", import.meta.url).pathname;

/**
 * `deno task bench runner`: CPU seconds of this process, those of DuckDB's threads among them, for
 * 300,000 trajectories of twelve tokens into a run's segments and database, 10^6 points into event
 * files of TensorBoard and 10^4 into a file store of MLflow, and of a process that plans 1,000 stages.
 */
export async function benchRunner(): Promise<void> {
  const root = await Deno.makeTempDir({ prefix: "sluice-runner-" });
  try {
    await figure("300,000 trajectories into a run", () => rows(root, 300_000));
    await figure("1,000,000 points to TensorBoard", () => exportTo(root, "tensorboard", 1_000_000));
    await figure("10,000 points to MLflow", () => exportTo(root, "mlflow", 10_000));
    await figure("the plan of 1,000 stages", () => plan(root, 1000));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

async function figure(what: string, work: () => Promise<number | void>): Promise<void> {
  const [before, began] = [process.cpuUsage(), performance.now()];
  const own = await work();
  const { user, system } = process.cpuUsage(before);
  const seconds = own ?? (user + system) / 1e6;
  const wall = (performance.now() - began) / 1000;
  console.log(`${what}: ${seconds.toFixed(2)} CPU s, ${wall.toFixed(2)} s`);
}

/** Rows as a loop appends them: 320 a step. */
async function rows(root: string, count: number): Promise<void> {
  const store = await RunStore.create(root, ulid());
  const tokens = Int32Array.from({ length: 12 }, (_, i) => i);
  const each = 320;
  for (let step = 1; step * each <= count; step++) {
    const some = Array.from({ length: each }, (_, idx) => ({
      ...{ idx, tokens, replayed: false, log_pf: -idx / 7, log_pb: 0, log_reward: -step / 3 },
      program: `y ~ a + ${idx % 50}`,
    }));
    store.append("trajectory", some, { stage: "train.sample", step });
    if (step % 20 === 0) await store.flush();
  }
  await store.close();
}

// deno-lint-ignore require-await
async function exportTo(root: string, to: "tensorboard" | "mlflow", count: number): Promise<void> {
  const tags = 10;
  const steps = Array.from({ length: count / tags }, (_, i) => i + 1);
  const points = Array.from({ length: tags }, (_, tag): TrackedSeries => ({
    ...{ run: "R", instance: "", tag: `train/measure_${tag}`, steps },
    values: steps.map((step) => (tags * step + tag) / 3),
    walls: steps.map((step) => 1_700_000_000 + step / 100),
  }));
  const name = () => "run";
  if (to === "tensorboard") exportTensorboard(join(root, "tb"), points, name);
  else exportMlflow(join(root, "mlflow"), points, name, new Map());
}

/** Of a process of its own, with its start. */
async function plan(root: string, stages: number): Promise<number> {
  const column = '{ role = "response", type = "real", resolution = 1 }';
  const tables = Array.from({ length: stages }, (_, i) => {
    Deno.writeTextFileSync(join(root, `d${i}.csv`), `y\n${i}\n${i + 1}\n`);
    return `[stages.s${i}]\nkind = "dataset"\npath = "d${i}.csv"\ncolumns = { y = ${column} }\n`;
  });
  Deno.writeTextFileSync(join(root, "p.toml"), `format = 1\nname = "p"\n${tables.join("")}`);
  Deno.writeTextFileSync(join(root, "deno.json"), "{}");
  const config = ["--config", join(home, "deno.json"), join(home, "src/cli/main.ts")];
  const command = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", ...config, "plan", "p.toml"],
    cwd: root,
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const { code, stderr } = await command.output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  return childSeconds();
}

/** CPU seconds of children that have ended (proc_pid_stat(5), fields 16 and 17). */
function childSeconds(): number {
  const stat = Deno.readTextFileSync("/proc/self/stat");
  const [, ...fields] = stat.slice(stat.lastIndexOf(")")).split(" ");
  return (Number(fields[13]) + Number(fields[14])) / 100;
}
