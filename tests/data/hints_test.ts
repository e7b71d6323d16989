/** Questions about columns whose numbers leave their meaning open. */
import assert from "node:assert/strict";
import { inspectTable } from "../../src/data/inspect.ts";
import { hintOfExposure, hintOfRepeated } from "../../src/data/hints.ts";
import { parseTable } from "../../src/data/raw_table.ts";

const blocks = (numbers: readonly number[], length = 3) =>
  numbers.flatMap((number) => Array<number>(length).fill(number));

Deno.test("numbers that stand in blocks may be names; those that come back or are alone are none", () => {
  const persons = [11, 12, 13, 14, 15];
  assert.match(hintOfRepeated("pers. id", blocks(persons))!, /--group 'pers\. id'$/);
  assert.equal(hintOfRepeated("day", [...persons, ...persons, ...persons]), undefined);
  assert.equal(hintOfRepeated("x", persons), undefined);
  assert.equal(hintOfRepeated("dose", blocks([0, 1, 2, 4])), undefined, "few");
  assert.equal(hintOfRepeated("x", blocks([0.5, 1, 2, 4, 8])), undefined, "measured");
});

Deno.test("a time or an area above 0 may be what was counted on", () => {
  assert.match(hintOfExposure("hours", [1.5, 2])!, /offset/);
  assert.match(hintOfExposure("Effort (h)", [1.5, 2])!, /offset/);
  assert.equal(hintOfExposure("hours", [0, 2]), undefined);
  assert.equal(hintOfExposure("temperature", [1, 2]), undefined);
});

Deno.test("an exposure is asked about beside counts alone, and a response never", async () => {
  const rows = blocks([1, 2, 3, 4, 5], 2).map((hours, i) => `${hours},${i % 4},${i / 2}`);
  const text = ["hours,seen,mass", ...rows, ""].join("\n");
  const table = await parseTable(new TextEncoder().encode(text), "d.csv");
  const hintOf = (name: string, response: string) =>
    inspectTable(table, response).find((one) => one.name === name)!.hint;
  assert.match(hintOf("hours", "mass")!, /--group hours/, "blocks come first");
  assert.equal(hintOf("hours", "hours"), undefined);
  const loose = text.replace("1,0,0", "1.5,0,0");
  const other = await parseTable(new TextEncoder().encode(loose), "d.csv");
  const [hours] = inspectTable(other, "seen");
  assert.match(hours.hint!, /offset/);
  assert.equal(inspectTable(other, "mass")[0].hint, undefined);
});
