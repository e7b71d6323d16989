/** The commands that the README and the pages print are commands that a reader can run. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { home, pages, read } from "./markdown.ts";

/** Lines of the shell blocks of a page, without their comments. */
function commands(page: string): string[] {
  return [...read(page).matchAll(/^```sh\n([\s\S]*?)^```/gm)]
    .flatMap(([, block]) => block.replace(/\\\n/g, " ").split("\n"))
    .map((line) => line.replace(/(^|\s)#.*$/, "").trim())
    .filter((line) => line !== "");
}

const checkout = pages().filter((page) => page !== "docs/from_another_repository.md");
const lines = checkout.flatMap((page) => commands(page).map((line) => ({ page, line })));

Deno.test("every file that a printed command reads is in the repository", () => {
  const missing = lines.flatMap(({ page, line }) =>
    line.split(/\s+/)
      .map((word) => word.replace(/^@/, ""))
      .filter((word) => /^[\w./-]+\.(toml|csv|py|ts)$/.test(word))
      .filter((word) => !existsSync(join(home, word)))
      .map((word) => `${page}: ${word}`)
  );
  assert.deepEqual(missing, []);
});

Deno.test("every task that a page names, in a command or in its text, is one of deno.json", () => {
  const { tasks } = JSON.parse(read("deno.json"));
  const named = pages().flatMap((page) =>
    [...read(page).matchAll(/\bdeno(?:@[\d.]+)?\s+task\s+(?:-q\s+)?([a-z][a-z0-9:_-]*)/g)]
      .map(([, task]) => ({ page, task: task.replace(/:$/, "") }))
  );
  assert(named.length > 50);
  assert.deepEqual(named.filter(({ task }) => !(task in tasks)), []);
});
