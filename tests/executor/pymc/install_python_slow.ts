/** The installation of Python on a machine that has none. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../../temporary_folder.ts";

const installer = fileURLToPath(
  new URL("../../../src/executor/pymc/install_python.ts", import.meta.url),
);

Deno.test("a machine without python3 is told so, with what to install", () => {
  const folder = temporaryFolder();
  const args = ["run", "--no-check", "--allow-all", installer, folder];
  const { code, stderr } = new Deno.Command(Deno.execPath(), { args, env: { PATH: folder } })
    .outputSync();
  const said = new TextDecoder().decode(stderr);
  assert.equal(code, 3, said);
  assert.match(
    said,
    /Cannot install Python: python3 is missing\s+mend: install Python 3\.11 with venv/,
  );
});
