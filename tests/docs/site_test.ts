/** The documentation site has every page, in an order, and none of its links is dead. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { faultsOfSite } from "../../site/check.ts";
import { contents, madePages } from "../../site/contents.ts";
import { notebookPage } from "../../site/notebooks.ts";
import { pageOf, sitePages } from "../../site/pages.ts";
import { home, pages } from "./markdown.ts";

Deno.test("the sidebar has every page once, and no other", () => {
  const listed = contents.flatMap((part) => part.pages.map(([, path]) => path));
  const own = pages().filter((page) => !page.startsWith("docs/design/"));
  assert.deepEqual(
    listed.filter((page) => page.endsWith(".md")).sort(),
    [...own, ...madePages, "schemas/keys.md"].sort(),
  );
  assert.equal(new Set(listed).size, listed.length);
});

Deno.test("the site has a page for all that its pages link to", () => {
  const site = sitePages(home);
  for (const part of contents) {
    for (const [, path] of part.pages) {
      assert(site.has(pageOf(path)) || madePages.includes(path), path);
    }
  }
  const linked = [...site].flatMap(([from, text]) =>
    [...`${text}`.matchAll(/\]\(\/([^)\s#]+)/g)].map(([, page]) => ({
      from,
      page,
    }))
  );
  assert(linked.length > 200);
  assert.deepEqual(linked.filter(({ page }) => !site.has(page)), []);
});

Deno.test("a source that is linked to is shown as it is", () => {
  const page = `${sitePages(home).get("docs/examples/log_linear_policy.ts.md")}`;
  assert(
    page.includes(
      Deno.readTextFileSync(join(home, "docs/examples/log_linear_policy.ts")).trimEnd(),
    ),
  );
});

Deno.test("a dead link, a missing anchor and a font from the net are found in a built site", () => {
  const folder = Deno.makeTempDirSync({ prefix: "sluice-site-" });
  try {
    Deno.mkdirSync(join(folder, "docs"));
    const write = (name: string, html: string) => Deno.writeTextFileSync(join(folder, name), html);
    write(
      "index.html",
      `<h1 id="top">A</h1><a href="/docs/b.html#here">b</a><a href="#top">t</a>`,
    );
    write("docs/b.html", `<h2 id="here">B</h2><a href="../">home</a>`);
    assert.deepEqual(faultsOfSite(folder), []);
    write(
      "docs/b.html",
      `<link rel="preload" href="https://fonts.example/a.woff2"><a href="c.html">c</a>`,
    );
    assert.deepEqual(faultsOfSite(folder), [
      "docs/b.html: c.html leads nowhere",
      "docs/b.html: asks the network for https://fonts.example/a.woff2",
      "index.html: /docs/b.html#here leads nowhere",
    ]);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("a notebook is a page: its text, its code, and what that showed", () => {
  const page = notebookPage(JSON.stringify({
    cells: [
      { cell_type: "markdown", source: ["# Curves\n", "\n", "Which one?"] },
      {
        cell_type: "code",
        source: "score",
        outputs: [{
          data: {
            "text/html": "<b>{{ 1 }}</b>\n\n<i>2</i>",
            "text/plain": "Score",
          },
        }],
      },
      {
        cell_type: "code",
        source: "print(1)",
        outputs: [{ name: "stdout", text: ["1\n"] }],
      },
    ],
  }));
  assert.equal(
    page,
    "# Curves\n\nWhich one?\n\n```python\nscore\n```\n\n" +
      '<div class="output" v-pre><b>{{ 1 }}</b>\n<i>2</i></div>\n\n' +
      "```python\nprint(1)\n```\n\n```txt\n1\n```\n",
  );
});
