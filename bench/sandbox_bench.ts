/** The cost of the sandbox: starts, kills, single-use workers, and what waiting for one comes to. */
import { datasetToJson, makeDataset } from "../src/base/dataset.ts";
import { chooseLauncher } from "../src/sandbox/choose_launcher.ts";
import { kernelLauncher } from "../src/sandbox/kernel_launcher.ts";
import type { Launcher } from "../src/sandbox/launcher.ts";
import { denoLauncher } from "../src/sandbox/launcher.ts";
import { WorkerPool } from "../src/executor/pool.ts";
import { requireHost } from "../src/sandbox/run_python.ts";
import { workerPath } from "../src/executor/engine_file.ts";
import { defaultWorkerLimits, WorkerProcess } from "../src/executor/worker_process.ts";
import { defaultSchedule } from "../src/engine/score/execution/execution.ts";

const dataset = makeDataset("none", []);
const schedule = defaultSchedule;
const setup = { kind: "setup", dataset: datasetToJson(dataset), schedule, cpuMs: 60_000 } as const;

/** `sandbox [repeats]`: 20 by default. */
export async function benchSandbox([repeats = "20"]: readonly string[]) {
  for (const launcher of await launchers()) await startsAndKills(launcher, Number(repeats));
  const { launcher } = await chooseLauncher("L1", workerPath());
  await singleUse(launcher, 5 * Number(repeats));
  await paced(launcher, 3 * Number(repeats));
}

async function launchers(): Promise<Launcher[]> {
  const host = await requireHost();
  const found = await Promise.all((["L2", "L3"] as const).map(async (level) => {
    const found = await kernelLauncher(level, host, workerPath());
    return "launcher" in found ? [found.launcher] : [];
  }));
  return [denoLauncher, ...found.flat()];
}

/** From the decision to start a worker until it is attested and set up; from SIGKILL to its end. */
async function startsAndKills(launcher: Launcher, repeats: number) {
  const [starts, kills]: [number[], number[]] = [[], []];
  for (let i = 0; i < repeats; i++) {
    const begun = performance.now();
    const worker = await WorkerProcess.start(launcher, workerPath(), setup);
    const up = performance.now();
    await worker.kill();
    starts.push(up - begun);
    kills.push(performance.now() - up);
  }
  console.log(`${launcher.level}: start ${spread(starts)}, kill ${spread(kills)}`);
}

/** Programs that are refused at once, each in a process of its own, as fast as they come. */
async function singleUse(launcher: Launcher, programs: number) {
  const pool = openPool(launcher);
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: programs }, (_, i) => pool.execute({ program: `refused ${i}` })),
  );
  const seconds = (performance.now() - begun) / 1000;
  await pool.close();
  console.log(`${launcher.level}: ${(programs / seconds).toFixed(0)} single-use workers a second`);
}

/** Twenty programs a second: how much longer than its own time each takes. */
async function paced(launcher: Launcher, programs: number) {
  const pool = openPool(launcher);
  await pool.warm();
  const waits = await Promise.all(Array.from({ length: programs }, async (_, i) => {
    await new Promise((resolve) => setTimeout(resolve, 50 * i));
    const begun = performance.now();
    const { wallMs } = await pool.execute({ program: `refused ${i}` });
    return performance.now() - begun - wallMs;
  }));
  await pool.close();
  console.log(`${launcher.level}: wait at 20 programs a second ${spread(waits)}`);
}

function openPool(launcher: Launcher): WorkerPool {
  const limits = defaultWorkerLimits;
  return new WorkerPool({ dataset, schedule, launcher, limits, programsPerWorker: 1 });
}

function spread(values: number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))].toFixed(1);
  return `${at(0.5)} ms (least ${at(0)}, nine in ten ${at(0.9)})`;
}
