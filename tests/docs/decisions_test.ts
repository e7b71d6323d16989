/** Decisions are numbered without gaps or doubles, and their table says what their titles say. */
import assert from "node:assert/strict";
import { pages, read } from "./markdown.ts";

const folder = "docs/decisions/";
const records = pages().filter((page) => /decisions\/\d{4}-[a-z0-9-]+\.md$/.test(page));

function numberOf(record: string): string {
  return record.slice(folder.length, folder.length + 4);
}

Deno.test("every number is given once, and none is left out", () => {
  const expected = records.map((_, index) => String(index + 1).padStart(4, "0"));
  assert.deepEqual(records.map(numberOf), expected);
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
