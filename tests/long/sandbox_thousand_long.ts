/** A thousand programs in a row, a third of them hostile: nothing builds up, no honest score moves. */
import assert from "node:assert/strict";
import { chooseLauncher } from "../../src/sandbox/choose_launcher.ts";
import { WorkerPool } from "../../src/executor/pool.ts";
import { fakeWorker as workerFile, poolOptions } from "../executor/fake.ts";
import { sandboxTest } from "../sandbox/needs.ts";

const hostile = ["exit", "fail", "garbage", "stderr", "flood", "abort", "buffers"];

sandboxTest(
  "a thousand single-use workers leave processes, descriptors and memory flat",
  async () => {
    const { launcher } = await chooseLauncher("L2", workerFile);
    const limits = { ...poolOptions.limits, wallMs: 60_000 };
    const options = { ...poolOptions, limits, launcher, workerFile, retries: 0 };
    const pool = new WorkerPool({ ...options, programsPerWorker: 1 });
    const batch = async (count: number) => {
      for (let i = 0; i < count; i += 10) {
        const programs = Array.from({ length: 10 }, (_, k) => programOf(i + k));
        const outcomes = await Promise.all(programs.map((text) => pool.execute({ program: text })));
        outcomes.forEach(({ execution }, k) => {
          const honest = (i + k) % 3 !== 0;
          assert.equal(execution.score?.elpdLoo, honest ? -(i + k) - 0.1 : undefined);
        });
      }
    };
    await batch(100);
    const before = census();
    await batch(900);
    const after = census();
    await pool.close();
    assert.ok(after.descriptors <= before.descriptors + 8, JSON.stringify({ before, after }));
    // V8 lets its heap grow before it collects; one buffer kept for each worker would be 900 MiB.
    assert.ok(after.rssMib <= before.rssMib + 256, JSON.stringify({ before, after }));
    assert.deepEqual(pool.pids, []);
  },
);

function programOf(i: number): string {
  return i % 3 === 0 ? hostile[(i / 3) % hostile.length] : `score ${-i - 0.1}`;
}

function census() {
  const descriptors = [...Deno.readDirSync("/proc/self/fd")].length;
  return { descriptors, rssMib: Deno.memoryUsage().rss / (1 << 20) };
}
