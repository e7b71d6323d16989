/** Shared by the tests of exec: the toy worker, a data set, and short limits. */
import { fileURLToPath } from "node:url";
import { makeDataset } from "../../src/base/dataset.ts";
import { defaultWorkerLimits } from "../../src/exec/worker_process.ts";
import { defaultSchedule } from "../../src/score/execution.ts";

export const fakeWorker = fileURLToPath(new URL("./fake_worker.ts", import.meta.url));

export const dataset = makeDataset("toy", [
  { name: "y", role: "response", type: "real", values: Float64Array.of(1, 2), resolution: 0.1 },
]);

export const schedule = defaultSchedule;

export const limits = { ...defaultWorkerLimits, wallMs: 1500 };

export const poolOptions = { dataset, schedule, limits, workerFile: fakeWorker, workers: 2 };
