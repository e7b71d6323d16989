/** Tests of what is read at all: regular files below a limit, and links that stay inside. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { InputError } from "../../src/base/diagnostic.ts";
import { sha256 } from "../../src/base/digest.ts";
import { hashRegular, readRegular, refuseLinksOutside } from "../../src/base/regular_file.ts";
import { inFolder } from "../pipeline/store/folder.ts";

function codeOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof InputError, `${error}`);
    return error.diagnostics[0].code;
  }
  return "none";
}

Deno.test("a regular file is read and hashed, however many chunks it has", async () => {
  await inFolder((root) => {
    for (const length of [0, 1, 1024 * 1024, 2_500_001]) {
      const bytes = new Uint8Array(length).map((_, i) => i % 251);
      Deno.writeFileSync(join(root, "a"), bytes);
      assert.deepEqual(readRegular(join(root, "a")), bytes);
      assert.equal(hashRegular(join(root, "a")), sha256(bytes));
    }
  });
});

Deno.test("pipes, devices and folders are refused before they are opened", async () => {
  await inFolder(async (root) => {
    await new Deno.Command("mkfifo", { args: [join(root, "pipe")] }).output();
    Deno.symlinkSync("/dev/zero", join(root, "zero"));
    for (const [name, what] of [["pipe", "a pipe"], ["zero", "a device"], [".", "a folder"]]) {
      assert.throws(() => readRegular(join(root, name)), new RegExp(`it is ${what}, wanted`));
      assert.equal(codeOf(() => hashRegular(join(root, name))), "file/not-regular");
    }
  });
});

Deno.test("a file above the limit is refused, and the flag that raises it is named", async () => {
  await inFolder((root) => {
    const path = join(root, "large");
    Deno.writeTextFileSync(path, "");
    Deno.truncateSync(path, 3 * 1024 ** 3); // sparse: it takes no room
    assert.throws(() => hashRegular(path), /3\.00 GiB, more than the limit of 1\.00 GiB/);
    assert.equal(codeOf(() => readRegular(path)), "file/too-large");
    Deno.writeTextFileSync(path, "12345");
    assert.equal(codeOf(() => readRegular(path, 4)), "file/too-large");
    assert.equal(readRegular(path, 5).length, 5);
  });
});

Deno.test("a link that leaves the folder is refused unless its end is trusted", async () => {
  await inFolder(async (root) => {
    await inFolder((outside) => {
      Deno.writeTextFileSync(join(outside, "data.csv"), "y\n1\n");
      Deno.writeTextFileSync(join(root, "own.csv"), "y\n1\n");
      Deno.symlinkSync(join(root, "own.csv"), join(root, "inner.csv"));
      Deno.symlinkSync(outside, join(root, "folder"));
      const link = join(root, "folder", "data.csv");
      refuseLinksOutside(join(root, "own.csv"), root);
      refuseLinksOutside(join(root, "inner.csv"), root);
      refuseLinksOutside(join(root, "missing.csv"), root);
      refuseLinksOutside(join(outside, "data.csv"), root);
      assert.equal(codeOf(() => refuseLinksOutside(link, root)), "file/link-outside");
      refuseLinksOutside(link, root, [outside]);
      assert.equal(codeOf(() => refuseLinksOutside(link, root, ["/nowhere"])), "file/link-outside");
    });
  });
});
