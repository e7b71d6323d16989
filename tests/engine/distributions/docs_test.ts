/** The page about distributions says what the code does. */
import assert from "node:assert/strict";
import { families } from "../../../src/engine/language/distributions/table.ts";
import { distributionTable, tableMarks } from "../../../tools/distribution_table.ts";

const page = Deno.readTextFileSync(new URL("../../../docs/distributions.md", import.meta.url));

/** Cells without the padding that formatting gives them. */
const plain = (table: string) =>
  table.trim().split("\n").map((row) => row.replaceAll(/ +/g, " ").replaceAll(/-+/g, "-"));

Deno.test("docs/distributions.md holds the table of the code", () => {
  const written = page.split(tableMarks[0])[1].split(tableMarks[1])[0];
  assert.deepEqual(plain(written), plain(distributionTable()));
});

Deno.test("every family is in the golden files", () => {
  const read = (name: string) =>
    Deno.readTextFileSync(new URL(`../../golden/${name}`, import.meta.url));
  const golden = read("distributions.json") + read("structured.json");
  const missing = Object.values(families).filter(({ signature, ofWindows }) =>
    !ofWindows && !golden.includes(`"name": "${signature.names[0]}`)
  );
  assert.deepEqual(missing.map(({ signature }) => signature.names[0]), []);
});
