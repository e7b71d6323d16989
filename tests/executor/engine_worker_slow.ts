/** Tests of the bundled engine in its sandbox: the same bits as in this process, and failures. */
import assert from "node:assert/strict";
import { makeDataset } from "../../src/base/dataset.ts";
import { decodeExecution, encodeExecution } from "../../src/executor/execution_json.ts";
import type { Launcher } from "../../src/sandbox/launcher.ts";
import { workerFlags } from "../../src/sandbox/launcher.ts";
import { denoCommand } from "../../src/base/deno_command.ts";
import { WorkerPool } from "../../src/executor/pool.ts";
import { workerLoader } from "../../src/sandbox/worker_loader.ts";
import type { Execution } from "../../src/engine/score/execution/execution.ts";
import { defaultSchedule } from "../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../src/engine/score/score.ts";

const values = Float64Array.of(1.2, 0.7, 1.9, 1.1, 0.4, 1.6);
const dataset = makeDataset("six", [{ name: "y", role: "response", type: "real", values }]);
const schedule = defaultSchedule;

const program = (sigma: string): string =>
  `import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("mu", 0, 2)
    pm.Normal("y", mu=mu, sigma=${sigma}, observed=data["y"])
`;

/** As JSON carries it: keys that are undefined are left out. */
const plain = (execution: Execution): Execution => decodeExecution(encodeExecution(execution))!;

Deno.test("the sandboxed engine gives the bits that it gives here, good and bad programs", async () => {
  const programs = [program("0.5"), program("1.5"), program("nonsense"), "x ="];
  const pool = new WorkerPool({ dataset, schedule, workers: 2 });
  try {
    const outcomes = await Promise.all(programs.map((text) => pool.execute({ program: text })));
    const here = programs.map((text) => plain(scoreNow(text, dataset, schedule)));
    assert.deepEqual(outcomes.map((outcome) => outcome.execution), here);
    const statuses = here.map((execution) => execution.status);
    assert.deepEqual(statuses, ["ok", "ok", "rejected", "rejected"]);
  } finally {
    await pool.close();
  }
});

Deno.test("the engine starts with Node's vm, too, where Deno lends out no compiler", async () => {
  const launcher: Launcher = {
    level: "L1",
    start: (worker) => ({
      command: denoCommand(["run", ...workerFlags, workerLoader(worker, "undefined")]),
    }),
  };
  const pool = new WorkerPool({ dataset, schedule, workers: 1, launcher });
  const { execution } = await pool.execute({ program: program("0.5") });
  await pool.close();
  assert.deepEqual(execution, plain(scoreNow(program("0.5"), dataset, schedule)));
});
