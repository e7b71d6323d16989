/** Every work that is cited by author and year stands in the bibliography, whole. */
import assert from "node:assert/strict";
import { bibliography, type Citation, citationsOf, citingFiles, means } from "./citations.ts";

const entries = bibliography();
const citations = citingFiles().flatMap(citationsOf);

function written({ file, author, year }: Citation): string {
  return `${file}: ${author} ${year}`;
}

Deno.test("every work that sources and docs cite has an entry", () => {
  assert(citations.length > 300);
  const unknown = citations.filter((citation) => !entries.some((entry) => means(entry, citation)));
  assert.deepEqual([...new Set(unknown.map(written))], []);
});

Deno.test("every entry is cited, once in the list, with what its kind of work needs", () => {
  const needed: Record<string, string[]> = {
    article: ["journal", "volume"],
    book: ["publisher"],
    incollection: ["booktitle", "publisher", "pages"],
    inproceedings: ["booktitle"],
    techreport: ["institution"],
    misc: [],
  };
  for (const entry of entries) {
    const { key, type, fields } = entry;
    for (const field of ["author", "title", "year", ...needed[type]]) {
      assert(fields.has(field), key);
    }
    if (type === "misc") assert(fields.has("eprint") || fields.has("howpublished"), key);
    assert(citations.some((citation) => means(entry, citation)), `${key} is never cited`);
  }
  assert.equal(new Set(entries.map(({ key }) => key)).size, entries.length);
});

Deno.test("authors are read with their accents, and several ways to cite are found", () => {
  const [entry] = entries.filter(({ key }) => key === "Deleu2022");
  assert.deepEqual(entry.authors.slice(0, 2), ["Deleu", "Gois"]);
  const found = citationsOf("docs/distributions.md").length + citationsOf("README.md").length;
  assert(found > 0);
});
