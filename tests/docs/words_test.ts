/** The rule of words: sentences begin with what acts, in the terms of the field. */
import assert from "node:assert/strict";
import { contents } from "../../site/contents.ts";
import { descriptions } from "../cli/help_texts.ts";
import {
  comments,
  firstLines,
  hashComments,
  literals,
  literalsOf,
  pages,
  read,
} from "./markdown.ts";
import { houseWords, impersonalStarts, longSentences, piecesOf } from "./words.ts";

/** The pages that a newcomer reads, by the site's order, and those that the front page sends to. */
const tutorials = contents.filter(({ title }) =>
  ["I have data", "I train policies", "I build on it", "Questions"].includes(title)
)
  .flatMap(({ pages }) => pages.map(([, path]) => path))
  .concat("docs/running.md", "docs/target.md", "docs/extending.md");

Deno.test("the pages of every door are looked at", () => {
  assert(tutorials.length > 20, `${tutorials.length}`);
});

for (const page of tutorials) {
  Deno.test(`${page} begins its sentences with what acts`, () => {
    assert.deepEqual(impersonalStarts(read(page)), []);
    assert.deepEqual(houseWords(read(page)), []);
  });
}

Deno.test("no page has a word of the house that has a term of the field", () => {
  const of = (page: string) => houseWords(read(page)).map((word) => `${page}: ${word}`);
  assert.deepEqual(pages().flatMap(of), []);
});

/** Whether the first sentence of a text begins with an impersonal pronoun and asks nothing. */
function begins(text: string): boolean {
  return impersonalStarts(text).some((start) => text.startsWith(start));
}

Deno.test("first lines of files begin with a verb or a noun phrase of the field", () => {
  const found = ["src", "stages"].flatMap(firstLines);
  assert(found.length > 1200, `${found.length}`);
  assert.deepEqual(found.filter(begins), []);
});

Deno.test("descriptions of commands, options, keys and ports begin with what acts", () => {
  const found = descriptions();
  assert(found.length > 500, `${found.length}`);
  const faults = found.filter((one) => impersonalStarts(one).length + houseWords(one).length > 0);
  assert.deepEqual(faults, []);
});

const commented = [...comments(""), ...hashComments("")];

Deno.test("no sentence of a page or a comment begins with an impersonal pronoun", () => {
  assert.deepEqual(pages().flatMap((page) => impersonalStarts(read(page))), []);
  assert.deepEqual(commented.flatMap(impersonalStarts), []);
});

Deno.test("no comment has a word of the house that has a term of the field", () => {
  const of = (comment: string) => houseWords(comment).map((word) => `${word}: ${comment}`);
  assert(commented.length > 9_000, `${commented.length}`);
  assert.deepEqual(commented.flatMap(of), []);
});

/** Texts of the code that are sentences or parts of them. */
const texts = ["src", "stages"].flatMap(literals).filter((text) => text.includes(" "));

Deno.test("no text in the code has a word of the house that has a term of the field", () => {
  const lines = texts.filter((text) => !text.includes("\n")); // others may be code between texts
  assert.deepEqual(lines.flatMap((line) => houseWords(line).map((word) => `${word}: ${line}`)), []);
});

/** The prompt of an agent, under which answers of models were measured. */
const measured = 'What you asked so far:\\n${steps.join("\\n")}';

Deno.test("no text in the code begins with an impersonal pronoun, questions and one prompt apart", () => {
  assert(texts.length > 10_000, `${texts.length}`);
  assert.deepEqual(texts.filter((text) => begins(text)), [measured]);
  assert.deepEqual(literalsOf('f("Whoever asks"); // "what"\ng(`what ${a}`, "no");'), [
    ...["Whoever asks", "what ${a}", ', "no");', "no"],
  ]);
});

/** Words of `docs` with code and tables: more are not welcome. */
const mostWords = 100_000;

Deno.test("no sentence has more than forty words", () => {
  assert.deepEqual(pages().flatMap((page) => longSentences(read(page), 40)), []);
});

Deno.test("the pages of docs do not grow", () => {
  const words = pages().filter((page) => page.startsWith("docs/"))
    .reduce((sum, page) => sum + piecesOf(read(page)), 0);
  assert(words <= mostWords, `${words} words, ${mostWords} at most`);
});

Deno.test("a long sentence is found by its words, whatever code and tables are about it", () => {
  const page = `# A title\n\nIt has ${
    "a ".repeat(40)
  }end. Short (et al. 2020).\n\n| a | b |\n\n- an item\n`;
  assert.equal(longSentences(page, 40).length, 1);
  assert.equal(longSentences(page, 43).length, 0);
  assert.equal(piecesOf("# A title\n\n| a | b |\n"), 3 + 5);
});

Deno.test("the front page is at most 9 KB", () => {
  assert(new TextEncoder().encode(read("README.md")).length <= 9_000);
});

Deno.test("an impersonal start and a house word are found", () => {
  assert.deepEqual(impersonalStarts("It runs. What stands here, runs."), [
    "What stands here, runs.",
  ]);
  assert.deepEqual(impersonalStarts("# Nobody is asked"), ["Nobody is asked"]);
  assert.deepEqual(impersonalStarts("policy: what answers"), ["what answers"]);
  assert.deepEqual(impersonalStarts("What is a policy?\n\n```ts\n// What it is.\n```"), []);
  assert.deepEqual(houseWords("Having been chosen flatters it."), ["flatters: selection bias"]);
});
