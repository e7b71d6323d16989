/** A command writes into its folder only, even if the folder came with links. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { requireWritable } from "../../src/cli/output_files.ts";
import { temporaryFolder } from "../temporary_folder.ts";

Deno.test("an output below a link that leads out of the folder is refused", async () => {
  const [folder, outside] = [temporaryFolder(), temporaryFolder()];
  const asked = (path: string) => requireWritable("--out", path, folder);
  try {
    Deno.symlinkSync(outside, join(folder, "out"));
    Deno.mkdirSync(join(folder, "own"));
    Deno.symlinkSync(join(folder, "own"), join(folder, "inner"));
    for (const path of ["out", "out/table.csv", "out/deep/table.csv"]) {
      await assert.rejects(asked(path), /a symbolic link leads out of the project/);
    }
    await asked("own/table.csv");
    await asked("inner/table.csv");
    // Who writes the path in full means it.
    await asked(join(outside, "table.csv"));
  } finally {
    Deno.removeSync(folder, { recursive: true });
    Deno.removeSync(outside, { recursive: true });
  }
});
