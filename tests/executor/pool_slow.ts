/** Tests of the worker pool against a toy engine: statuses, limits, recycling, retries, the end. */
import assert from "node:assert/strict";
import { MissingPartError } from "../../src/base/diagnostic.ts";
import type { Launcher } from "../../src/sandbox/launcher.ts";
import { denoLauncher } from "../../src/sandbox/launcher.ts";
import { denoCommand } from "../../src/base/deno_command.ts";
import { launchedArgument } from "../../src/sandbox/inside/launched.ts";
import type { PoolOptions } from "../../src/executor/pool.ts";
import { WorkerPool } from "../../src/executor/pool.ts";
import type { ExecutionOutcome } from "../../src/executor/worker_process.ts";
import { endOf, failingLauncher, poolOptions } from "./fake.ts";

async function withPool<T>(
  options: Partial<PoolOptions>,
  use: (pool: WorkerPool) => Promise<T>,
): Promise<T> {
  const pool = new WorkerPool({ ...poolOptions, ...options });
  try {
    return await use(pool);
  } finally {
    await pool.close();
  }
}

function once(program: string, options: Partial<PoolOptions> = {}): Promise<ExecutionOutcome> {
  return withPool({ workers: 1, retries: 0, ...options }, (pool) => pool.execute({ program }));
}

Deno.test("a program comes back with its score, its cost and the level of its sandbox", async () => {
  const { execution, level, wallMs } = await once("score -3.5");
  assert.equal(execution.status, "ok");
  assert.equal(execution.score?.elpdLoo, -3.5);
  assert.equal(execution.score?.rhatMax, Infinity);
  assert.ok(Number.isNaN(execution.score?.paretoK[0]));
  assert.equal(level, "L1");
  assert.ok(wallMs > 0);
});

const endings: readonly (readonly [string, string])[] = [
  ["reject", "rejected"],
  ["flood", "output_limit"],
  ["stderr", "output_limit"],
  ["exit", "no_result"],
  ["fail", "crash"],
  ["throw", "crash"],
  ["abort", "oom"],
  ["heap", "oom"],
  ["garbage", "protocol_violation"],
  ["score NaN", "protocol_violation"],
  ["globals", "ok"],
  ["wasm", "ok"],
];

for (const [program, status] of endings) {
  Deno.test(`a worker that does "${program}" ends with ${status}`, async () => {
    const limits = { ...poolOptions.limits, wallMs: 60_000 };
    assert.equal(endOf(await once(program, { limits })), status);
  });
}

Deno.test("a program that never ends is killed at the wall limit, whether it yields or not", async () => {
  const limits = { ...poolOptions.limits, wallMs: 300 };
  await withPool({ limits, retries: 0 }, async (pool) => {
    const outcomes = await Promise.all(["spin", "block"].map((p) => pool.execute({ program: p })));
    assert.deepEqual(outcomes.map(endOf), ["timeout_wall", "timeout_wall"]);
    assert.ok(pool.pids.length <= 1, "what is left has shown that the machine is sound");
  });
});

Deno.test({
  name: "a program that burns its CPU time is killed before its wall limit (needs Linux's /proc)",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const limits = { ...poolOptions.limits, wallMs: 60_000, cpuMs: 100 };
    const outcome = await once("spin", { limits });
    assert.equal(endOf(outcome), "timeout_cpu");
    assert.ok(outcome.cpuMs! >= 50); // the clock of /proc ticks every 10 ms, for several processes
  },
});

Deno.test("a dead worker is replaced, and the next program does not notice", async () => {
  await withPool({ workers: 1, retries: 0 }, async (pool) => {
    const statuses: string[] = [];
    for (const program of ["score 1", "fail", "score 2"]) {
      statuses.push((await pool.execute({ program })).execution.status);
    }
    assert.deepEqual(statuses, ["ok", "undecided", "ok"]);
  });
});

Deno.test("results do not depend on the number of workers or on their recycling", async () => {
  const programs = Array.from({ length: 12 }, (_, i) => `score ${i}.25`);
  const run = (workers: number, programsPerWorker: number) =>
    withPool({ workers, programsPerWorker }, async (pool) => {
      const outcomes = await Promise.all(programs.map((program) => pool.execute({ program })));
      return outcomes.map((outcome) => outcome.execution);
    });
  assert.deepEqual(await run(1, 256), await run(3, 2));
});

Deno.test("a worker is recycled after its share of programs", async () => {
  await withPool({ workers: 1, programsPerWorker: 2 }, async (pool) => {
    const pids = new Set<number>();
    for (let i = 0; i < 4; i++) {
      await pool.warm();
      pool.pids.forEach((pid) => pids.add(pid));
      await pool.execute({ program: "score 1" });
    }
    assert.equal(pids.size, 2);
  });
});

Deno.test("a spare worker is replaced after a short program, and while a long one runs", async () => {
  const limits = { ...poolOptions.limits, wallMs: 60_000 };
  await withPool({ workers: 1, programsPerWorker: 1, limits }, async (pool) => {
    await pool.warm();
    const spares = new Set(pool.pids);
    assert.equal(spares.size, 2);
    await pool.execute({ program: "score 1" });
    await until(() => pool.pids.length === 2);
    assert.equal(pool.pids.filter((pid) => spares.has(pid)).length, 1);
    const long = pool.execute({ program: "spin" });
    await until(() => pool.pids.length === 3);
    await pool.close();
    assert.notEqual((await long).execution.status, "ok");
  });
});

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 2000 && !condition(); i++) await new Promise((go) => setTimeout(go, 5));
  assert.ok(condition(), "not within 10 s");
}

Deno.test("a program whose worker crashes twice is undecided, if a known-good one is scored", async () => {
  const launcher = failingLauncher((start) => start <= 2);
  const { execution } = await once("score 1", { launcher, retries: 1 });
  assert.equal(execution.status, "undecided");
  assert.equal(execution.diagnostics[0].code, "exec/crash");
  assert.equal(launcher.started, 3);
});

Deno.test("a crash that does not come again is no status at all", async () => {
  const launcher = failingLauncher((start) => start === 1);
  assert.equal((await once("score 1", { launcher, retries: 1 })).execution.status, "ok");
});

Deno.test("the machine is blamed where a known-good program crashes too", async () => {
  const launcher = failingLauncher(() => true);
  assert.equal((await once("score 1", { launcher, retries: 1 })).execution.status, "crash");
});

Deno.test("one hostile program does not stop the others of its batch", async () => {
  await withPool({ workers: 1, retries: 0 }, async (pool) => {
    const batch = { broken: false };
    const statuses: string[] = [];
    for (const program of ["fail", "score 2"]) {
      statuses.push((await pool.execute({ program }, batch)).execution.status);
    }
    assert.deepEqual(statuses, ["undecided", "ok"]);
  });
});

Deno.test("a worker cannot say of a program what only its supervisor may find", async () => {
  for (const status of ["undecided", "sandbox_error", "crash"]) {
    assert.equal(endOf(await once(`claim ${status}`)), "protocol_violation");
  }
});

Deno.test("a crash is tried again, each time on a fresh worker", async () => {
  let started = 0;
  const launcher: Launcher = {
    level: "L1",
    start: (worker, cpuSeconds) => (started++, denoLauncher.start(worker, cpuSeconds)),
  };
  const outcome = await once("fail", { launcher, retries: 2 });
  assert.equal(endOf(outcome), "crash");
  assert.equal(started, 4, "three tries, and one program that is known to be good");
  assert.equal((await once("reject", { launcher, retries: 2 })).execution.status, "rejected");
  assert.equal(started, 5);
});

Deno.test("a worker that is not denied everything is refused before it sees a program", async () => {
  const launcher: Launcher = {
    level: "L1",
    start: (worker) => ({
      command: denoCommand(["run", "--no-config", "--allow-read", worker]),
    }),
  };
  await assert.rejects(once("score 1", { launcher }), (error) => {
    assert.ok(error instanceof MissingPartError);
    assert.match(error.message, /not denied read, codegen$/);
    return true;
  });
});

Deno.test("a worker that may start processes is refused, whether it tries or asks", async () => {
  for (const told of [[], [launchedArgument]]) {
    const args = ["run", "--no-config", "--no-prompt", "--allow-run"];
    const launcher: Launcher = {
      level: "L1",
      start: (worker) => ({ command: denoCommand([...args, worker, ...told]) }),
    };
    await assert.rejects(once("score 1", { launcher }), /not denied run, codegen$/);
  }
});

Deno.test("a worker that cannot start is a missing part, with what it said", async () => {
  await assert.rejects(once("score 1", { workerFile: "no/such/worker.js" }), (error) => {
    assert.ok(error instanceof MissingPartError);
    assert.match(error.message, /exited with 1: .*no\/such\/worker\.js/s);
    return true;
  });
});

Deno.test("close() kills the workers and refuses what comes after", async () => {
  const pool = new WorkerPool({
    ...poolOptions,
    limits: { ...poolOptions.limits, wallMs: 60_000 },
  });
  const running = pool.execute({ program: "block" }).catch(() => undefined);
  await pool.warm();
  await pool.close();
  assert.notEqual((await running)?.execution.status, "ok");
  assert.deepEqual(pool.pids, []);
  await assert.rejects(pool.execute({ program: "score 1" }), MissingPartError);
});
