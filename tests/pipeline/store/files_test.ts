/** Tests of the parts of the store that are plain files: objects, fingerprints, locks, ULIDs. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { InputError } from "../../../src/base/diagnostic.ts";
import { sha256 } from "../../../src/base/digest.ts";
import { explainWrites, writeAtomic } from "../../../src/base/atomic.ts";
import { FingerprintStore } from "../../../src/pipeline/store/fingerprints.ts";
import { tryLock } from "../../../src/pipeline/store/locks.ts";
import { ObjectStore } from "../../../src/pipeline/store/objects.ts";
import { isUlid, ulid } from "../../../src/pipeline/basics/ulid.ts";
import { addTrust } from "../../../src/base/trust.ts";
import { withConfig } from "../../base/config_folder.ts";
import { inFolder } from "./folder.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

Deno.test("an object is found under the digest of its bytes, and kept once", async () => {
  await inFolder((root) => {
    const store = new ObjectStore(root);
    const digest = store.put(bytes("hello"));
    assert.equal(digest, sha256("hello"));
    assert.equal(store.put(bytes("hello")), digest);
    assert.deepEqual(store.get(digest), { kind: "found", bytes: bytes("hello") });
    assert.deepEqual([...Deno.readDirSync(join(store.path(digest), ".."))].length, 1);
  });
});

Deno.test("a missing object is a value, and so is a corrupt one, which is removed", async () => {
  await inFolder((root) => {
    const store = new ObjectStore(root);
    assert.deepEqual(store.get(sha256("nothing")), { kind: "missing" });
    const digest = store.put(bytes("hello"));
    Deno.writeTextFileSync(store.path(digest), "hullo");
    assert.deepEqual(store.get(digest), { kind: "corrupt", path: store.path(digest) });
    assert.equal(store.has(digest), false);
    assert.throws(() => store.get("../../etc"), /internal:/);
  });
});

Deno.test("a fingerprint's record comes back; a damaged one is as good as none", async () => {
  await inFolder((root) => {
    const store = new FingerprintStore(root);
    const [fingerprint, record] = [sha256("f"), { outputs: { policy: "p" }, meta: { a: [1] } }];
    assert.equal(store.get(fingerprint), undefined);
    store.put(fingerprint, record);
    assert.deepEqual(store.get(fingerprint), { ...record, rows: undefined });
    const path = join(root, ".sluice", "fingerprints", `${fingerprint}.json`);
    for (const damaged of ['{"outputs":{"policy"', '{"outputs":{"policy":1}}', "null"]) {
      Deno.writeTextFileSync(path, damaged);
      assert.equal(store.get(fingerprint), undefined);
    }
  });
});

Deno.test("a fingerprint's record is believed where the user sealed it, for this fingerprint", async () => {
  await withConfig(async () => {
    await inFolder(async (root) => {
      const [one, two] = [sha256("one"), sha256("two")];
      const path = (name: string) => join(root, ".sluice", "fingerprints", `${name}.json`);
      const store = new FingerprintStore(root);
      store.put(one, { outputs: { policy: "p" }, meta: null });
      Deno.copyFileSync(path(one), path(two));
      assert.equal(store.get(two), undefined, "moved");
      const forged = JSON.parse(Deno.readTextFileSync(path(one)));
      Deno.writeTextFileSync(path(two), JSON.stringify({ ...forged, outputs: { policy: "q" } }));
      assert.equal(store.get(two), undefined, "altered");
      await withConfig(() => {
        assert.equal(new FingerprintStore(root).get(one), undefined, "another user's");
        new FingerprintStore(root).put(two, { outputs: {}, meta: null });
      });
      assert.equal(new FingerprintStore(root).get(two), undefined);
      const { sealed_by } = JSON.parse(Deno.readTextFileSync(path(two)));
      addTrust(sealed_by);
      assert.deepEqual(new FingerprintStore(root).get(two)?.outputs, {});
    });
  });
});

Deno.test("a lock has one holder at a time", async () => {
  await inFolder((root) => {
    const lock = tryLock(root, "f");
    assert.ok(lock);
    assert.equal(tryLock(root, "f"), undefined);
    tryLock(root, "g")!.release();
    lock.release();
    tryLock(root, "f")!.release();
  });
});

Deno.test("where the file system carries no locks each gets one, which excludes nobody", async () => {
  await inFolder((root) => {
    const noLocks = () => {
      throw new Error("No locks available (os error 37)");
    };
    const locks = [tryLock(root, "f", noLocks), tryLock(root, "f", noLocks)];
    assert.deepEqual(locks.map((lock) => lock?.isExclusive), [false, false]);
    for (const lock of locks) lock!.release();
  });
});

Deno.test("the lock of a process that was killed is free", async () => {
  await inFolder(async (root) => {
    const module = new URL("../../../src/pipeline/store/locks.ts", import.meta.url).href;
    const code = `import { tryLock } from "${module}";
      tryLock(${JSON.stringify(root)}, "f"); console.log("held"); setInterval(() => {}, 1000);`;
    const args = ["run", "-A", `data:application/typescript,${encodeURIComponent(code)}`];
    const child = new Deno.Command("deno", { args, stdout: "piped", stdin: "null" }).spawn();
    const reader = child.stdout.getReader();
    await reader.read();
    assert.equal(tryLock(root, "f"), undefined);
    child.kill("SIGKILL");
    await child.status;
    await reader.cancel();
    tryLock(root, "f")!.release();
  });
});

Deno.test("writeAtomic() replaces a file whole and leaves nothing else behind", async () => {
  await inFolder((root) => {
    const path = join(root, "a", "b.json");
    writeAtomic(path, "one");
    writeAtomic(path, "two");
    assert.equal(Deno.readTextFileSync(path), "two");
    assert.deepEqual([...Deno.readDirSync(join(root, "a"))].map((entry) => entry.name), ["b.json"]);
  });
});

Deno.test("a disk that refuses is told of with the path and a remedy", async () => {
  await inFolder((root) => {
    Deno.writeTextFileSync(join(root, "file"), "");
    const path = join(root, "file", "below.json");
    assert.throws(() => writeAtomic(path, "x"), (error) => {
      assert.ok(error instanceof InputError);
      assert.ok(error.message.startsWith(`Cannot write ${path}: `));
      assert.equal(
        error.diagnostics[0].hint,
        "a file stands where a folder is needed: move it away",
      );
      return true;
    });
  });
});

const refusals: readonly (readonly [string, RegExp])[] = [
  ["Read-only file system (os error 30)", /writable disk/],
];

for (const [message, remedy] of refusals) {
  Deno.test(`"${message}" has a remedy`, () => {
    const write = () => {
      throw new Error(message);
    };
    assert.throws(() => explainWrites("x", write), (error) => {
      assert.ok(error instanceof InputError);
      assert.match(error.diagnostics[0].hint ?? "", remedy);
      return true;
    });
  });
}

Deno.test("ULIDs are well-formed, and each is greater than the one before", () => {
  const ids = Array.from({ length: 200 }, () => ulid());
  assert.ok(ids.every(isUlid));
  assert.deepEqual([...ids].sort(), ids);
  assert.equal(new Set(ids).size, ids.length);
  assert.ok(ulid(Date.now() - 5000) > ids.at(-1)!, "a clock that goes back changes nothing");
  assert.equal(isUlid("01ARZ3NDEKTSV4RRFFQ69G5FAV"), true);
  assert.equal(isUlid("01ARZ3NDEKTSV4RRFFQ69G5FAU"), false);
});
