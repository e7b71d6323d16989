/** Rows are exchangeable: facts of rows that a program may not use, in any spelling, and those it may. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { dugongs } from "../density/data.ts";
import { memorisers } from "./memory_catalogue.ts";
import { data, honest, model, ordered, tables } from "./rows_catalogue.ts";

function codes(text: string, rows?: "ordered"): string[] {
  const result = checkProgram(text, data, "program.py", { rows });
  return result.ok ? [] : result.diagnostics.map(({ code }) => code);
}

for (const [name, lines] of Object.entries(honest)) {
  Deno.test(`rows may change places under ${name}`, () =>
    assert.deepEqual(codes(model(...lines)), []));
}

for (const [name, lines] of Object.entries(ordered)) {
  Deno.test(`rows are told apart by ${name}, which is right where they have an order`, () => {
    assert.deepEqual(codes(model(...lines)), ["lh/row-table"]);
    assert.deepEqual(codes(model(...lines), "ordered"), []);
  });
}

for (const [name, lines] of Object.entries(tables)) {
  Deno.test(`rows are told apart by ${name}`, () => {
    assert.deepEqual(codes(model(...lines)), ["lh/row-table"]);
  });
}

Deno.test("the refusal names the statement, what was found in it, and how to mend it", () => {
  const result = checkProgram(model("trend = np.arange(n) / n", "mu = a * trend"), data);
  assert.ok(!result.ok);
  const [{ message, span, hint }] = result.diagnostics;
  assert.match(message, /told apart by their order: found 12 values by row number; wanted/);
  assert.equal(span?.line, 10);
  assert.match(hint ?? "", /rows = "ordered" in the target, or --rows ordered/);
});

Deno.test("a program that cannot be read in another order is told so", () => {
  const result = checkProgram(
    model("mu = a / (np.array(z)[0] - 3 + n * (np.array(z)[1] - 1) + 1)"),
    data,
  );
  assert.ok(!result.ok && result.diagnostics[0].code === "lh/row-table");
});

Deno.test("one row has no order", () => {
  const one = makeDataset("one", data.columns.map((c) => ({ ...c, values: c.values.slice(0, 1) })));
  assert.ok(checkProgram(model("mu = a * np.arange(n)"), one).ok);
});

for (const { title, program, refused } of memorisers(dugongs(0.01))) {
  Deno.test(`a response learnt by heart is refused: ${title}`, () => {
    const result = checkProgram(program, dugongs(0.01));
    assert.deepEqual(result.ok ? [] : result.diagnostics.map(({ code }) => code), [refused]);
    const walking = checkProgram(program, dugongs(0.01), undefined, { rows: "ordered" });
    assert.deepEqual(walking.ok ? [] : walking.diagnostics.map(({ code }) => code), [refused]);
  });
}
