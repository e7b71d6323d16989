/** Files of examples before anything is learnt: lines that ask none of the prompts that are wired. */
import assert from "node:assert/strict";
import type { InputError } from "../../src/base/diagnostic.ts";
import { checkFiles } from "../../stages/sft/check_files.ts";

Deno.test("a line that asks no prompt is found, with what prompts ask; conversations are left to the run", async () => {
  const file = Deno.makeTempFileSync({ suffix: ".jsonl" });
  const lines = [
    { prompt: "A model:", completion: "a" },
    { messages: [{ role: "user", content: "A model?" }, { role: "assistant", content: "a" }] },
    { prompt: "A model:\n", completion: "b" },
  ];
  Deno.writeTextFileSync(file, lines.map((one) => JSON.stringify(one)).join("\n"));
  const asking = (
    text: string,
  ) => [{ id: "one", text, shows: [], informed: false, held_out: false }];
  await checkFiles({ file });
  await assert.rejects(() => checkFiles({ file }, asking("A model:")), (error: InputError) => {
    const [{ message, hint }] = error.diagnostics;
    assert.match(message, /:3: what it asks is none of the prompts/);
    assert.match(hint!, /"one" asks "A model:"/);
    return true;
  });
  Deno.writeTextFileSync(file, JSON.stringify(lines[0]));
  await checkFiles({ file }, asking("A model:"));
  Deno.removeSync(file);
});
