/** Tests of the memo: its entries, which of them it believes, and how it survives damage and other writers. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { sha256 } from "../../src/base/digest.ts";
import { openSealer, type Sealer } from "../../src/base/seal.ts";
import { encodeLine, headerLine } from "../../src/executor/memo/line.ts";
import { Memo, type MemoKey, type MemoOptions } from "../../src/executor/memo/memo.ts";
import type { ExecutionOutcome } from "../../src/executor/worker_process.ts";
import { failedExecution } from "../../src/executor/worker_process.ts";
import { withConfig } from "../base/config_folder.ts";
import { inFolder } from "../pipeline/store/folder.ts";
import { schedule } from "./fake.ts";
import { scored } from "./scored.ts";

const key: MemoKey = { datasetDigest: "d", engineDigest: "e", schedule };
const hash = (name: string) => sha256(name);

function outcome(message: string): ExecutionOutcome {
  const execution = failedExecution("rejected", message);
  return { execution, wallMs: 2, cpuMs: 1, maxRssKib: 3, level: "L1" };
}

/** A project, a key of its user's, and a way to open the memo there. */
async function withMemo(
  use: (open: (options?: MemoOptions, of?: MemoKey) => Memo, root: string) => void | Promise<void>,
): Promise<void> {
  await withConfig(async () => {
    await inFolder(async (root) => {
      const opened: Memo[] = [];
      const open = (options?: MemoOptions, of = key) => {
        const memo = Memo.open(root, of, options);
        opened.push(memo);
        return memo;
      };
      try {
        await use(open, root);
      } finally {
        for (const memo of opened) memo.close();
      }
    });
  });
}

/** Files of a memo by their ending, oldest first. */
function files({ folder }: Memo, ending = ".ndjson"): string[] {
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
  return names.filter((name) => name.endsWith(ending)).sort().map((name) => join(folder, name));
}

/** Writes lines as another process would have. */
function plant({ folder }: Memo, lines: readonly string[], header = headerLine()): void {
  Deno.mkdirSync(folder, { recursive: true });
  Deno.writeTextFileSync(join(folder, "PLANTED.ndjson"), header + lines.join(""));
}

Deno.test("an outcome that was put is known, also to the next process", async () => {
  await withMemo((open) => {
    const memo = open();
    memo.put(hash("a"), outcome("ä"));
    assert.deepEqual(memo.get(hash("a")), outcome("ä"));
    const again = open();
    assert.deepEqual(again.get(hash("a")), outcome("ä"));
    assert.equal(again.get(hash("b")), undefined);
  });
});

Deno.test("what one process puts another sees while it runs", async () => {
  await withMemo((open) => {
    const [one, two] = [open(), open()];
    for (const name of ["a", "b"]) {
      one.put(hash(name), outcome(name));
      assert.equal(two.get(hash(name)), undefined);
      two.refresh();
      assert.deepEqual(two.get(hash(name)), outcome(name));
    }
  });
});

Deno.test("each process writes to a file of its own, and nothing is lost", async () => {
  await withMemo((open) => {
    const [one, two] = [open(), open()];
    for (let i = 0; i < 20; i++) (i % 2 ? one : two).put(hash(`${i}`), outcome(`${i}`));
    const both = open();
    assert.equal(files(both).length, 2);
    assert.deepEqual([both.size, both.damagedLines], [20, 0]);
    for (let i = 0; i < 20; i++) assert.deepEqual(both.get(hash(`${i}`)), outcome(`${i}`));
  });
});

Deno.test("data, engine and schedule each have their own memo", async () => {
  await withMemo((open) => {
    open().put(hash("h"), outcome("x"));
    const others = [
      { ...key, datasetDigest: "other" },
      { ...key, engineDigest: "other" },
      { ...key, schedule: { ...schedule, seed: 1 } },
    ];
    for (const other of others) assert.equal(open({}, other).size, 0);
  });
});

Deno.test("only what a program has from itself is kept", async () => {
  await withMemo((open) => {
    const memo = open();
    for (const status of ["timeout_wall", "oom", "crash", "sandbox_error", "no_result"] as const) {
      memo.put(hash(status), { ...outcome("x"), execution: failedExecution(status, "slow") });
    }
    assert.equal(memo.size, 0);
    assert.equal(open().size, 0);
  });
});

Deno.test("an entry of a status that is not kept is not believed either", async () => {
  await withMemo((open, root) => {
    const memo = open();
    const made = { ...outcome("x"), execution: failedExecution("timeout_wall", "slow") };
    plant(memo, [encodeLine(memo.name, hash("a"), made, openSealer(root))]);
    memo.refresh();
    assert.deepEqual([memo.size, memo.get(hash("a"))], [1, undefined]);
  });
});

Deno.test("of several entries of a program the highest level counts", async () => {
  await withMemo((open) => {
    const [one, two] = [open(), open()];
    one.put(hash("a"), outcome("low"));
    two.put(hash("a"), { ...outcome("high"), level: "L3" });
    assert.equal(open().get(hash("a"))?.level, "L3");
    const third = open();
    third.put(hash("a"), { ...outcome("again"), level: "L2" });
    assert.equal(third.size, 2);
  });
});

Deno.test("a torn last line costs that line only, and is read once it is whole", async () => {
  await withMemo((open) => {
    const memo = open();
    for (const name of ["a", "b"]) memo.put(hash(name), outcome(name));
    const [log] = files(memo);
    const whole = Deno.readFileSync(log);
    Deno.truncateSync(log, whole.length - 10);
    const torn = open();
    assert.deepEqual(torn.get(hash("a")), outcome("a"));
    assert.equal(torn.get(hash("b")), undefined);
    torn.put(hash("c"), outcome("c"));
    Deno.writeFileSync(log, whole);
    torn.refresh();
    assert.deepEqual(torn.get(hash("b")), outcome("b"));
  });
});

Deno.test("a flipped character anywhere in a line makes the line unknown, never wrong", async () => {
  await withMemo((open) => {
    const memo = open();
    memo.put(hash("a"), outcome("a"));
    const [log] = files(memo);
    const text = Deno.readTextFileSync(log);
    for (let at = headerLine().length; at < text.length - 1; at += 7) {
      const flipped = String.fromCharCode(text.charCodeAt(at) ^ 1);
      Deno.writeTextFileSync(log, text.slice(0, at) + flipped + text.slice(at + 1));
      assert.equal(open().get(hash("a")), undefined, `character ${at}`);
    }
  });
});

Deno.test("a file of a newer version is left alone, and told once", async () => {
  await withMemo((open, root) => {
    const memo = open();
    const line = encodeLine(memo.name, hash("a"), outcome("a"), openSealer(root));
    plant(memo, [line], "sluice-memo 2\n");
    const notes: string[] = [];
    const again = open({ onNote: (note) => notes.push(note) });
    again.refresh();
    assert.deepEqual([again.size, again.get(hash("a"))], [0, undefined]);
    assert.deepEqual(notes, [
      "the memo has files of a newer Sluice: their programs are executed again",
    ]);
  });
});

Deno.test("an index that is missing, torn or forged changes no answer", async () => {
  await withMemo((open) => {
    const memo = open();
    for (const name of ["a", "b", "c"]) memo.put(hash(name), outcome(name));
    const [index] = files(memo, ".index");
    const bytes = Deno.readFileSync(index);
    const cases = [new Uint8Array(0), bytes.slice(0, 70), bytes.slice(32), bytes.map((b) => b ^ 1)];
    for (const other of cases) {
      Deno.writeFileSync(index, other);
      const again = open();
      for (const name of ["a", "b", "c"]) {
        const found = again.get(hash(name));
        assert.ok(found === undefined || found.execution.diagnostics[0].message === name);
      }
    }
    Deno.removeSync(index);
    assert.deepEqual(open().get(hash("c")), outcome("c"));
  });
});

Deno.test("an index that is far behind is completed, also while its writer lives", async () => {
  await withMemo((open) => {
    const memo = open();
    for (let i = 0; i < 2100; i++) memo.put(hash(`${i}`), outcome(`${i}`));
    const [index] = files(memo, ".index");
    const whole = Deno.readFileSync(index);
    Deno.truncateSync(index, 640);
    assert.deepEqual(open().get(hash("2000")), outcome("2000"));
    assert.deepEqual(Deno.readFileSync(index), whole);
    memo.put(hash("later"), outcome("later"));
    const again = open();
    assert.equal(again.size, 2101);
    assert.deepEqual(again.get(hash("later")), outcome("later"));
  });
});

Deno.test("an entry that another key sealed is believed if the key is trusted", async () => {
  await withMemo(async (open) => {
    let theirs: Sealer | undefined;
    await withConfig(() => void (theirs = openSealer("/nowhere")));
    open({ sealer: theirs }).put(hash("a"), outcome("theirs"));
    const notes: string[] = [];
    const own = open({ onNote: (note) => notes.push(note) });
    assert.equal(own.get(hash("a")), undefined);
    assert.match(notes[0], new RegExp(`scores of key ${theirs!.keyId}: executed again`));
    assert.deepEqual(open({ trustedKeys: [theirs!.keyId] }).get(hash("a")), outcome("theirs"));
    own.put(hash("a"), outcome("mine"));
    assert.deepEqual(open().get(hash("a")), outcome("mine"));
  });
});

Deno.test("nobody can seal in another's name, nor move an entry to another memo", async () => {
  await withMemo(async (open, root) => {
    const memo = open();
    const own = openSealer(root);
    await withConfig(() => {
      const forger = { ...openSealer("/nowhere"), keyId: own.keyId };
      const moved = encodeLine("another memo", hash("b"), outcome("b"), own);
      plant(memo, [encodeLine(memo.name, hash("a"), outcome("a"), forger), moved]);
    });
    memo.refresh();
    assert.equal(memo.size, 2);
    assert.deepEqual([memo.get(hash("a")), memo.get(hash("b"))], [undefined, undefined]);
    assert.equal(memo.damagedLines, 2);
  });
});

const recorded = { elpdReward: -6.5, rewardPointwise: [-1.5, -2.25, -2.75], rewardMcse: 0.01 };

const forged: readonly (readonly [string, Parameters<typeof scored>[0]])[] = [
  ["a total that is not the sum of its terms", { elpdLoo: 60 }],
  ["a total and a reward that agree, and no term that does", { elpdLoo: 60, elpdReward: 60 }],
  ["a reward that is not the total", { elpdReward: 60 }],
  ["a reward below the total without terms of its own", { elpdReward: -9 }],
  ["a reward that is not the sum of its terms", { ...recorded, elpdReward: 60 }],
  ["a reward with a term too few", { ...recorded, rewardPointwise: [-1.5, -5] }],
  ["a total that is not finite", { elpdLoo: Infinity }],
];

for (const [what, score] of forged) {
  Deno.test(`an entry of one's own key is not believed either with ${what}`, async () => {
    await withMemo((open, root) => {
      const memo = open();
      const sealer = openSealer(root);
      plant(memo, [
        encodeLine(memo.name, hash("good"), scored({}), sealer),
        encodeLine(
          memo.name,
          hash("recorded"),
          scored(recorded),
          sealer,
        ),
        encodeLine(memo.name, hash("forged"), scored(score), sealer),
      ]);
      memo.refresh();
      assert.ok(memo.get(hash("good")));
      assert.ok(memo.get(hash("recorded")));
      assert.equal(memo.get(hash("forged")), undefined);
    });
  });
}

Deno.test("a pipe, a device or a folder among the files of a memo is not opened", async () => {
  await withMemo(async (open) => {
    const memo = open();
    memo.put(hash("a"), outcome("a"));
    await new Deno.Command("mkfifo", { args: [join(memo.folder, "PIPE.ndjson")] }).output();
    Deno.symlinkSync("/dev/zero", join(memo.folder, "ZERO.ndjson"));
    Deno.mkdirSync(join(memo.folder, "FOLDER.ndjson"));
    const again = open();
    assert.deepEqual(again.get(hash("a")), outcome("a"));
    assert.equal(dirname(files(again)[0]), again.folder);
  });
});
