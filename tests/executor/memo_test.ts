/** Tests of the memo: what it keeps, what it refuses, and how it outlives damage. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { sha256 } from "../../src/base/digest.ts";
import { Memo } from "../../src/executor/memo.ts";
import type { MemoKey } from "../../src/executor/memo.ts";
import type { ExecutionOutcome } from "../../src/executor/worker_process.ts";
import { failedExecution } from "../../src/executor/worker_process.ts";
import { schedule } from "./fake.ts";

const key: MemoKey = { datasetDigest: "d", engineDigest: "e", schedule };

function outcome(message: string): ExecutionOutcome {
  const execution = failedExecution("rejected", message);
  return { execution, wallMs: 2, cpuMs: 1, maxRssKib: 3, level: "L1" };
}

async function inFolder(use: (root: string) => void | Promise<void>): Promise<void> {
  const root = await Deno.makeTempDir();
  try {
    await use(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

function logOf(root: string): string {
  const folder = join(root, ".sluice", "memo");
  return join(folder, [...Deno.readDirSync(folder)][0].name);
}

Deno.test("an outcome that was put is known, also to the next process", async () => {
  await inFolder((root) => {
    const memo = Memo.open(root, key);
    memo.put(sha256("a"), outcome("ä"));
    assert.deepEqual(memo.get(sha256("a")), outcome("ä"));
    const again = Memo.open(root, key);
    assert.deepEqual(again.get(sha256("a")), outcome("ä"));
    assert.equal(again.get(sha256("b")), undefined);
  });
});

Deno.test("data, engine and schedule each have their own log", async () => {
  await inFolder((root) => {
    Memo.open(root, key).put("h", outcome("x"));
    const others = [
      { ...key, datasetDigest: "other" },
      { ...key, engineDigest: "other" },
      { ...key, schedule: { ...schedule, seed: 1 } },
    ];
    for (const other of others) assert.equal(Memo.open(root, other).size, 0);
  });
});

Deno.test("failures that are the machine's doing are not kept", async () => {
  await inFolder((root) => {
    const memo = Memo.open(root, key);
    memo.put("h", { ...outcome("x"), execution: failedExecution("timeout_wall", "slow") });
    assert.equal(memo.size, 0);
    assert.equal(Memo.open(root, key).size, 0);
  });
});

Deno.test("a torn last line costs that line only, and the next entry is not joined to it", async () => {
  await inFolder((root) => {
    const memo = Memo.open(root, key);
    for (const name of ["a", "b"]) memo.put(name, outcome(name));
    const log = logOf(root);
    Deno.truncateSync(log, Deno.statSync(log).size - 10);
    const torn = Memo.open(root, key);
    assert.deepEqual([torn.size, torn.damagedLines], [1, 1]);
    torn.put("c", outcome("c"));
    const after = Memo.open(root, key);
    assert.deepEqual([after.size, after.damagedLines], [2, 1]);
    assert.deepEqual(after.get("c"), outcome("c"));
  });
});

Deno.test("a flipped character anywhere in a line makes the line unknown, never wrong", async () => {
  await inFolder((root) => {
    Memo.open(root, key).put("a", outcome("a"));
    const log = logOf(root);
    const text = Deno.readTextFileSync(log);
    for (let at = 0; at < text.length - 1; at += 7) {
      const flipped = String.fromCharCode(text.charCodeAt(at) ^ 1);
      Deno.writeTextFileSync(log, text.slice(0, at) + flipped + text.slice(at + 1));
      assert.equal(Memo.open(root, key).size, 0, `character ${at}`);
    }
  });
});

Deno.test("two writers at once lose nothing", async () => {
  await inFolder((root) => {
    const [one, two] = [Memo.open(root, key), Memo.open(root, key)];
    for (let i = 0; i < 20; i++) (i % 2 ? one : two).put(`h${i}`, outcome(`${i}`));
    const both = Memo.open(root, key);
    assert.deepEqual([both.size, both.damagedLines], [20, 0]);
  });
});
