/** `sluice install` refuses bad requests before it starts a process; messages of missing parts name it. */
import assert from "node:assert/strict";
import { MissingPartError } from "../../src/base/diagnostic.ts";
import { llamaProcess } from "../../src/oracle/llama_files.ts";
import { blasRemedy } from "../../src/oracle/messages.ts";
import { runCommand } from "../../src/cli/run_command.ts";

Deno.test("libraries that nobody knows, and what belongs to another one, are refused", async () => {
  for (const words of [["nothing"], ["blas", "folder"], ["llama", "--gpu"], []]) {
    assert.equal(await runCommand(["install", ...words]), 2, words.join(" "));
  }
});

Deno.test("what is missing names the command that installs it, as the user calls Sluice", () => {
  assert.equal(blasRemedy, "deno task sluice install blas");
  try {
    llamaProcess();
  } catch (error) {
    assert.ok(error instanceof MissingPartError);
    assert.match(error.remedy, /^deno task sluice install llama/);
  }
});
