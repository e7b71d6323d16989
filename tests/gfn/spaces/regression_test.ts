/** Spaces of regressions: programs that check, priors that are those asked for, and bad input. */
import assert from "node:assert/strict";
import { type Column, makeDataset } from "../../../src/base/dataset.ts";
import { InputError } from "../../../src/base/diagnostic.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import type { RegressionSpace } from "../../../src/gfn/spaces/regression/regression_space.ts";
import { grammarEnvironment } from "../../../src/gfn/grammar/environment.ts";
import { checkGrammar } from "../../../src/gfn/grammar/check.ts";
import { parseFormula } from "../../../src/gfn/spaces/formula/parse.ts";
import { describeSpace } from "../../../src/gfn/spaces/describe.ts";
import { type FamilyName, familyNames } from "../../../src/gfn/spaces/regression/family_names.ts";
import { regressionGrammar } from "../../../src/gfn/spaces/regression/regression.ts";

const rows = 24;
const numbers = (f: (i: number) => number) => Float64Array.from({ length: rows }, (_, i) => f(i));

function column(name: string, role: Column["role"], values: Float64Array, more = {}): Column {
  return { name, role, type: "real", values, ...more };
}

const predictors = [
  column("x", "predictor", numbers((i) => (i * 7) % 11)),
  column("z", "predictor", numbers((i) => 100 + ((i * 5) % 13) / 10)),
  column("flag", "predictor", numbers((i) => Number(i % 3 === 0)), { type: "binary" }),
  column("site", "group", numbers((i) => i % 4), { type: "category", categories: [..."abcd"] }),
  column("each", "group", numbers((i) => i), {
    ...{ type: "category", categories: Array.from({ length: rows }, (_, i) => `r${i}`) },
  }),
  column("n", "trials", numbers(() => 9), { type: "count" }),
  column("same", "predictor", numbers(() => 3)),
];

const real = makeDataset("made", [
  column("y", "response", numbers((i) => 10 + i * 0.31 + (i % 5)), { resolution: "continuous" }),
  ...predictors,
]);
const counts = makeDataset("counted", [
  column("y", "response", numbers((i) => i % 6), { type: "count" }),
  ...predictors,
]);
const someCounts = makeDataset("some counts", [
  column("y", "response", numbers((i) => 1 + i % 6), { type: "count" }),
  ...predictors,
]);
const shares = makeDataset("shares", [
  column("y", "response", numbers((i) => (i + 1) / 30), { resolution: "continuous" }),
  ...predictors,
]);
const hits = makeDataset("hits", [
  column("y", "response", numbers((i) => i % 2), { type: "binary" }),
  ...predictors,
]);

const space = (formula: string, families: readonly FamilyName[], more = {}): RegressionSpace => ({
  ...{ formula: parseFormula(formula), families, ...more },
});

function programsOf(data: typeof real, made: RegressionSpace) {
  const spec = regressionGrammar(data, made);
  checkGrammar(spec, () => undefined);
  return [...grammarEnvironment(spec).enumerate()];
}

Deno.test("every program of a space with terms of each kind is well-formed", () => {
  const formula = "y ~ [x | poly(x, 3) | spline(x, 4) | log1p(x)] + [flag] + [x:flag] + site + " +
    "[(1 | site)] + offset(z)";
  const programs = programsOf(real, space(formula, ["normal", "student_t"]));
  assert.equal(programs.length, (4 * 2 + 4) * 2 * 2);
  for (const { text } of programs) {
    const checked = checkProgram(text, real);
    assert.ok(checked.ok, `${text}\n${JSON.stringify(!checked.ok && checked.diagnostics)}`);
  }
});

Deno.test("a level's effect says against which level, and that of a number against none", () => {
  const { effects, against } = regressionGrammar(
    real,
    space("y ~ [x] + site + [x:site]; sigma ~ [site]", ["normal"]),
  );
  const levels = ["b", "c", "d"];
  assert.deepEqual(
    against,
    Object.fromEntries([
      ...levels.map((level) => [`site: ${level}`, "a"]),
      ...levels.map((level) => [`x × site: ${level}`, "a"]),
      ...levels.map((level) => [`sigma: site: ${level}`, "a"]),
    ]),
  );
  assert.deepEqual(Object.keys(effects!).filter((term) => !Object.hasOwn(against!, term)), ["x"]);
});

Deno.test("every family is well-formed on data that suit it", () => {
  for (const family of familyNames.filter((one) => one !== "categorical")) {
    const trials = family.includes("binomial") && !family.includes("negative_binomial");
    const data = family.endsWith("beta")
      ? shares
      : family.startsWith("bernoulli")
      ? hits
      : family.startsWith("zero_truncated")
      ? someCounts
      : /poisson|binomial/.test(family)
      ? counts
      : real;
    const formula = `y ${trials ? "| trials(n) " : ""}~ [x] + (1 + z | site) + z`;
    for (const { text } of programsOf(data, space(formula, [family]))) {
      const checked = checkProgram(text, data);
      assert.ok(checked.ok, `${text}\n${JSON.stringify(!checked.ok && checked.diagnostics)}`);
    }
  }
});

Deno.test("an interaction is in where its margins are, and its prior is conditional on them", () => {
  const programs = programsOf(counts, space("y ~ [x] + [flag] + [x:flag]", ["poisson"]));
  assert.equal(programs.length, 5);
  const inside = programs.filter(({ features }) => features.includes("x_flag"));
  assert.deepEqual(inside.map(({ features }) => features.slice(0, 2)), [["x", "flag"]]);
  assert.equal(Math.exp(inside[0].logPrior).toFixed(12), "0.125000000000");
  const free = space("y ~ [x] + [flag] + [x:flag]", ["poisson"], { margins: false });
  assert.equal(programsOf(counts, free).length, 8);
});

Deno.test("priors are those asked for, by question", () => {
  const priors = { x: 0.2, family: { poisson: 0.7, negative_binomial: 0.3 } };
  const made = space("y ~ [x]", ["poisson", "negative_binomial"], { priors });
  const mass = new Map(programsOf(counts, made).map((o) => [o.features.join(), o.logPrior]));
  assert.ok(Math.abs(Math.exp(mass.get("x,poisson")!) - 0.14) < 1e-12);
  assert.ok(Math.abs(Math.exp(mass.get("no_x,negative_binomial")!) - 0.24) < 1e-12);
  const spec = regressionGrammar(counts, made);
  assert.deepEqual(describeSpace(spec, 4), [
    "4 programs over 2 questions",
    "x: out 0.8, in 0.2",
    "family: poisson 0.7, negative_binomial 0.3",
  ]);
});

Deno.test("constants have two digits, and programs read no statistic of the response", () => {
  const [{ text }] = programsOf(real, space("y ~ z", ["normal"]));
  // Python's statistics: mean(y) 15.48, 2.5 sd(y) 6.834, 2.5 sd(y) / sd(z) 17.49, mean(z) 100.604
  assert.match(text, /intercept = pm\.Normal\("intercept", mu=15, sigma=6\.8\)/);
  assert.match(text, /b_z = pm\.Normal\("b_z", mu=0, sigma=17\)/);
  assert.match(text, /b_z \* \(data\["z"\] - 100\.604\)/);
  assert.match(text, /sigma = pm\.Exponential\("sigma", lam=0\.37\)/);
  assert.equal(text.match(/data\["y"\]/g)!.length, 1);
});

Deno.test("the left side, widths, another parameter and monotonic terms are well-formed", () => {
  const formula = "[y | log(y)] ~ [x] + [mo(x)] + [(1 + flag || site)] + flag; sigma ~ [z] + flag";
  const priors = { width: [0.5, 2], x: [1, 3], "sigma: z": { in: 0.1, width: [0.7] } };
  const programs = programsOf(real, space(formula, ["normal", "student_t"], { priors }));
  assert.equal(programs.length, 2 * 2 * (1 + 2) * 2 * 2 * 2 * 2);
  for (const { text } of programs.filter((_, i) => i % 17 === 0)) {
    const checked = checkProgram(text, real);
    assert.ok(checked.ok, `${text}\n${JSON.stringify(!checked.ok && checked.diagnostics)}`);
  }
  const mass = programs.reduce((sum, { logPrior }) => sum + Math.exp(logPrior), 0);
  assert.ok(Math.abs(mass - 1) < 1e-9);
  const inside = programs.filter(({ features }) => features.includes("sigma_z"));
  const share = inside.reduce((sum, { logPrior }) => sum + Math.exp(logPrior), 0);
  assert.ok(Math.abs(share - 0.1) < 1e-9, `${share}`);
});

Deno.test("what does not suit the data is refused with what to do", () => {
  const cases: readonly (readonly [typeof real, string, readonly FamilyName[], RegExp, object?])[] =
    [
      [real, "y ~ xx", ["normal"], /no such column/],
      [real, "x ~ z", ["normal"], /its role is predictor/],
      [real, "y ~ y", ["normal"], /it is the response/],
      [real, "y ~ poly(site, 2)", ["normal"], /it is a category of 4 levels/],
      [real, "y ~ log(x)", ["normal"], /it is not finite at 0, row 1/],
      [real, "y ~ (1 | x)", ["normal"], /its values are numbers/],
      [real, "y ~ (1 | each)", ["normal"], /each of its 24 levels has one row/],
      [real, "y ~ each", ["normal"], /each of its 24 levels has one row/],
      [real, "y ~ same", ["normal"], /all 24 values are 3/],
      [real, "y ~ (x | site)", ["normal"], /x is not in the formula/],
      [real, "y ~ [x:z] + [x] + [z]", ["normal"], /z comes after it/],
      [real, "y ~ x:z", ["normal"], /z is not in the formula/],
      [real, "y ~ x:spline(z, 3)", ["normal"], /a spline has no interactions/, { margins: false }],
      [real, "y ~ spline(x, 20) + site + z + flag", ["normal"], /up to 2\d coefficients/],
      [real, "y ~ x", ["poisson"], /it is for counts/],
      [counts, "y ~ x", ["poisson", "normal"], /the terms of one are of its mean by the link/],
      [counts, "y ~ x", ["binomial"], /does not say how many trials/],
      [counts, "y | trials(n) ~ x", ["poisson"], /it has no trials/],
      [real, "y ~ x; sigma ~ [xx]", ["normal"], /no such column/],
      [real, "y ~ x; alpha ~ [x]", ["normal"], /family normal has no parameter alpha/],
      [counts, "y ~ x; alpha ~ [x]", ["poisson"], /it has|poisson has no parameter/],
      [counts, "[y | log(y)] ~ x", ["poisson"], /its link has a logarithm|not finite/],
      [real, "y ~ mo(z)", ["normal"], /no whole numbers of 3 to 21 levels/],
      [real, "y | event(flag) ~ x", ["normal"], /Cannot use event/],
      [real, "y ~ [x]", ["normal"], /no different numbers above 0/, { priors: { width: [1, 1] } }],
      [counts, "y ~ [x]", ["poisson"], /no such question/, { priors: { z: 0.5 } }],
      [counts, "y ~ [x | z]", ["poisson"], /"z" has none/, { priors: { "x | z": { x: 1 } } }],
    ];
  for (const [data, formula, families, message, more] of cases) {
    assert.throws(
      () => regressionGrammar(data, space(formula, families, more)),
      (error) => error instanceof InputError && message.test(error.message),
      formula,
    );
  }
});
