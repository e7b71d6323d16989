/** Tests of claims: one holder, the dead are replaced, and work that is shared is done once. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { sha256 } from "../../src/base/digest.ts";
import { Claims, Owner } from "../../src/pipeline/store/claims.ts";
import { type ProcessIdentity, thisProcess } from "../../src/pipeline/store/machine.ts";
import { Memo, type MemoKey } from "../../src/executor/memo/memo.ts";
import { SharedWork } from "../../src/executor/memo/shared_work.ts";
import type { ExecutionOutcome } from "../../src/executor/worker_process.ts";
import { failedExecution } from "../../src/executor/worker_process.ts";
import { withConfig } from "../base/config_folder.ts";
import { inFolder } from "../pipeline/store/folder.ts";
import { schedule } from "./fake.ts";

const hash = sha256("program");

async function withOwners(
  identities: readonly (ProcessIdentity | undefined)[],
  use: (claims: Claims[], owners: Owner[], root: string) => void | Promise<void>,
): Promise<void> {
  await inFolder(async (root) => {
    const owners = identities.map((identity) => new Owner(root, identity));
    const folder = join(root, ".sluice", "memo", "ab", "abcd");
    try {
      await use(owners.map((owner) => new Claims(folder, owner)), owners, root);
    } finally {
      for (const owner of owners) owner.close();
    }
  });
}

Deno.test("a program has one holder until it is given back", async () => {
  await withOwners([undefined, undefined], ([one, two]) => {
    assert.equal(one.take(hash), true);
    assert.equal(two.take(hash), false);
    assert.equal(two.isAbandoned(hash), false);
    assert.equal(two.take(sha256("another")), true);
    one.release(hash);
    assert.equal(two.isAbandoned(hash), true);
    assert.equal(two.take(hash), true);
    assert.equal(one.take(hash), false);
  });
});

Deno.test("the claim of a process that has ended is taken over at once", async () => {
  const gone: readonly ProcessIdentity[] = [
    { ...thisProcess(), pid: 2 ** 30 },
    { ...thisProcess(), started: "1" }, // its number was given to another process
  ];
  for (const dead of gone) {
    await withOwners([dead, undefined], ([one, two]) => {
      assert.equal(one.take(hash), true);
      assert.equal(two.isAbandoned(hash), true);
      assert.equal(two.take(hash), true);
      assert.equal(two.take(hash), false);
    });
  }
});

Deno.test("a claim of another machine is dead when it has been silent, by one's own clock", async () => {
  const elsewhere = { ...thisProcess(), host: "other", machine: "another boot" };
  await withOwners([elsewhere, undefined], ([one, two], _, root) => {
    const now = performance.now;
    let ahead = 0;
    performance.now = () => now.call(performance) + ahead;
    try {
      assert.equal(one.take(hash), true);
      const path = join(root, ".sluice", "memo", "ab", "abcd", "claims", hash.slice(0, 32));
      const beat = (at: number) => Deno.utimeSync(path, at, at);
      beat(1e9); // its clock is decades behind
      assert.equal(two.isAbandoned(hash), false);
      ahead += 20_000;
      beat(1e9 + 5);
      assert.equal(two.isAbandoned(hash), false);
      ahead += 20_000;
      assert.equal(two.isAbandoned(hash), false, "20 s of silence");
      ahead += 20_000;
      assert.equal(two.isAbandoned(hash), true, "40 s of silence");
      assert.equal(two.take(hash), true);
    } finally {
      performance.now = now;
    }
  });
});

Deno.test("a claim that nobody can read is taken over when it has been silent", async () => {
  await withOwners([undefined], ([claims], _, root) => {
    claims.take(sha256("first")); // makes the folder
    const path = join(root, ".sluice", "memo", "ab", "abcd", "claims", hash.slice(0, 32));
    Deno.writeTextFileSync(path, "");
    const now = performance.now;
    assert.equal(claims.take(hash), false);
    performance.now = () => now.call(performance) + 40_000;
    try {
      assert.equal(claims.take(hash), true);
    } finally {
      performance.now = now;
    }
  });
});

Deno.test("the files of processes that have ended are removed, those of others stay", async () => {
  const dead = { ...thisProcess(), pid: 2 ** 30 };
  const elsewhere = { ...thisProcess(), machine: "another boot" };
  await withOwners([dead, elsewhere, undefined], ([one, two, three], _, root) => {
    for (const [i, claims] of [one, two, three].entries()) claims.take(sha256(`${i}`));
    const writers = [...Deno.readDirSync(join(root, ".sluice", "memo", "writers"))];
    assert.equal(writers.length, 2);
    assert.equal(three.take(sha256("0")), true, "its claim is a link of its own");
  });
});

const key: MemoKey = { datasetDigest: "d", engineDigest: "e", schedule };

function outcome(message: string): ExecutionOutcome {
  return { execution: failedExecution("rejected", message), wallMs: 1, level: "L1" };
}

Deno.test("of runs that began together each program is executed once", async () => {
  await withConfig(async () => {
    await withOwners([undefined, undefined, undefined, undefined], async (_, owners, root) => {
      let executed = 0;
      const memos = owners.map(() => Memo.open(root, key));
      const programs = Array.from({ length: 60 }, (_, i) => `program ${i}`);
      const runs = owners.map((owner, i) => {
        const recall = (hash: string) => memos[i].get(hash);
        return new SharedWork({ memo: memos[i], owner, turns: 4, recall });
      });
      const one = (work: SharedWork, program: string) => {
        const execute = async () => {
          executed++;
          await new Promise((resolve) => setTimeout(resolve, 5));
          return outcome(program);
        };
        return work.settle(sha256(program), execute, () => false);
      };
      const all = await Promise.all(
        runs.flatMap((work) => programs.map((program) => one(work, program))),
      );
      for (const [i, { outcome: found }] of all.entries()) {
        assert.equal(found.execution.diagnostics[0].message, programs[i % programs.length]);
      }
      assert.equal(executed, programs.length);
      assert.equal(all.filter(({ memo }) => !memo).length, programs.length);
      for (const memo of memos) memo.close();
    });
  });
});

Deno.test("what was found between the last look and the claim is not executed again", async () => {
  await withConfig(async () => {
    await withOwners([undefined], async (_, [owner], root) => {
      const [mine, theirs] = [Memo.open(root, key), Memo.open(root, key)];
      theirs.put(hash, outcome("theirs"));
      assert.equal(mine.get(hash), undefined, "not looked since");
      const work = new SharedWork({ memo: mine, owner, turns: 1, recall: (h) => mine.get(h) });
      const found = await work.settle(hash, () => Promise.resolve(outcome("mine")), () => false);
      assert.equal(found.memo, true);
      assert.deepEqual(found.outcome.execution, outcome("theirs").execution);
      mine.close();
      theirs.close();
    });
  });
});

Deno.test("what its holder could not settle, the next one tries", async () => {
  await withConfig(async () => {
    await withOwners([undefined, undefined], async (_, owners, root) => {
      const memos = owners.map(() => Memo.open(root, key));
      const [one, two] = owners.map((owner, i) =>
        new SharedWork({
          ...{ memo: memos[i], owner, turns: 2 },
          recall: (hash) => memos[i].get(hash),
        })
      );
      const crash = { ...outcome("x"), execution: failedExecution("crash", "x") };
      const slow = async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        return crash;
      };
      const first = one.settle(hash, slow, () => false);
      const second = two.settle(hash, () => Promise.resolve(outcome("fine")), () => false);
      assert.equal((await first).outcome.execution.status, "crash");
      assert.deepEqual(await second, { outcome: outcome("fine"), memo: false });
      for (const memo of memos) memo.close();
    });
  });
});

Deno.test("a batch that has ended waits for nobody", async () => {
  await withConfig(async () => {
    await withOwners([undefined, undefined], async ([held], [, owner], root) => {
      const memo = Memo.open(root, key);
      const claims = new Claims(memo.folder, owner);
      assert.ok(held);
      const other = new Owner(root);
      assert.equal(new Claims(memo.folder, other).take(hash), true);
      assert.equal(claims.take(hash), false);
      let over = false;
      const work = new SharedWork({ memo, owner, turns: 1, recall: (h) => memo.get(h) });
      const waiting = work.settle(hash, () => Promise.resolve(outcome("not tried")), () => over);
      setTimeout(() => over = true, 60);
      assert.deepEqual(await waiting, { outcome: outcome("not tried"), memo: false });
      other.close();
      memo.close();
    });
  });
});
