/** Starts one sandbox worker and reports what it proved of its confinement. */
import { datasetToJson, makeDataset } from "../base/dataset.ts";
import { defaultSchedule } from "../score/execution.ts";
import { denoLauncher, type SandboxLevel } from "./launcher.ts";
import { probeNames } from "./messages.ts";
import { workerPath } from "./worker_file.ts";
import { WorkerProcess } from "./worker_process.ts";

/** The level that was reached, and everything that was found to be denied. */
export interface WorkerProbe {
  readonly level: SandboxLevel;
  readonly probes: readonly string[];
}

/** @throws MissingPartError if a worker cannot be started, or is not confined. */
export async function probeWorker(): Promise<WorkerProbe> {
  const dataset = datasetToJson(makeDataset("none", []));
  const setup = { kind: "setup", dataset, schedule: defaultSchedule, cpuMs: 1 } as const;
  const worker = await WorkerProcess.start(denoLauncher, workerPath(), setup);
  await worker.kill();
  return { level: denoLauncher.level, probes: [...probeNames] };
}
