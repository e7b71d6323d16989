/** Starts one sandbox worker and reports what it proved of its confinement. */
import { datasetToJson, makeDataset } from "../base/dataset.ts";
import { defaultSchedule } from "../engine/score/execution/mod.ts";
import { chooseLauncher, probesAt } from "../sandbox/mod.ts";
import type { SandboxLevel } from "../base/sandbox_level.ts";
import { probeNames } from "./messages.ts";
import { workerPath } from "./engine_file.ts";
import { WorkerProcess } from "./worker_process.ts";

/** The level that was reached, what was found to be denied, and what a higher level lacks. */
export interface WorkerProbe {
  readonly level: SandboxLevel;
  readonly probes: readonly string[];
  readonly shortfalls: readonly string[];
}

/** @throws MissingPartError if a worker cannot be started, or is not confined. */
export async function probeWorker(): Promise<WorkerProbe> {
  const dataset = datasetToJson(makeDataset("none", []));
  const setup = { kind: "setup", dataset, schedule: defaultSchedule, cpuMs: 1 } as const;
  const { launcher, shortfalls } = await chooseLauncher("L1", workerPath());
  const worker = await WorkerProcess.start(launcher, workerPath(), setup);
  await worker.kill();
  const { level } = launcher;
  const kernel = level === "L2" || level === "L3" ? probesAt(level) : [];
  return { level, probes: [...kernel, ...probeNames], shortfalls };
}
