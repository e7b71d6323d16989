/** Decisions have numbers of their own and a status, and their table is the generated one. */
import assert from "node:assert/strict";
import { decisionMarks, decisionRecords, decisionTable } from "../../tools/decision_table.ts";
import { read } from "./markdown.ts";

const records = decisionRecords();

/** Cells without the padding that formatting gives them. */
const plain = (table: string) =>
  table.trim().split("\n").map((row) => row.replaceAll(/ +/g, " ").replaceAll(/-+/g, "-"));

Deno.test("no number is given twice", () => {
  const numbers = records.map(({ number }) => number);
  assert.deepEqual([...new Set(numbers)], numbers);
});

Deno.test("every record says whether it holds or what has taken its place", () => {
  const known = /^(Holds|Replaced by \[\d{4}\]|Folded into \[)/;
  assert.deepEqual(records.filter(({ status }) => !known.test(status)), []);
});

Deno.test("a record that another extends says so, as long as it holds", () => {
  const extended = records.flatMap(({ file, status }) => {
    const [, links = ""] =
      /(?:Extends|Amends) ((?:\[\d{4}\]\([^)]*\)(?:,? and |, )?)+)/.exec(status) ?? [];
    return [...links.matchAll(/\[(\d{4})\]/g)].map(([, number]) => ({ number, by: file }));
  });
  assert.ok(extended.length > 40);
  const silent = extended.filter(({ number, by }) => {
    const { status } = records.find((record) => record.number === number)!;
    return status.startsWith("Holds") && !status.includes(by);
  });
  assert.deepEqual(silent, []);
});

Deno.test("docs/decisions/README.md holds the generated table", () => {
  const page = read("docs/decisions/README.md");
  const written = page.split(decisionMarks[0])[1].split(decisionMarks[1])[0];
  const remedy = "deno run -A tools/decision_table.ts && deno fmt docs/decisions";
  assert.deepEqual(plain(written), plain(decisionTable()), remedy);
});
