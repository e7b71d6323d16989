/** What a command writes stays in the folder, whatever links the folder came with. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { requireWritable } from "../../src/cli/output_files.ts";

Deno.test("an output below a link that leads out of the folder is refused", async () => {
  const [folder, outside] = [Deno.makeTempDirSync(), Deno.makeTempDirSync()];
  const before = Deno.cwd();
  Deno.chdir(folder);
  try {
    Deno.symlinkSync(outside, "out");
    Deno.mkdirSync("own");
    Deno.symlinkSync(join(folder, "own"), "inner");
    for (const path of ["out", "out/table.csv", "out/deep/table.csv"]) {
      await assert.rejects(
        requireWritable("--out", path),
        /a symbolic link leads out of the project/,
      );
    }
    await requireWritable("--out", "own/table.csv");
    await requireWritable("--out", "inner/table.csv");
    // Who writes the path in full means it.
    await requireWritable("--out", join(outside, "table.csv"));
  } finally {
    Deno.chdir(before);
    Deno.removeSync(folder, { recursive: true });
    Deno.removeSync(outside, { recursive: true });
  }
});
