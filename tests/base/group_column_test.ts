/** Which column says what rows belong together. */
import assert from "node:assert/strict";
import { type Column, groupColumn, makeDataset } from "../../src/base/dataset.ts";

const group = (name: string, ...values: number[]): Column => ({
  ...{ name, role: "group", type: "category", categories: ["a", "b", "c"] },
  values: Float64Array.from(values),
});
const y: Column = { name: "y", role: "response", type: "count", values: Float64Array.of(1, 2, 3) };

Deno.test("a level for each row is no group to leave out, one with several rows is", () => {
  const found = (...columns: Column[]) => groupColumn(makeDataset("d", [y, ...columns]))?.name;
  assert.equal(found(group("row", 0, 1, 2)), undefined);
  assert.equal(found(group("row", 0, 1, 2), group("brood", 0, 1, 1)), "brood");
  assert.equal(found(), undefined);
});
