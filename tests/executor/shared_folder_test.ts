/** Claims on shared folders that lack something: locks, fresh attributes, one clock, numbers of their own. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { sha256 } from "../../src/base/digest.ts";
import { Claims, Owner } from "../../src/pipeline/store/claims.ts";
import { thisProcess } from "../../src/pipeline/store/machine.ts";
import { inFolder } from "../pipeline/store/folder.ts";

const hash = sha256("program");
const elsewhere = { ...thisProcess(), host: "other", machine: "another boot" };

/** A holder on another host, a worker here, and the file of the holder's claim. */
async function onTwoHosts(
  identity: typeof elsewhere,
  use: (holder: Claims, here: Claims, path: string) => void,
): Promise<void> {
  await inFolder((root) => {
    const owners = [new Owner(root, identity), new Owner(root)];
    const folder = join(root, "memo");
    const [holder, here] = owners.map((owner) => new Claims(folder, owner));
    try {
      use(holder, here, join(folder, "claims", hash.slice(0, 32)));
    } finally {
      owners.forEach((owner) => owner.close());
    }
  });
}

/** Runs with another clock of this process; `go` moves it on by seconds. */
function withClock(use: (go: (seconds: number) => void) => void): void {
  const now = performance.now;
  let ahead = 0;
  performance.now = () => now.call(performance) + ahead;
  try {
    use((seconds) => ahead += 1000 * seconds);
  } finally {
    performance.now = now;
  }
}

Deno.test("attributes of a path may be a minute old: a holder that lives is not taken for dead", async () => {
  await onTwoHosts(elsewhere, (holder, here, path) => {
    assert.equal(holder.take(hash), true);
    const { statSync, openSync } = Deno;
    let cached = statSync(path);
    Deno.statSync = () => cached; // as a client of NFS answers, until the file is opened
    Deno.openSync = (...how) => {
      const file = openSync(...how);
      cached = statSync(path);
      return file;
    };
    try {
      withClock((go) => {
        for (let beat = 0; beat < 12; beat++) {
          Deno.utimeSync(path, 1e9 + beat, 1e9 + beat);
          assert.equal(here.isAbandoned(hash), false, `${5 * beat} s`);
          go(5);
        }
        go(40);
        assert.equal(here.isAbandoned(hash), true, "it says nothing any more");
      });
    } finally {
      Object.assign(Deno, { statSync, openSync });
    }
  });
});

Deno.test("a claim of another user's that may not be opened is waited for until it is silent", async () => {
  await onTwoHosts(elsewhere, (holder, here) => {
    assert.equal(holder.take(hash), true);
    const { openSync } = Deno;
    Deno.openSync = () => {
      throw new Deno.errors.PermissionDenied("Permission denied");
    };
    try {
      withClock((go) => {
        assert.equal(here.isAbandoned(hash), false);
        go(40);
        assert.equal(here.isAbandoned(hash), true);
      });
    } finally {
      Deno.openSync = openSync;
    }
  });
});

Deno.test("clocks ten minutes apart, ahead or behind, decide nothing", async () => {
  for (const apart of [-600, 600]) {
    await onTwoHosts(elsewhere, (holder, here, path) => {
      assert.equal(holder.take(hash), true);
      withClock((go) => {
        for (let beat = 0; beat < 12; beat++) {
          const now = Date.now() / 1000 + apart + 5 * beat;
          Deno.utimeSync(path, now, now);
          assert.equal(here.isAbandoned(hash), false);
          go(5);
        }
      });
    });
  }
});

Deno.test("a process of another host with this one's number is neither alive nor dead by it", async () => {
  const twin = { ...thisProcess(), host: "other", machine: "another boot" };
  const dead = { ...twin, pid: 2 ** 30 };
  for (const identity of [twin, dead]) {
    await onTwoHosts(identity, (holder, here) => {
      assert.equal(holder.take(hash), true);
      withClock((go) => {
        assert.equal(here.isAbandoned(hash), false);
        go(29);
        assert.equal(here.isAbandoned(hash), false);
        go(2);
        assert.equal(here.isAbandoned(hash), true);
      });
    });
  }
});

Deno.test("where a folder carries no locks, claims have one holder, and the dead are replaced", async () => {
  const { tryLockSync } = Deno.FsFile.prototype;
  Deno.FsFile.prototype.tryLockSync = () => {
    throw new Error("No locks available (os error 37)");
  };
  try {
    await onTwoHosts({ ...thisProcess(), machine: "" }, (holder, here) => {
      assert.equal(holder.take(hash), true);
      assert.equal(here.take(hash), false);
      withClock((go) => {
        assert.equal(here.isAbandoned(hash), false);
        go(31);
        assert.equal(here.take(hash), true);
      });
    });
  } finally {
    Deno.FsFile.prototype.tryLockSync = tryLockSync;
  }
});
