/** Numbers of things that pages tell are those of the code; a count that nothing checks is red. */
import assert from "node:assert/strict";
import { tableNames } from "../../src/pipeline/store/schema.ts";
import { pages, prose, read } from "./markdown.ts";

/** A count in a page: the words around it, and how many there are. */
interface Count {
  readonly page: string;
  readonly words: RegExp;
  readonly count: () => number;
}

const counts: readonly Count[] = [
  {
    page: "bench/results/staleness.md",
    words: /all (\d+) tables of/,
    count: () => tableNames.length,
  },
  { page: "docs/python.md", words: /(\d+) distributions, mixtures/, count: pythonFamilies },
];

/** Random variables that the package for Python has words for. */
function pythonFamilies(): number {
  return [...read("python/sluice/_families.py").matchAll(/^ {4}"\w+":/gm)].length;
}

/** Things of which the code has a registry, so that a count of them grows old. */
const counted =
  /\b\d+ (?:families|distributions|tables of|stage kinds|kinds of stages|judges|commands|objectives|environments|migrations)\b/g;

/** Counts in a text that no entry checks. */
function unchecked(page: string, text: string): string[] {
  const known = counts.filter((one) => one.page === page).map(({ words }) => words.exec(text)![0]);
  return [...text.matchAll(counted)].map(([found]) => found)
    .filter((found) => !known.some((words) => words.includes(found)))
    .map((found) => `${page}: ${found}`);
}

for (const { page, words, count } of counts) {
  Deno.test(`${page} tells the number of ${words.source} that there are`, () => {
    assert.equal(Number(words.exec(read(page))?.[1]), count());
  });
}

Deno.test("no page counts by hand what the code has a registry of", () => {
  const told = pages().filter((page) => !page.startsWith("docs/design/"));
  assert.deepEqual(told.flatMap((page) => unchecked(page, prose(page))), []);
});

Deno.test("a count that nothing checks is red, one that is checked is not", () => {
  const text = "All 63 families and 36 distributions, mixtures and slices.";
  assert.deepEqual(unchecked("docs/python.md", text), ["docs/python.md: 63 families"]);
});
