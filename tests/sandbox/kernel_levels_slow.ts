/** Tests of engine workers at every level that this machine has: the same bits, the same ends. */
import assert from "node:assert/strict";
import { makeDataset } from "../../src/base/dataset.ts";
import { MissingPartError } from "../../src/base/diagnostic.ts";
import { chooseLauncher } from "../../src/sandbox/choose_launcher.ts";
import { Executor } from "../../src/executor/executor.ts";
import { kernelLauncher, startOf, workerProgram } from "../../src/sandbox/kernel_launcher.ts";
import type { Launcher } from "../../src/sandbox/launcher.ts";
import { denoLauncher } from "../../src/sandbox/launcher.ts";
import { WorkerPool } from "../../src/executor/pool.ts";
import type { KernelLevel } from "../../src/sandbox/attestation.ts";
import { requireHost } from "../../src/sandbox/run_python.ts";
import { workerPath } from "../../src/executor/engine_file.ts";
import { defaultWorkerLimits } from "../../src/executor/worker_process.ts";
import { defaultSchedule } from "../../src/engine/score/execution/execution.ts";
import { sandboxTest } from "./needs.ts";
import { endOf, fakeWorker as workerFile } from "../executor/fake.ts";

const values = Float64Array.of(1.2, 0.7, 1.9, 1.1, 0.4, 1.6);
const dataset = makeDataset("six", [{ name: "y", role: "response", type: "real", values }]);
const shared = { dataset, schedule: defaultSchedule, retries: 0, limits: defaultWorkerLimits };
const levels: readonly KernelLevel[] = ["L2", "L3"];

const program = `import pymc as pm

with pm.Model() as model:
    mu = pm.Normal("mu", 0, 2)
    pm.Normal("y", mu=mu, sigma=0.5, observed=data["y"])
`;

async function launcherFor(level: KernelLevel, worker: string): Promise<Launcher> {
  const found = await kernelLauncher(level, await requireHost(), worker);
  if ("problem" in found) throw new Error(found.problem);
  return found.launcher;
}

sandboxTest(
  "the engine gives the same bits at every level, on shared and single-use workers",
  async () => {
    const found = [];
    const launchers = await Promise.all(levels.map((level) => launcherFor(level, workerPath())));
    for (const launcher of [denoLauncher, ...launchers]) {
      for (const programsPerWorker of [1, 256]) {
        const pool = new WorkerPool({ ...shared, launcher, programsPerWorker, workers: 1 });
        const { execution, level, attestation } = await pool.execute({ program });
        assert.equal(level, launcher.level);
        assert.equal(attestation === undefined, level === "L1");
        found.push(JSON.stringify(execution));
        await pool.close();
      }
    }
    assert.equal(new Set(found).size, 1);
  },
);

sandboxTest("the highest level is chosen, and nothing is said to be missing", async () => {
  const { launcher, shortfalls } = await chooseLauncher("L1", workerPath());
  const { bubblewrap } = await requireHost();
  assert.deepEqual([launcher.level, shortfalls.length], bubblewrap ? ["L3", 0] : ["L2", 1]);
});

const endings: readonly (readonly [string, string])[] = [
  ["score 1", "ok"],
  ["reject", "rejected"],
  ["flood", "output_limit"],
  ["stderr", "output_limit"],
  ["exit", "no_result"],
  ["fail", "crash"],
  ["throw", "crash"],
  ["heap", "oom"],
  ["buffers", "oom"],
  ["garbage", "protocol_violation"],
  ["wasm", "ok"],
];

sandboxTest("workers end with the same statuses inside the kernel's layers", async () => {
  for (const level of levels) {
    const launcher = await launcherFor(level, workerFile);
    const options = { ...shared, launcher, workerFile, programsPerWorker: 1, workers: 2 };
    const pool = new WorkerPool(options);
    const outcomes = await Promise.all(endings.map(([name]) => pool.execute({ program: name })));
    const found = outcomes.map((outcome, i) => [endings[i][0], endOf(outcome)]);
    assert.deepEqual(found, endings);
    await pool.close();
    assert.deepEqual(pool.pids, []);
  }
});

sandboxTest("a program that never yields is ended by the kernel's limit of CPU time", async () => {
  for (const level of levels) {
    const launcher = await launcherFor(level, workerFile);
    const short: Launcher = { level, start: (worker) => launcher.start(worker, 1) };
    const limits = { ...defaultWorkerLimits, cpuMs: 1000 };
    const pool = new WorkerPool({ ...shared, limits, launcher: short, workerFile, workers: 1 });
    assert.equal(endOf(await pool.execute({ program: "block" })), "timeout_cpu");
    await pool.close();
  }
});

sandboxTest("a worker whose attestation is another's, or none, is sent nothing", async () => {
  const host = await requireHost();
  const start = (level: KernelLevel, nonce: string | undefined) => (worker: string) => {
    const begun = startOf(workerProgram(worker, level, 1 << 30, 10), level, host);
    return { ...begun, confinement: { ...begun.confinement!, nonce: nonce ?? "" } };
  };
  const bare = (worker: string) => ({
    ...denoLauncher.start(worker, 1),
    confinement: { ...start("L2", "")(worker).confinement, preamble: new Uint8Array(0) },
  });
  for (const begin of [start("L2", "other"), start("L3", undefined), bare]) {
    const pool = new WorkerPool({ ...shared, launcher: { level: "L3", start: begin }, workers: 1 });
    await assert.rejects(pool.execute({ program }), (error) => {
      assert.ok(error instanceof MissingPartError);
      assert.match(error.message, /did not prove its confinement/);
      return true;
    });
    await pool.close();
  }
});

sandboxTest("foreign text gets a process for each program, grammar text shares one", async () => {
  const root = Deno.makeTempDirSync();
  let started = 0;
  const launcher = await launcherFor("L2", workerPath());
  const counting: Launcher = {
    level: "L2",
    start: (worker, cpuSeconds) => (started++, launcher.start(worker, cpuSeconds)),
  };
  const executor = new Executor({ root, launcher: counting, workers: 1 });
  const request = { dataset, schedule: defaultSchedule };
  await executor.executeAll(["a =", "b =", "c ="], request);
  assert.equal(started, 1);
  await executor.executeAll(["d =", "e =", "f ="], { ...request, origin: "foreign" });
  assert.ok(started >= 4, `${started}`);
  await executor.close();
  Deno.removeSync(root, { recursive: true });
});

sandboxTest(
  "where bubblewrap fails or is absent there is no L3, for a reason that is told",
  async () => {
    const host = await requireHost();
    const fails = await kernelLauncher("L3", { ...host, bubblewrap: "/bin/false" }, workerPath());
    assert.deepEqual(fails, { problem: "no attestation" });
    const absent = await kernelLauncher("L3", { ...host, bubblewrap: undefined }, workerPath());
    assert.deepEqual(absent, { problem: "bubblewrap was not found" });
  },
);
