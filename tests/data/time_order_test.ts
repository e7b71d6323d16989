/** Columns that order rows in time, and those that cannot. */
import assert from "node:assert/strict";
import { type Column, makeDataset } from "../../src/base/dataset.ts";
import { InputError } from "../../src/base/diagnostic.ts";
import { inTimeOrder, type TimeSpec } from "../../src/data/time_order.ts";

function data(t: readonly number[], column: Partial<Column> = {}) {
  const values = Float64Array.from(t);
  return makeDataset("d", [
    { name: "y", role: "response", type: "real", values: values.map((_, i) => 10 * i) },
    { name: "year", role: "time", type: "real", values, ...column },
    { name: "whole", role: "predictor", type: "real", values: Float64Array.of(4), shape: [] },
  ]);
}

const spec = { column: "year" };

function message(dataset: ReturnType<typeof data>, given: TimeSpec = spec, isOrdered = false) {
  try {
    inTimeOrder(dataset, given, isOrdered);
  } catch (error) {
    assert.ok(error instanceof InputError);
    const [{ code, message, hint }] = error.diagnostics;
    return `[${code}] ${message} -- ${hint}`;
  }
  assert.fail("nothing was refused");
}

Deno.test("rows are put in the order of time, and data that are in order stay the same data", () => {
  const { dataset, time } = inTimeOrder(data([3, 1, 2, 5, 4]), { ...spec, first: 2 });
  assert.deepEqual([...dataset.columns[0].values], [10, 20, 0, 40, 30]);
  assert.deepEqual([...dataset.columns[2].values], [4]);
  assert.deepEqual(time, { column: "year", first: 2, ahead: 1 });
  const ordered = data([1, 2, 3, 4, 5]);
  assert.equal(inTimeOrder(ordered, spec, true).dataset, ordered);
  assert.equal(inTimeOrder(ordered, spec).time.first, 2);
});

Deno.test("what cannot order rows is refused with what to mend", () => {
  assert.equal(
    message(data([3, 1, 2]), spec, true),
    '[data/time] Cannot order the rows by "year": the target says rows = "ordered", but row 2 (1) ' +
      "belongs before row 1 (3) -- leave rows out: time orders them; or sort the file",
  );
  assert.equal(
    message(data([1, 2, 2, 3, 3, 2])),
    '[data/time] Cannot order the rows by "year": rows 2, 3, 6 have the same time, 2, 2 more rows ' +
      "tie -- give each row a time of its own, or one row to each time",
  );
  assert.match(
    message(data([0, 1, 2], { type: "category", categories: ["april", "june", "may"] })),
    /it holds text such as "april" -- give times as numbers/,
  );
  assert.match(message(data([1, 2, 3]), { column: "yaer" }), /no such column.*did you mean "year"/);
  assert.match(message(data([1, 2, 3]), { column: "y" }), /it is the response/);
  assert.match(message(data([1, 2, 3]), { column: "whole" }), /it holds no number per row/);
});

Deno.test("fewer rows than come first, with those ahead, are refused", () => {
  assert.equal(
    message(data([1, 2, 3]), { ...spec, first: 3 }),
    "[data/time] Cannot judge rows by those before them: the data have 3 rows, wanted at least 3 " +
      "rows that are not judged and 1 after them -- lower time_first or time_ahead (--time-first, " +
      "--time-ahead), or leave time out",
  );
  assert.match(message(data([1, 2, 3]), { ...spec, first: 2, ahead: 2 }), /and 2 after them/);
  assert.equal(inTimeOrder(data([1, 2, 3]), { ...spec, first: 2 }).time.first, 2);
});
