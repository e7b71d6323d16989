/** Tests of the executor: order, one execution per text, the memo, failures, and abort. */
import assert from "node:assert/strict";
import { sha256 } from "../../src/base/digest.ts";
import { Executor } from "../../src/executor/executor.ts";
import type { ExecutorOptions } from "../../src/executor/executor.ts";
import { Memo } from "../../src/executor/memo/memo.ts";
import { Audit } from "../../src/executor/memo/shared_work.ts";
import { scored } from "./scored.ts";
import { dataset, failingLauncher, fakeWorker, limits, schedule } from "./fake.ts";

async function withExecutor(
  use: (make: (options?: Partial<ExecutorOptions>) => Executor) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir();
  const made: Executor[] = [];
  const base = { root, workers: 2, limits, workerFile: fakeWorker };
  try {
    await use((options) => {
      made.push(new Executor({ ...base, ...options }));
      return made.at(-1)!;
    });
  } finally {
    await Promise.all(made.map((executor) => executor.close()));
    await Deno.remove(root, { recursive: true });
  }
}

const request = { dataset, schedule };

Deno.test("executeAll() keeps the order and scores each distinct text once", async () => {
  await withExecutor(async (make) => {
    const programs = ["score 1", "score 2", "score 1", "reject", "score 2"];
    const progress: string[] = [];
    const onProgress = (done: number, total: number) => progress.push(`${done}/${total}`);
    const results = await make().executeAll(programs, { ...request, onProgress });
    const found = results.map(({ outcome }) => outcome.score?.elpdLoo ?? outcome.status);
    assert.deepEqual(found, [1, 2, 1, "rejected", 2]);
    assert.deepEqual(progress, ["1/3", "2/3", "3/3"]);
  });
});

Deno.test("a second executor answers from the memo, with the same execution and cost", async () => {
  await withExecutor(async (make) => {
    const [first] = await make().executeAll(["score 4"], request);
    const [second] = await make().executeAll(["score 4"], request);
    assert.deepEqual(second, { ...first, memo: true });
    assert.equal(first.memo, false);
  });
});

Deno.test("two batches at once score a common program once", async () => {
  await withExecutor(async (make) => {
    const executor = make();
    const batches = [["score 1"], ["score 1"]].map((b) => executor.executeAll(b, request));
    const [[one], [two]] = await Promise.all(batches);
    assert.deepEqual([one.memo, two.memo], [false, true]);
    assert.deepEqual(one.outcome, two.outcome);
  });
});

Deno.test("an undecided program is tried once in a run, and again in the next", async () => {
  await withExecutor(async (make) => {
    const executor = make({ workers: 1, retries: 0 });
    const results = await executor.executeAll(["score 1", "fail", "score 2"], request);
    assert.deepEqual(results.map(({ outcome }) => outcome.status), ["ok", "undecided", "ok"]);
    const [again] = await executor.executeAll(["fail"], request);
    assert.deepEqual([again.outcome.status, again.memo], ["undecided", true]);
    const [next] = await make({ workers: 1, retries: 0 }).executeAll(["fail"], request);
    assert.deepEqual([next.outcome.status, next.memo], ["undecided", false]);
  });
});

Deno.test("after a failure of the machine's nothing more of the batch is started", async () => {
  await withExecutor(async (make) => {
    const executor = make({ workers: 1, retries: 0, launcher: failingLauncher(() => true) });
    const results = await executor.executeAll(["score 1", "score 2"], request);
    assert.deepEqual(results.map(({ outcome }) => outcome.status), ["crash", "sandbox_error"]);
  });
});

Deno.test("an abort ends the batch with the signal's reason; the executor can be used again", async () => {
  await withExecutor(async (make) => {
    const executor = make();
    const controller = new AbortController();
    const batch = executor.executeAll(["block", "spin", "score 1"], {
      ...request,
      signal: controller.signal,
    });
    controller.abort(new Error("stopped by the user"));
    await assert.rejects(batch, /stopped by the user/);
    const [result] = await executor.executeAll(["score 1"], request);
    assert.equal(result.outcome.status, "ok");
  });
});

Deno.test("an audit executes the memo's answers again and names those that differ", async () => {
  await withExecutor(async (make) => {
    const root = await Deno.makeTempDir();
    const first = make({ root });
    const programs = ["score 1", "score 2", "reject"];
    const [{ level, attestation }] = await first.executeAll(programs, request);
    const key = { datasetDigest: dataset.digest, engineDigest: first.digestOf(), schedule };
    const memo = Memo.open(root, key);
    const forged = scored({ elpdPointwise: [9], paretoK: [0], elpdLoo: 9, elpdReward: 9 });
    memo.put(sha256("score 3"), { ...forged, level, attestation });
    memo.close();

    const honest = make({ root, auditShare: 1 });
    await honest.executeAll(programs, request);
    assert.deepEqual([honest.audit.audited, honest.audit.different], [3, []]);
    await honest.executeAll(programs, request);
    assert.equal(honest.audit.audited, 3, "once each");

    const [answer] = await honest.executeAll(["score 3"], request);
    assert.deepEqual([answer.memo, answer.outcome.score?.elpdLoo], [true, 9]);
    assert.deepEqual(honest.audit.different, ["score 3"]);
    await Deno.remove(root, { recursive: true });
  });
});

Deno.test("which answers are audited depends on the programs alone", () => {
  const hashes = Array.from({ length: 2000 }, (_, i) => sha256(`${i}`));
  const wanted = () => {
    const audit = new Audit(0.1);
    return hashes.filter((hash) => audit.wants(hash));
  };
  assert.deepEqual(wanted(), wanted());
  assert.ok(wanted().length > 150 && wanted().length < 250, `${wanted().length}`);
  const none = new Audit(0);
  assert.ok(!hashes.some((hash) => none.wants(hash)));
});
