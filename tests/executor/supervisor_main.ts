/** A supervisor for the orphan test: two of the given workers on endless programs, ids on stdout. */
import { WorkerPool } from "../../src/executor/pool.ts";
import { defaultWorkerLimits } from "../../src/executor/worker_process.ts";
import { defaultSchedule } from "../../src/engine/score/execution/execution.ts";
import { makeDataset } from "../../src/base/dataset.ts";

const pool = new WorkerPool({
  ...{ dataset: makeDataset("none", []), schedule: defaultSchedule, workers: 2 },
  ...{ limits: { ...defaultWorkerLimits, wallMs: 600_000 }, workerFile: Deno.args[0] },
});
await pool.warm();
console.log(JSON.stringify(pool.pids));
await Promise.all([pool.execute({ program: "spin" }), pool.execute({ program: "spin" })]);
