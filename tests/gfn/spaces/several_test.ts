/** Formulas of several responses. */
import assert from "node:assert/strict";
import { singleResponses } from "../../../src/gfn/spaces/formula/several.ts";

const formulasOf = (formula: string) => singleResponses(formula).map((one) => one.formula);

Deno.test("mvbind asks about each response by the same right side", () => {
  assert.deepEqual(formulasOf("mvbind(a, `b c`, log(d)) ~ [x] + (1 | g); sigma ~ x"), [
    "a ~ [x] + (1 | g); sigma ~ x",
    "`b c` ~ [x] + (1 | g); sigma ~ x",
    "log(d) ~ [x] + (1 | g); sigma ~ x",
  ]);
  assert.deepEqual(formulasOf("mvbind(ä, 𝒷) | trials(n) ~ x"), [
    "ä | trials(n) ~ x",
    "𝒷 | trials(n) ~ x",
  ]);
});

Deno.test("a formula of one response, or one that is not closed, is as it was", () => {
  for (
    const formula of [
      "y ~ x",
      "mvbind ~ x",
      "mvbind(a, b ~ x",
      "mvbind(a, ) ~ x",
      "cbind(a, b) ~ x",
    ]
  ) {
    assert.deepEqual(formulasOf(formula), [formula]);
  }
});
