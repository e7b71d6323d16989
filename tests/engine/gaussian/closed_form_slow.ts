/** Tests of posteriors without their linear latents: latents found, densities, and programs declined. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { linearLatents } from "../../../src/engine/inference/gaussian/linear_latents.ts";
import { closedFormPosterior } from "../../../src/engine/inference/gaussian/marginal.ts";
import {
  precisionByLatents,
  precisionByRows,
  triangularFactor,
} from "../../../src/engine/inference/gaussian/square_root.ts";
import { Slopes } from "../../../src/engine/inference/gaussian/slopes.ts";
import { elpdByChains } from "../loo/elpd_by_chains.ts";
import { finish } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { defaultSchedule } from "../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../src/engine/score/score.ts";
import { logNormal } from "./brute_force.ts";

const n = 8;
/** Fields here are over the rows, in their order. */
const ordered = { ...defaultSchedule, rows: "ordered" } as const;
const x = Float64Array.from({ length: n }, (_, i) => i / 4 - 0.8);
const group = Float64Array.of(0, 0, 1, 1, 1, 2, 2, 2);
const y = Float64Array.of(0.3, -0.4, 1.1, 0.9, 1.7, -1.2, -0.6, -2.1);
const data = makeDataset("eight", [
  { name: "x", role: "predictor", type: "real", values: x },
  { name: "g", role: "group", type: "category", values: group, categories: ["a", "b", "c"] },
  { name: "y", role: "response", type: "real", values: y },
]);

function program(body: string) {
  const lines = body.split("\n").map((line) => `    ${line.trim()}\n`).join("");
  return `import numpy as np\nimport pymc as pm\n\nwith pm.Model() as model:\n${lines}`;
}

function checked(body: string) {
  const result = checkProgram(program(body), data, undefined, { rows: "ordered" });
  assert.ok(result.ok, JSON.stringify(result));
  return result.program;
}

function latentNames(body: string): readonly string[] | undefined {
  const made = checked(body);
  return linearLatents(made)?.map((k) => made.parameters[k].name).sort();
}

const observed = (mu: string, sigma = "s") => `pm.Normal("y", ${mu}, ${sigma}, observed=data["y"])`;
const scale = `s = pm.HalfNormal("s", 1)`;

const spellings: readonly (readonly [string, string, readonly string[] | undefined])[] = [
  ["a line", `a = pm.Normal("a", 0, 1)\n${scale}\n${observed('a + 2 * data["x"]')}`, ["a"]],
  [
    "the mean of a hierarchy",
    `m = pm.Normal("m", 0, 1)\nt = pm.HalfNormal("t", 1)\na = pm.Normal("a", m, t, shape=3)\n${scale}\n` +
    observed('a[data["g"]]'),
    ["a", "m"],
  ],
  ["an exponential", `a = pm.Normal("a", 0, 1)\n${scale}\n${observed("pm.math.exp(a)")}`, []],
  [
    "a product of two: the shorter one stays",
    `a = pm.Normal("a", 0, 1)\nb = pm.Normal("b", 0, 1, shape=3)\n${scale}\n` +
    observed('a * b[data["g"]]'),
    ["b"],
  ],
  [
    "a parameter that a scale looks at",
    `a = pm.Normal("a", 0, 1)\nb = pm.Normal("b", 0, pm.math.exp(a), shape=3)\n${scale}\n` +
    observed('a + b[data["g"]]'),
    ["b"],
  ],
  ["a square", `a = pm.Normal("a", 0, 1)\n${scale}\n${observed("a * a")}`, []],
  [
    "Student noise",
    `a = pm.Normal("a", 0, 1)\npm.StudentT("y", 4, a, 1, observed=data["y"])`,
    undefined,
  ],
  [
    "a prior of other tails",
    `a = pm.Laplace("a", 0, 1)\nb = pm.Normal("b", a, 1)\n${scale}\n${observed("a + b")}`,
    ["b"],
  ],
];

for (const [name, body, expected] of spellings) {
  Deno.test(`linearLatents() of ${name}`, () => assert.deepEqual(latentNames(body), expected));
}

const fields = `m = pm.Normal("m", 0.5, 2)
t = pm.HalfNormal("t", 1)
a = pm.Normal("a", m, t, shape=3)
u = pm.GaussianRandomWalk("u", mu=0.1, sigma=t, init_dist=pm.Normal.dist(1, 0.5), shape=8)
${scale}
${observed('a[data["g"]] - 0.5 * u + data["x"]')}`;

/** Mean and covariance of the rows of `fields`, by hand. */
function byHand(t: number, s: number) {
  const rows = Array.from({ length: n }, (_, i) => i);
  const mean = rows.map((i) => 0.5 - 0.5 * (1 + 0.1 * i) + x[i]);
  const covariance = rows.map((i) =>
    rows.map((j) =>
      4 + (group[i] === group[j] ? t * t : 0) + 0.25 * (0.25 + t * t * Math.min(i, j)) +
      (i === j ? s * s : 0)
    )
  );
  return { residuals: rows.map((i) => y[i] - mean[i]), covariance };
}

Deno.test("closedFormPosterior() has the density and the terms of a normal vector", () => {
  const posterior = closedFormPosterior(checked(fields), data)!;
  assert.equal(posterior.dimension, 2);
  assert.equal(posterior.integrated, 1 + 3 + 8);
  const names = checked(fields).parameters.map(({ name }) => name).filter((one) =>
    "ts".includes(one)
  );
  const [t, s] = [0.7, 0.4];
  const at = Float64Array.from(names, (name) => Math.log(name === "t" ? t : s));
  const terms = new Float64Array(n);
  const value = posterior.withLikelihood!(at, new Float64Array(2), 0, terms, 0);
  const { residuals, covariance } = byHand(t, s);
  const halfNormal = (v: number) => Math.LN2 - 0.5 * Math.log(2 * Math.PI) - 0.5 * v * v;
  const prior = halfNormal(t) + halfNormal(s) + Math.log(t * s);
  const whole = logNormal(residuals, covariance);
  assert.ok(Math.abs(value - prior - whole) < 1e-10);
  for (let i = 0; i < n; i++) {
    assert.ok(Math.abs(terms[i] - (whole - logNormal(residuals, covariance, i))) < 1e-10);
  }
});

Deno.test("closedFormPosterior() leaves out groups as blocks", () => {
  const unitOfRow = Int32Array.from(group);
  const posterior = closedFormPosterior(checked(fields), data, unitOfRow)!;
  const at = Float64Array.of(-0.3, -0.9);
  const names = checked(fields).parameters.map(({ name }) => name).filter((one) =>
    "ts".includes(one)
  );
  const [t, s] = [Math.exp(at[names.indexOf("t")]), Math.exp(at[names.indexOf("s")])];
  const terms = new Float64Array(3);
  posterior.logLikelihood(at, 0, terms, 0);
  const { residuals, covariance } = byHand(t, s);
  const whole = logNormal(residuals, covariance);
  for (let u = 0; u < 3; u++) {
    const kept = [...group.keys()].filter((i) => group[i] !== u);
    const rest = logNormal(
      kept.map((i) => residuals[i]),
      kept.map((i) => kept.map((j) => covariance[i][j])),
    );
    assert.ok(Math.abs(terms[u] - (whole - rest)) < 1e-10);
  }
});

Deno.test("closedFormPosterior() has no density where a scale is not positive", () => {
  const body = `a = pm.Normal("a", 0, 1)\nb = pm.Normal("b", 0, 1)\n` +
    `z = pm.Normal("z", 0, b, shape=3)\n${observed('a + z[data["g"]]', "1")}`;
  const posterior = closedFormPosterior(checked(body), data)!;
  assert.equal(posterior.dimension, 1);
  assert.equal(posterior.valueAlone!(Float64Array.of(-0.5), 0), -Infinity);
  assert.ok(posterior.valueAlone!(Float64Array.of(0.5), 0) > -Infinity);
});

/** `[rows, columns]` of numbers without any order. */
function someSlopes(rows: number, columns: number): Slopes {
  const slopes = new Slopes(rows, columns);
  for (let i = 0; i < rows; i++) {
    for (let k = i % 3; k < columns; k++) slopes.put(i, k, Math.sin(3 * i + 7 * k * k + 1));
  }
  return slopes;
}

Deno.test("triangularFactor() has the square of what it was made of", () => {
  const [rows, columns] = [6, 4];
  const t = Float64Array.of(0.1, 1e-4, 0, 2, 1, 0.5);
  const given = someSlopes(rows, columns);
  const factor = triangularFactor(t, someSlopes(rows, columns));
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < rows; j++) {
      let [left, right] = [0, i === j ? t[i] * t[i] : 0];
      for (let k = 0; k < rows; k++) left += factor[k * rows + i] * factor[k * rows + j];
      for (let k = 0; k < columns; k++) {
        right += given.data[i * columns + k] * given.data[j * columns + k];
      }
      assert.ok(Math.abs(left - right) < 1e-13);
      if (i > j) assert.equal(factor[i * rows + j], 0);
    }
  }
});

Deno.test("precision is the same by rows and by latents", () => {
  const [rows, columns] = [9, 3];
  const residuals = Float64Array.from({ length: rows }, (_, i) => Math.cos(i * i));
  const noise = Float64Array.from({ length: rows }, (_, i) => 0.3 + 0.1 * i);
  const a = precisionByRows(residuals, noise, someSlopes(rows, columns))!;
  const b = precisionByLatents(
    residuals,
    noise,
    someSlopes(rows, columns),
    new Slopes(columns, rows),
  )!;
  assert.ok(Math.abs(a.logDensity - b.logDensity) < 1e-12);
  for (let i = 0; i < rows; i++) {
    assert.ok(Math.abs(a.weighted[i] - b.weighted[i]) < 1e-12);
    assert.ok(Math.abs(a.diagonal[i] - b.diagonal[i]) < 1e-12);
    assert.ok(Math.abs(a.entry(i, 0) - b.entry(i, 0)) < 1e-12);
  }
});

Deno.test("a field is scored in closed form, with an error and no bad row", () => {
  const { score } = scoreNow(program(fields), data, ordered);
  assert.ok(score);
  assert.equal(score.looMethod, "gaussian");
  assert.ok(score.mcse < 0.005);
  assert.ok(score.pLoo > 0);
  assert.deepEqual(score.unresolved, []);
  const sum = score.elpdPointwise.reduce((total, one) => total + one, 0);
  assert.ok(Math.abs(sum - score.elpdLoo) < 1e-12);
});

const joint = `a = pm.Normal("a", 0, 1)
t = pm.HalfNormal("t", 1)
i = np.arange(8)
K = t**2 * pm.math.exp(-0.5 * (i[:, None] - i[None, :])**2) + 0.1 * np.eye(8)
pm.MvNormal("y", a * data["x"], cov=K, observed=data["y"])`;

Deno.test("the terms of a normal vector are those of its rows given the others", () => {
  const made = checked(joint);
  const density = compileLogDensity(made, data);
  const at = Float64Array.of(0.3, -0.2);
  const terms = new Float64Array(n);
  density.logLikelihood(at, 0, terms, 0);
  const gradient = new Float64Array(2);
  const whole = density.logDensity(at, gradient, 0);
  for (let i = 0; i < n; i++) {
    const rest = density.without([i]).logDensity(at, gradient, 0);
    assert.ok(Math.abs(terms[i] - (whole - rest)) < 1e-12);
  }
});

Deno.test("the term of a group of a normal vector is that of its rows given the others", () => {
  const unitOfRow = Int32Array.from(group);
  const density = compileLogDensity(checked(joint), data, { unitOfRow });
  const at = Float64Array.of(0.3, -0.2);
  const terms = new Float64Array(n);
  density.logLikelihood(at, 0, terms, 0);
  const gradient = new Float64Array(2);
  const rest = density.without([2, 3, 4]).logDensity(at, gradient, 0);
  const term = density.logDensity(at, gradient, 0) - rest;
  assert.ok(Math.abs(terms[2] + terms[3] + terms[4] - term) < 1e-12);
});

Deno.test("a normal vector is scored in closed form, as by chains", () => {
  const { score } = scoreNow(program(joint), data, ordered);
  assert.equal(score?.looMethod, "gaussian");
  const settings = { ...defaultSchedule, draws: 500, seedKey: ["joint"] };
  const chains = finish(
    elpdByChains(compileLogDensity(checked(joint), data), settings, { used: 0, limit: 1e6 }),
  );
  assert.ok(chains.kind === "ok");
  assert.ok(Math.abs(chains.elpdLoo - score.elpdLoo) < 4 * chains.mcse + 0.02);
});

Deno.test("more than three scales are left to importance draws", () => {
  const body = `t = pm.HalfNormal("t", 1, shape=3)
u = pm.GaussianRandomWalk("u", sigma=t[0], init_dist=pm.Normal.dist(0, t[1]), shape=8)
a = pm.Normal("a", 0, t[2])
${scale}
${observed('u + a * data["x"]')}`;
  const { score } = scoreNow(program(body), data, ordered);
  assert.equal(score?.looMethod, "gaussian_importance");
});
