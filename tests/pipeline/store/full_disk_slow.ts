/** A full disk is a part that is missing, with the remedy, whichever part meets it first: here DuckDB. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("./full_disk_main.ts", import.meta.url));
const config = fileURLToPath(new URL("../../../deno.json", import.meta.url));

/** Runs a case on a disk of 3 MB, in memory. */
async function onSmallDisk(kase: string): Promise<string> {
  const disk = ["--dev-bind", "/", "/", "--size", `${3 * 1024 ** 2}`, "--tmpfs", "/mnt"];
  const args = [...disk, Deno.execPath(), "run", "-A", "--config", config, main, "/mnt", kase];
  const { code, stdout, stderr } = await new Deno.Command("bwrap", { args }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

for (const kase of ["create", "append"]) {
  Deno.test(`a disk that is full at "${kase}" is a missing part, and says what to do`, async () => {
    const said = await onSmallDisk(kase);
    assert.match(said, /^MissingPartError: Cannot write .*run\.duckdb/s);
    assert.match(said, /free space and run again; nothing is lost/);
  });
}
