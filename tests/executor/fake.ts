/** Shared by the tests of exec: the toy worker, a data set, and short limits. */
import { makeDataset } from "../../src/base/dataset.ts";
import { defaultWorkerLimits } from "../../src/executor/worker_process.ts";
import { defaultSchedule } from "../../src/engine/score/execution.ts";
import { bundleEngine } from "../../src/executor/bundle_engine.ts";

/** The toy worker as one script, gone when the test file ends. */
export const fakeWorker = Deno.makeTempFileSync({ suffix: ".js" });
Deno.writeTextFileSync(fakeWorker, await bundleEngine("tests/executor/fake_worker.ts"));
Deno.chmodSync(fakeWorker, 0o644); // a confined worker may be another user
globalThis.addEventListener("unload", () => Deno.removeSync(fakeWorker));

export const dataset = makeDataset("toy", [
  { name: "y", role: "response", type: "real", values: Float64Array.of(1, 2), resolution: 0.1 },
]);

export const schedule = defaultSchedule;

export const limits = { ...defaultWorkerLimits, wallMs: 1500 };

export const poolOptions = { dataset, schedule, limits, workerFile: fakeWorker, workers: 2 };
