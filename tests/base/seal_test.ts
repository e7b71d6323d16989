/** Tests of seals: whose they are, what breaks them, and where the key lies. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { isSealed, openSealer } from "../../src/base/seal.ts";
import { addTrust, readTrust, removeTrust } from "../../src/base/trust.ts";
import { inFolder } from "../pipeline/store/folder.ts";
import { withConfig } from "./config_folder.ts";

Deno.test("a seal holds for its text and its key alone", async () => {
  await withConfig(async () => {
    const sealer = openSealer("/nowhere");
    const seal = sealer.seal("text");
    assert.ok(isSealed("text", seal, sealer.keyId));
    assert.ok(!isSealed("texs", seal, sealer.keyId));
    assert.ok(!isSealed("text", seal.replace(/^../, "00"), sealer.keyId));
    assert.ok(!isSealed("text", "", sealer.keyId));
    await withConfig(() => {
      const other = openSealer("/nowhere");
      assert.notEqual(other.keyId, sealer.keyId);
      assert.ok(!isSealed("text", seal, other.keyId));
    });
  });
});

Deno.test("the key is the user's, made once, and readable by its owner only", async () => {
  await withConfig((folder) => {
    const first = openSealer("/nowhere");
    assert.equal(openSealer("/nowhere").keyId, first.keyId);
    assert.equal(first.ofProject, false);
    assert.equal(Deno.statSync(join(folder, "sluice", "key")).mode! & 0o777, 0o600);
    assert.deepEqual([...Deno.readDirSync(join(folder, "sluice"))].map(({ name }) => name), [
      "key",
    ]);
  });
});

Deno.test("where the user's folder cannot be written the project has a key, and it is told", async () => {
  await inFolder(async (root) => {
    await withConfig((folder) => {
      Deno.writeTextFileSync(join(folder, "sluice"), "a file stands in the way");
      const sealer = openSealer(root);
      assert.equal(sealer.ofProject, true);
      assert.equal(openSealer(root).keyId, sealer.keyId);
      assert.ok(Deno.statSync(join(root, ".sluice", "key")).isFile);
      assert.equal(Deno.readTextFileSync(join(root, ".sluice", ".gitignore")), "*\n");
    });
  });
});

Deno.test("keys and folders are put on the list of trust and taken off", async () => {
  await withConfig(() => {
    const key = "ab".repeat(32);
    assert.deepEqual(addTrust(key.toUpperCase()), { keys: [key], folders: [] });
    assert.deepEqual(addTrust("/tmp/"), { keys: [key], folders: ["/tmp"] });
    assert.deepEqual(readTrust(), { keys: [key], folders: ["/tmp"] });
    assert.deepEqual(removeTrust(key), { keys: [], folders: ["/tmp"] });
    assert.throws(() => addTrust("ab".repeat(31)), /it is no key, and there is no such folder/);
    assert.throws(() => removeTrust(key), /it is not on the list/);
  });
});
