/** Tests of writing: whole files, names that never meet, and what a disk says. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { explainWrites, writeAtomic } from "../../src/base/atomic.ts";
import { InputError, MissingPartError } from "../../src/base/diagnostic.ts";
import { inFolder } from "../pipeline/store/folder.ts";

Deno.test("two writers with the same process number never share a temporary file", async () => {
  await inFolder((root) => {
    const names: string[] = [];
    const rename = Deno.renameSync;
    Deno.renameSync = (from, to) => {
      names.push(`${from}`);
      rename(from, to);
    };
    try {
      for (let i = 0; i < 3; i++) writeAtomic(join(root, "a"), `${i}`);
    } finally {
      Deno.renameSync = rename;
    }
    assert.equal(new Set(names).size, 3);
    for (const name of names) assert.match(name, /\.tmp-[0-9a-f-]{36}$/);
    assert.equal(Deno.readTextFileSync(join(root, "a")), "2");
  });
});

Deno.test("a full disk is a missing part: free space and run again", () => {
  const full = () => {
    throw new Error("Failed to append: Could not write: No space left on device (os error 28)");
  };
  assert.throws(() => explainWrites("/p/run.duckdb", full), (error) => {
    assert.ok(error instanceof MissingPartError);
    assert.match(error.message, /^Cannot write \/p\/run\.duckdb: .*No space left/);
    assert.match(error.remedy, /^free space and run again; nothing is lost/);
    return true;
  });
});

Deno.test("a place that cannot be written is the user's mistake", async () => {
  await inFolder((root) => {
    Deno.writeTextFileSync(join(root, "file"), "");
    assert.throws(() => writeAtomic(join(root, "file", "a"), "x"), InputError);
  });
});
