/** Terms of the share of zeros: as PyMC calls it, and as brms does. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { checkProgram } from "../../../src/engine/mod.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/mod.ts";
import { parseFormula } from "../../../src/gfn/spaces/formula/parse.ts";
import { spaceGrammar } from "../../../src/gfn/spaces/space.ts";
import { usualFamilies } from "../../../src/gfn/spaces/regression/usual_families.ts";

const x = Float64Array.from({ length: 12 }, (_, i) => i / 4);

function dataOf(type: "count" | "real", y: (i: number) => number) {
  return makeDataset("made", [
    { name: "x", role: "predictor", type: "real", values: x },
    { name: "n", role: "trials", type: "count", values: x.map(() => 9) },
    { name: "y", role: "response", type, values: x.map((_, i) => y(i)) },
  ]);
}

const counts = dataOf("count", (i) => i % 3);
const shares = dataOf("real", (i) => (i % 4) / 5);

function textOf(formula: string, family: string, data = counts): string {
  const grammar = spaceGrammar(data, { space: "regression", formula, families: [family] });
  return [...grammarEnvironment(grammar).enumerate()].at(-1)!.text;
}

Deno.test("psi is the share of other rows, zi and hu that of zeros", () => {
  assert.match(
    textOf("y ~ 1; psi ~ x", "zero_inflated_poisson"),
    /psi = pm\.math\.sigmoid\(psi_intercept \+ logit_psi\)/,
  );
  assert.match(
    textOf("y ~ 1; zi ~ x", "zero_inflated_poisson"),
    /psi = pm\.math\.sigmoid\(-\(zi_intercept \+ logit_zi\)\)/,
  );
});

Deno.test("every family with a share of zeros is a program of the engine with terms of it", () => {
  const cases: readonly (readonly [string, string, typeof counts])[] = [
    ["y ~ x; zi ~ x", "zero_inflated_poisson", counts],
    ["y ~ x; zi ~ x", "zero_inflated_negative_binomial", counts],
    ["y | trials(n) ~ x; zi ~ x", "zero_inflated_binomial", counts],
    ["y ~ x; hu ~ x", "hurdle_poisson", counts],
    ["y ~ x; hu ~ x", "hurdle_negative_binomial", counts],
    ["y ~ x; hu ~ x", "hurdle_gamma", shares],
    ["y ~ x; hu ~ x", "hurdle_log_normal", shares],
    ["y ~ x; zi ~ [x]", "zero_inflated_beta", shares],
    ["y ~ x; zi ~ x", "zero_inflated_beta", shares],
  ];
  for (const [formula, family, data] of cases) {
    const checked = checkProgram(textOf(formula, family, data), data);
    assert.ok(checked.ok, `${family}: ${JSON.stringify(checked)}`);
  }
});

Deno.test("a family without zeros of its own, or two names for one share, are refused", () => {
  assert.throws(() => textOf("y ~ x; zi ~ x", "poisson"), /family poisson has no parameter zi/);
  assert.throws(() => textOf("y ~ x; hu ~ x", "zero_inflated_poisson"), /no parameter hu/);
  assert.throws(() => textOf("y ~ x; zi ~ x; psi ~ x", "zero_inflated_poisson"), /in one formula/);
});

Deno.test("terms of the zeros choose the families that have some", () => {
  const usual = (formula: string, type: "count" | "real") =>
    usualFamilies({ type }, parseFormula(formula));
  assert.deepEqual(usual("y ~ x; zi ~ x", "count"), [
    "zero_inflated_poisson",
    "zero_inflated_negative_binomial",
  ]);
  assert.deepEqual(usual("y ~ x; hu ~ x", "count"), ["hurdle_poisson", "hurdle_negative_binomial"]);
  assert.deepEqual(usual("y ~ x; hu ~ x", "real"), ["hurdle_log_normal", "hurdle_gamma"]);
  assert.deepEqual(usual("y ~ x; zi ~ x", "real"), ["zero_inflated_beta"]);
  assert.deepEqual(usual("y | trials(n) ~ x; zi ~ x", "count"), ["zero_inflated_binomial"]);
});
