/** Decisions have numbers of their own, and their table says what their titles say. */
import assert from "node:assert/strict";
import { pages, read } from "./markdown.ts";

const folder = "docs/decisions/";
const records = pages().filter((page) => /decisions\/\d{4}-[a-z0-9-]+\.md$/.test(page));

function numberOf(record: string): string {
  return record.slice(folder.length, folder.length + 4);
}

Deno.test("no number is given twice", () => {
  const numbers = records.map(numberOf);
  assert.deepEqual([...new Set(numbers)], numbers);
});

Deno.test("the table lists every record by number and title, in order", () => {
  const rows = [
    ...read(`${folder}README.md`).matchAll(/^\| \[(\d{4})\]\(([^)]+)\) *\| (.*?) *\|$/gm),
  ];
  const listed = rows.map(([, number, file, title]) => `${file} # ${number}: ${title}`);
  const written = records.map((record) =>
    `${record.slice(folder.length)} ${read(record).split("\n")[0]}`
  );
  assert.deepEqual(listed, written);
});
