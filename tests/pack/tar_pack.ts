/** Archives written by src/experiments/bundle/tar.ts, read back by the system's own tar. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { sha256 } from "../../src/base/digest.ts";
import { tar, type TarEntry } from "../../src/experiments/bundle/tar.ts";
import { runIn } from "./documented_project.ts";

const long = `package/${"folder/".repeat(14)}${"name".repeat(12)}.txt`;
const entries: readonly TarEntry[] = [
  { path: "package/small.txt", bytes: new TextEncoder().encode("β") },
  { path: long, bytes: new Uint8Array(513).fill(65) },
  { path: "package/bin.js", bytes: new Uint8Array(0), executable: true },
];

Deno.test("tar() writes what tar reads: contents, long paths, modes", () => {
  const folder = Deno.makeTempDirSync({ prefix: "sluice-tar-" });
  try {
    Deno.writeFileSync(join(folder, "a.tar"), tar(entries));
    const { code, all } = runIn(folder, "tar", "-xf", "a.tar");
    assert.equal(code, 0, all);
    for (const { path, bytes, executable = false } of entries) {
      assert.deepEqual(Deno.readFileSync(join(folder, path)), bytes, path);
      const mode = Deno.statSync(join(folder, path)).mode! & 0o100;
      assert.equal(mode !== 0, executable, path);
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("tar() depends on the files, not on their order", () => {
  assert.equal(sha256(tar(entries)), sha256(tar([...entries].reverse())));
});

Deno.test("tar() refuses a path that no header can hold", () => {
  const path = "a".repeat(101);
  assert.throws(() => tar([{ path, bytes: new Uint8Array() }]), /path too long/);
});
