/** The HTML report as text: texts from outside stay text, and the same facts give the same bytes. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { escaped, markup, tableOf } from "../../../src/report/html_report/html.ts";
import { visible } from "../../../src/report/visible_text.ts";
import { page } from "../../../src/report/html_report/page.ts";
import { drawAll } from "./draw_all.ts";
import { picturesOf } from "../../../src/report/html_report/pictures_of.ts";
import { hostile, pageFacts } from "./page_facts.ts";

const facts = pageFacts();
const drawn = await drawAll(picturesOf(facts));
const text = page(facts, drawn);

Deno.test("names, levels, comments and warnings of unknown origin add no element to a page", () => {
  const tags = [...text.matchAll(/<\s*(script|style|img|iframe|object|link|base|form|a)\b[^>]*>/gi)]
    .map(([tag]) => tag);
  const others = tags.filter((tag) => !/^<a href="#[a-z]+">$/.test(tag));
  assert.deepEqual(others, ["<style>", "<script>"]);
  const elements = [...text.replace(/"[^"]*"/g, '""').matchAll(/<[a-z][^>]*>/gi)].map(([tag]) =>
    tag
  );
  assert.ok(elements.length > 1000);
  const active = elements.filter((tag) =>
    /\s(?:on\w+|style|href|src|srcdoc|action)\s*=/i.test(tag)
  );
  assert.deepEqual([...new Set(active)], ['<a href="">'], "no handler, and no style but the sheet");
  const markedUp = Object.values(hostile).filter((name) => name.includes("<"));
  for (const name of markedUp) assert.ok(!text.includes(name), name);
  assert.ok(text.includes(escaped(hostile.comment)), "but all of it can be read");
});

Deno.test("only the style and the script of the page are let in, and nothing is loaded", () => {
  const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text)!;
  const digest = (tag: string) => {
    const [, content] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text)!;
    return `sha256-${createHash("sha256").update(content).digest("base64")}`;
  };
  assert.deepEqual(policy.replaceAll("&#39;", "'").split("; "), [
    "default-src 'none'",
    `style-src '${digest("style")}'`,
    `script-src '${digest("script")}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ]);
  assert.doesNotMatch(text, /(?:src|href)="(?!#)|url\((?!#)|@import/);
  assert.ok(text.indexOf("Content-Security-Policy") < text.indexOf("<title>"));
});

Deno.test("the same facts give the same bytes", async () => {
  const again = pageFacts();
  assert.equal(page(again, await drawAll(picturesOf(again))), text);
});

Deno.test("the line of a limit is drawn, also where every row is far below it", () => {
  const dashed = (name: string) => /stroke-dasharray="5,4"/.test(drawn.get(name)!.page);
  assert.ok(dashed("pareto_k"));
  assert.ok(!dashed("loo_pit"), "what has no limit has no such line");
});

Deno.test("every part is there, and pictures are drawn in two widths with what they show in words", () => {
  const ids = [...text.matchAll(/<h2 id="(\w+)"/g)].map(([, id]) => id);
  const wanted = ["data", "questions", "effects", "curves", "checks", "influence"];
  assert.deepEqual(ids, [...wanted, "warnings", "programs", "proof", "reproduce"]);
  assert.equal(drawn.size, 15);
  for (const { picture, page, phone } of drawn.values()) {
    assert.match(page, /width="6\d\d"/, picture.name);
    assert.match(phone, /width="3\d\d"/, picture.name);
    assert.ok(picture.alt.length > 10, picture.name);
    assert.doesNotMatch(page + phone, /NaN|undefined|Infinity/, picture.name);
  }
  assert.doesNotMatch(text, /\bNaN\b|undefined|\[object/);
});

Deno.test("what is missing is told with what would bring it, and leaves no empty part", async () => {
  const bare = pageFacts();
  const gone = { why: "The data are gone.", mend: "deno task sluice rank x.toml" };
  const { certificate: _, ...report } = bare.report;
  const less = { ...bare, data: gone, fits: gone, printed: [], report };
  const shown = page(less, await drawAll(picturesOf(less)));
  assert.match(shown, /The data are gone\. What brings it: <code>deno task sluice rank x\.toml/);
  assert.doesNotMatch(shown, /id="proof"|#proof/, "no proof, no section of it");
  assert.match(shown, /As its author wrote it/);
});

Deno.test("markup escapes text in elements and attributes, and shows what hides", () => {
  const nested = markup`<i>${["a", markup`<b>${1}</b>`, undefined]}</i>`;
  assert.equal(nested.text, "<i>a<b>1</b></i>");
  assert.equal(markup`<a title="${`"'&`}">`.text, '<a title="&quot;&#39;&amp;">');
  assert.equal(visible("a\u202eb\u0000c\ud800\nd"), "a\\u202eb\\u0000c\ufffd\nd");
  assert.match(tableOf(["<"], [["<td>", 2]]).text, /<td>&lt;td&gt;<\/td><td class="n">2<\/td>/);
});
