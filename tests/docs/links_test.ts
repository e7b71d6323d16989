/** Every link between the repository's pages leads somewhere, and every page can be reached. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { anchors, home, type Link, links, pages } from "./markdown.ts";

const all = pages().flatMap(links);

function leads({ file, anchor }: Link): boolean {
  if (!existsSync(join(home, file))) return false;
  return anchor === undefined || (file.endsWith(".md") && anchors(file).has(anchor));
}

Deno.test("every relative link of a page names a file that is there, and a heading in it", () => {
  assert(all.length > 100);
  const broken = all.filter((link) => !leads(link));
  assert.deepEqual(broken.map(({ from, written }) => `${from}: ${written}`), []);
});

Deno.test("every page can be reached from the README", () => {
  const reached = new Set(["README.md"]);
  for (const page of reached) {
    const next = all.filter(({ from }) => from === page).map(({ file }) => file);
    next.filter((file) => file.endsWith(".md")).forEach((file) => reached.add(file));
  }
  assert.deepEqual(pages().filter((page) => !reached.has(page)), []);
});

Deno.test("a link to a missing file, or to a missing heading, is found", () => {
  const link = { from: "README.md", written: "", file: "README.md", anchor: undefined };
  assert(leads(link));
  assert(leads({ ...link, anchor: "the-pipeline-file" }));
  assert(!leads({ ...link, anchor: "the-pipline-file" }));
  assert(!leads({ ...link, file: "docs/nowhere.md" }));
});
