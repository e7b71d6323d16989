/** Essays of design stand in their index by their titles, and say the evidence that would change them. */
import assert from "node:assert/strict";
import { pages, read } from "./markdown.ts";

const essays = pages().filter((page) =>
  page.startsWith("docs/design/") && !page.endsWith("/README.md") && !page.endsWith("/budgets.md")
);
const index = read("docs/design/README.md");

/** Text with one blank for each gap, as lines may be broken anywhere. */
const plain = (text: string) => text.replaceAll(/\s+/g, " ");

Deno.test("the index names each essay by its title", () => {
  assert.ok(essays.length >= 30, `${essays.length}`);
  const missing = essays.filter((page) => {
    const [, title] = /^# (.+)$/m.exec(read(page)) ?? [];
    return !plain(index).includes(`[${title}](${page.split("/").at(-1)})`);
  });
  assert.deepEqual(missing, []);
});

Deno.test("each essay says the evidence that would change it", () => {
  const ends = /(?:^## When to reconsider\n\n|^\*\*When to reconsider\.\*\* )\S/m;
  assert.deepEqual(essays.filter((page) => !ends.test(read(page))), []);
});
