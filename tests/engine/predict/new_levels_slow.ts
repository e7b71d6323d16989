/** Levels that only new rows have: closed forms, exchangeability with known levels, refusals. */
import assert from "node:assert/strict";
import { InputError } from "../../../src/base/diagnostic.ts";
import { makeDataset } from "../../../src/base/dataset.ts";
import type { CheckedProgram } from "../../../src/engine/language/ir/program.ts";
import { priorDraws, replicate } from "../../../src/engine/inference/predict/draws.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";

const rows = 6;
const categories = ["A", "B", "C"];
const real = (values: readonly number[]) => Float64Array.from(values);
const data = makeDataset("groups", [
  {
    ...{ name: "site", role: "predictor", type: "category", categories },
    values: real([0, 0, 1, 1, 2, 2]),
  },
  { name: "school", role: "predictor", type: "count", values: real([0, 1, 2, 3, 3, 0]) },
  { name: "x", role: "predictor", type: "real", values: real([0, 1, 2, 3, 4, 5]) },
  { name: "y", role: "response", type: "real", values: real([0, 1, 2, 3, 4, 5]) },
]);

function checked(...statements: readonly string[]): CheckedProgram {
  const lines = statements.map((line) => `    ${line}\n`).join("");
  const text = `import pymc as pm\nimport numpy as np\nwith pm.Model():\n${lines}`;
  const program = checkProgram(text, data);
  assert.ok(program.ok, JSON.stringify(program));
  return program.program;
}

const draws = 40_000;

/** Responses `[new rows][draws]` at new rows, by these draws of the parameters. */
function predicted(
  program: CheckedProgram,
  parameters: readonly Float64Array[],
  at: Readonly<Record<string, readonly number[]>>,
): Float64Array[] {
  const columns = new Map(Object.entries(at).map(([name, values]) => [name, real(values)]));
  const count = Object.values(at)[0].length;
  const all = replicate(program, data, { draws, parameters }, {
    ...{ key: ["levels"], at: { columns, rows: count } },
  });
  return Array.from({ length: count }, (_, i) => {
    return Float64Array.from({ length: draws }, (_, s) => all[s * count + i]);
  });
}

const mean = (values: Float64Array) => values.reduce((a, b) => a + b, 0) / values.length;

function covariance(a: Float64Array, b: Float64Array): number {
  const [m, n] = [mean(a), mean(b)];
  return a.reduce((sum, one, s) => sum + (one - m) * (b[s] - n), 0) / (a.length - 1);
}

/** Within five standard errors of a normal variable's sum of products. */
function near(found: number, wanted: number, spread: number, what: string) {
  const error = 5 * spread / Math.sqrt(draws);
  assert.ok(Math.abs(found - wanted) <= error, `${what}: ${found}, wanted ${wanted} ± ${error}`);
}

/** The same values of the parameters in every draw. */
function named(program: CheckedProgram, all: Readonly<Record<string, readonly number[]>>) {
  return program.parameters.map(({ name }) => {
    const values = all[name];
    const length = draws * values.length;
    return Float64Array.from({ length }, (_, i) => values[i % values.length]);
  });
}

Deno.test("a new level has the population's mean and variance, and one effect for all its rows", () => {
  const program = checked(
    'a = pm.Normal("a", 0, 1)',
    's = pm.HalfNormal("s", 1)',
    'e = pm.Normal("e", a, s, shape=3)',
    'pm.Normal("y", e[data["site"]], 0.5, observed=data["y"])',
  );
  const parameters = named(program, { a: [1], s: [2], e: [5, -5, 7] });
  // Levels 3 and 4 are new; 3 twice.
  const [known, first, again, other] = predicted(program, parameters, { site: [1, 3, 3, 4] });
  near(mean(known), -5, 0.5, "mean of B");
  near(covariance(known, known), 0.25, 0.36, "variance of B");
  near(mean(first), 1, 2.1, "mean of a new level");
  near(covariance(first, first), 4.25, 6.1, "variance of a new level");
  near(covariance(first, again), 4, 6, "two rows of one new level");
  near(covariance(first, other), 0, 4.3, "rows of two new levels");
});

const exchangeable: readonly (readonly [string, readonly string[]])[] = [
  ["effects that are not centred", [
    'a = pm.Normal("a", 1, 1)',
    's = pm.HalfNormal("s", 1)',
    'z = pm.Normal("z", 0, 1, shape=3)',
    "e = a + s * z",
    'pm.Normal("y", e[data["site"]] + data["x"] * 0.1, 0.5, observed=data["y"])',
  ]],
  ["slopes that go with intercepts", [
    'chol, corr, sd = pm.LKJCholeskyCov("c", n=2, eta=2, sd_dist=pm.Exponential.dist(1.0, shape=2))',
    'z = pm.Normal("z", 0, 1, shape=(3, 2))',
    "e = pm.math.dot(z, chol.T)",
    'mu = e[data["site"], 0] + 0.5 * e[data["site"], 1] * data["x"]',
    'pm.Normal("y", mu, 0.5, observed=data["y"])',
  ]],
];

for (const [what, statements] of exchangeable) {
  Deno.test(`before the data a new level is as good as any other: ${what}`, () => {
    const program = checked(...statements);
    const { parameters } = priorDraws(program, data, draws, ["prior"]);
    const at = { site: [2, 2, 3, 3], x: [0, 2, 0, 2] };
    const [known, further, strange, away] = predicted(program, parameters, at);
    const spread = Math.sqrt(2) * covariance(further, further);
    near(mean(strange), mean(known), Math.sqrt(2 * spread), "mean");
    near(mean(away), mean(further), Math.sqrt(2 * spread), "mean further away");
    // Tails are heavier than a normal variable's: four times its error.
    near(covariance(strange, strange), covariance(known, known), 4 * spread, "variance");
    near(covariance(away, away), covariance(further, further), 4 * spread, "variance away");
    near(covariance(strange, away), covariance(known, further), 4 * spread, "covariance");
    near(covariance(strange, known), covariance(away, known), 4 * spread, "with a known level");
  });
}

Deno.test("groups that are numbers go on behind the largest, whatever the new ones are", () => {
  const program = checked(
    's = pm.HalfNormal("s", 1)',
    'e = pm.Normal("e", 3, s, shape=4)',
    'pm.Normal("y", e[data["school"]], 0.5, observed=data["y"])',
  );
  const parameters = named(program, { s: [2], e: [0, 0, 0, 9] });
  const [known, far, near_] = predicted(program, parameters, { school: [3, 1000, 17] });
  near(mean(known), 9, 0.5, "the last school");
  near(covariance(far, far), 4.25, 6.1, "school 1000");
  near(covariance(far, near_), 0, 4.3, "two schools");
});

const refused: readonly (readonly [string, readonly string[], RegExp])[] = [
  ["a level that is told from others by a coefficient", [
    'b = pm.Normal("b", 0, 1)',
    'pm.Normal("y", b * (data["site"] == 1), 0.5, observed=data["y"])',
  ], /it is no group's number there/],
  ["effects whose sum is 0", [
    'e = pm.Normal("e", 0, 1, shape=3)',
    "f = e - e.sum() / 3",
    'pm.Normal("y", f[data["site"]], 0.5, observed=data["y"])',
  ], /it has a reduce over the levels/],
  ["a number for each level", [
    'e = pm.Normal("e", 0, 1, shape=3)',
    "f = e + np.array([1.0, 2.0, 3.0])",
    'pm.Normal("y", f[data["site"]], 0.5, observed=data["y"])',
  ], /it has a map over the levels/],
  ["means that differ by level", [
    'e = pm.Normal("e", np.array([1.0, 2.0, 3.0]), 1, shape=3)',
    'pm.Normal("y", e[data["site"]], 0.5, observed=data["y"])',
  ], /not drawn one by one from one population/],
];

for (const [what, statements, said] of refused) {
  Deno.test(`what knows no population is refused: ${what}`, () => {
    const program = checked(...statements);
    const { parameters } = priorDraws(program, data, draws, ["prior"]);
    const refusal = (error: unknown) => error instanceof InputError && said.test(error.message);
    assert.throws(() => predicted(program, parameters, { site: [0, 3] }), refusal);
    assert.equal(predicted(program, parameters, { site: [0, 2] }).length, 2);
  });
}

Deno.test("a column that a program does not look at may have any level", () => {
  const program = checked('pm.Normal("y", data["x"], 0.5, observed=data["y"])');
  const [found] = predicted(program, [], { site: [7], x: [3] });
  near(mean(found), 3, 0.5, "mean");
  assert.equal(rows, data.rows);
});
