/** A response of names without an order: the softmax regression of statsmodels, and what is refused. */
import assert from "node:assert/strict";
import { type Column, makeDataset } from "../../../src/base/dataset.ts";
import { InputError } from "../../../src/base/diagnostic.ts";
import { defaultSchedule, scoreNow } from "../../../src/engine/mod.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { spaceGrammar } from "../../../src/gfn/spaces/space.ts";
import type { SpaceSpec } from "../../../src/gfn/spaces/space_spec.ts";

const rows = 60;
const codes = [..."212012101121122112012110112211121112211112112101211021211221"].map(Number);
const column = (name: string, role: Column["role"], f: (i: number) => number, more = {}) => ({
  ...{
    name,
    role,
    type: "real" as const,
    values: Float64Array.from({ length: rows }, (_, i) => f(i)),
  },
  ...more,
});
const categories = ["ant", "bee", "cat"];
const data = makeDataset("kinds", [
  column("kind", "response", (i) => codes[i], { type: "category", categories }),
  column("x", "predictor", (i) => ((i * 37) % 60) / 10 - 3),
  column("z", "predictor", (i) => (i * i) % 7),
  column("site", "group", (i) => i % 5, { type: "category", categories: [..."abcde"] }),
]);

function objectsOf(spec: Partial<SpaceSpec> & { readonly formula: string }, of = data) {
  const grammar = spaceGrammar(of, { space: "regression", ...spec });
  return [...grammarEnvironment(grammar).enumerate()];
}

Deno.test("log odds against the first level, and what a term adds, are those of the likelihood", () => {
  const [out, inside] = objectsOf({ formula: "kind ~ [x]" });
  const scored = [out, inside].map(({ text }) =>
    scoreNow(text, data, defaultSchedule, { summaries: true }).score!
  );
  // statsmodels 0.15.0, MNLogit(kind, [1, x]).fit(): log likelihoods, coefficients of x, their errors.
  const greatest = [-55.09921360992841, -44.833740322577036];
  scored.forEach(({ elpdLoo }, i) => {
    const counted = greatest[i] - [2, 4][i];
    assert.ok(Math.abs(elpdLoo - counted) < 1.5, `${elpdLoo} for ${counted}`);
  });
  const likely = [[0.620570159598176, 0.307], [-0.2506126131293992, 0.319]];
  likely.forEach(([coefficient, error], i) => {
    const { mean, sd } = scored[1].params[`b_${i + 1}_x`];
    assert.ok(Math.abs(mean[0] - coefficient) < 0.3 * error, `${mean} for ${coefficient}`);
    assert.ok(Math.abs(sd[0] / error - 1) < 0.15, `${sd} for ${error}`);
  });
});

Deno.test("a term is in for all levels or for none, and is called by the level", () => {
  const spec = { formula: "kind ~ [x | poly(x, 2)] + [z] + [x:z] + [(1 | site)]" };
  const grammar = spaceGrammar(data, { space: "regression", ...spec, margins: false });
  const labels = Object.keys(grammar.effects!);
  for (const label of ["bee: x", "cat: x", "bee: x × z", "cat: sd(site)"]) {
    assert.ok(labels.some((one) => one === label || one.startsWith(label.slice(0, 8))), label);
  }
  const objects = objectsOf({ ...spec, margins: false });
  assert.equal(objects.length, 2 * 2 * 2 * 2);
  for (const { text } of objects) {
    const checked = checkProgram(text, data);
    assert.ok(checked.ok, `${text}\n${JSON.stringify(!checked.ok && checked.diagnostics)}`);
    assert.equal(text.includes("b_1_z"), text.includes("b_2_z"));
  }
});

const two = makeDataset("two", [
  column("kind", "response", (i) => i % 2, { type: "category", categories: ["a", "b"] }),
  column("x", "predictor", (i) => i),
]);
const numbers = makeDataset("numbers", [
  column("kind", "response", (i) => i % 3, { type: "count" }),
  column("x", "predictor", (i) => i),
]);
const empty = makeDataset("empty", [
  column("kind", "response", (i) => i % 3, { type: "category", categories: [..."abcd"] }),
  column("x", "predictor", (i) => i),
]);

const wrong: readonly (readonly [string, typeof data, string, readonly string[], RegExp])[] = [
  ["two levels", two, "kind ~ x", ["categorical"], /there are 2 levels, wanted 3/],
  ["numbers", numbers, "kind ~ x", ["categorical"], /holds numbers, and no names/],
  ["a level without rows", empty, "kind ~ x", ["categorical"], /no row is at level d/],
  ["another family", data, "kind ~ x", ["normal"], /is a category of 3 levels/],
  ["two links", data, "kind ~ x", ["categorical", "poisson"], /the terms of one are of/],
  ["an offset", data, "kind ~ x + offset(z)", ["categorical"], /formula of a categorical/],
  ["trials", data, "kind | trials(z) ~ x", ["categorical"], /it has no trials/],
];
for (const [title, of, formula, families, message] of wrong) {
  Deno.test(`refused of a categorical response: ${title}`, () => {
    assert.throws(
      () => objectsOf({ formula, families }, of),
      (error) => error instanceof InputError && message.test(error.message),
    );
  });
}
