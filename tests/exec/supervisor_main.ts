/** A supervisor for the orphan test: two of the given workers on endless programs, ids on stdout. */
import { WorkerPool } from "../../src/exec/pool.ts";
import { defaultWorkerLimits } from "../../src/exec/worker_process.ts";
import { defaultSchedule } from "../../src/score/execution.ts";
import { makeDataset } from "../../src/base/dataset.ts";

const pool = new WorkerPool({
  ...{ dataset: makeDataset("none", []), schedule: defaultSchedule, workers: 2 },
  ...{ limits: { ...defaultWorkerLimits, wallMs: 600_000 }, workerFile: Deno.args[0] },
});
await pool.warm();
console.log(JSON.stringify(pool.pids));
await Promise.all([pool.execute({ program: "spin" }), pool.execute({ program: "spin" })]);
