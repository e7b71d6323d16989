/** Leave-future-out against closed forms: sequential predictive densities and Kalman's filter. */
import assert from "node:assert/strict";
import { closedFormPosterior } from "../../../../src/engine/inference/gaussian/marginal.ts";
import { checkProgram } from "../../../../src/engine/language/pymc/check.ts";
import { normalCdf } from "../../../../src/numerics/math/normal.ts";
import {
  autoregressive,
  localLevel,
  logNormal,
  normals,
  programOf,
  scoreOf,
  sequentialRegression,
  timed,
  timeSchedule,
  total,
} from "./series.ts";

const close = (a: number, b: number, tolerance: number) =>
  assert.ok(Math.abs(a - b) <= tolerance, `${a} and ${b} differ by ${Math.abs(a - b)}`);

Deno.test("a conjugate regression is the product of its sequential predictive densities", () => {
  const x = normals(30, "x");
  const noise = normals(30, "noise");
  const y = x.map((value, i) => 1 + 0.7 * value + 0.5 * noise[i]);
  const text = programOf(
    'a = pm.Normal("a", 0, 2)',
    'b = pm.Normal("b", 0, 2)',
    'pm.Normal("y", a + b * data["x"], 0.5, observed=y)',
  );
  const score = scoreOf(text, timed(y, { x }), timeSchedule(8));
  const exact = sequentialRegression(y, Array.from(x, (value) => [1, value]), {
    prior: [2, 2],
    sd: 0.5,
  });
  assert.equal(score.unit, "future");
  assert.equal(score.elpdPointwise.length, 22);
  score.elpdPointwise.forEach((value, t) => close(value, exact[t + 8], 1e-4));
});

Deno.test("the sum of one-step terms is the ratio of two marginal likelihoods", () => {
  const y = autoregressive(24, { slope: 0.6, sd: 0.5 }, "ratio");
  const text = programOf(
    'rho = pm.Normal("rho", 0, 1)',
    'pm.Normal("y", rho * y[:-1], 0.5, observed=y[1:])',
  );
  // log p(y_2 … y_n) with ρ integrated out: one normal vector N(0, 0.25 I + z zᵀ), by Sherman and Morrison.
  const marginal = (rows: number) => {
    let [zz, zy, yy] = [0, 0, 0];
    for (let t = 1; t < rows; t++) {
      [zz, zy, yy] = [zz + y[t - 1] ** 2, zy + y[t - 1] * y[t], yy + y[t] ** 2];
    }
    const precision = 1 + zz / 0.25;
    const quadratic = yy / 0.25 - (zy / 0.25) ** 2 / precision;
    const n = rows - 1;
    return -0.5 * (n * Math.log(2 * Math.PI * 0.25) + Math.log(precision) + quadratic);
  };
  const score = scoreOf(text, timed(y), timeSchedule(6));
  close(score.elpdLoo, marginal(24) - marginal(6), 1e-4);
});

Deno.test("an autoregression with known parameters is exact, written with lags or as pm.AR", () => {
  const y = autoregressive(20, { intercept: 0.3, slope: 0.7, sd: 0.5 }, "known");
  const exact = Array.from(
    y.subarray(5),
    (value, k) => logNormal(value, 0.3 + 0.7 * y[k + 4], 0.25),
  );
  // A program has a parameter: one that tells nothing of later rows.
  const lags = programOf(
    'a = pm.Normal("a", 0, 1)',
    'pm.Normal("y", np.concatenate([[0], 0.3 + 0.7 * y[:-1]]) + a * (np.arange(20) == 0), 0.5, observed=y)',
  );
  const series = programOf(
    'a = pm.Normal("a", 0, 1)',
    'pm.AR("y", rho=[0.3, 0.7], sigma=0.5, constant=True, init_dist=pm.Normal.dist(a, 0.5), observed=y)',
  );
  for (const text of [lags, series]) {
    const score = scoreOf(text, timed(y), timeSchedule(5));
    score.elpdPointwise.forEach((value, k) => close(value, exact[k], 1e-6));
  }
});

const level = programOf(
  'mu = pm.GaussianRandomWalk("mu", mu=0, sigma=0.3, init_dist=pm.Normal.dist(0, 2), shape=150)',
  'pm.Normal("y", mu, 0.6, observed=y)',
);
const levels = { start: 2, step: 0.3, sd: 0.6 };
const wandering = autoregressive(150, { slope: 1, sd: 0.4 }, "level");

Deno.test("a local level with known scales is Kalman's filter, with no error", () => {
  const score = scoreOf(level, timed(wandering), timeSchedule(10));
  const exact = localLevel(wandering, levels)
    .map(({ mean, variance }, t) => logNormal(wandering[t], mean, variance));
  assert.deepEqual([score.looMethod, score.mcse], ["future_gaussian", 0]);
  score.elpdPointwise.forEach((value, t) => close(value, exact[t + 10], 1e-9));
});

Deno.test("three rows ahead are one density of three rows", () => {
  const score = scoreOf(level, timed(wandering), timeSchedule(10, 3));
  const exact = localLevel(wandering, levels)
    .map(({ mean, variance }, t) => logNormal(wandering[t], mean, variance));
  assert.equal(score.elpdPointwise.length, 138);
  score.elpdPointwise.forEach((value, k) => close(value, total(exact.slice(k + 10, k + 13)), 1e-9));
});

Deno.test("what recorded rows are worth is the mass of their cells given earlier rows", () => {
  const y = wandering.map((value) => Math.round(2 * value) / 2);
  const score = scoreOf(level, timed(y, {}, 0.5), timeSchedule(10));
  const exact = localLevel(y, levels).map(({ mean, variance }, t) => {
    const at = (end: number) => normalCdf((end - mean) / Math.sqrt(variance));
    return Math.log(at(y[t] + 0.25) - at(y[t] - 0.25)) - Math.log(0.5);
  });
  score.rewardPointwise!.forEach((value, t) => close(value, exact[t + 10], 1e-9));
  close(score.elpdReward, total(exact.slice(10)), 1e-8);
});

Deno.test("rows of a band are those of Kalman's filter, cells of logarithms too", () => {
  const y = wandering.map((value) => Math.round(2 * Math.exp(2 + 0.3 * value)) / 2);
  const text = programOf(
    's = pm.HalfNormal("s", 1)',
    'mu = pm.GaussianRandomWalk("mu", mu=0, sigma=s, init_dist=pm.Normal.dist(0, 2), shape=150)',
    'pm.Normal("y", mu, 0.6, observed=np.log(y))',
  );
  const data = timed(y, {}, 0.5);
  const checked = checkProgram(text, data, undefined, timeSchedule(10));
  assert.ok(checked.ok);
  const posterior = closedFormPosterior(checked.program, data)!;
  const [terms, cells] = [new Float64Array(150), new Float64Array(150)];
  posterior.inOrder(Float64Array.of(Math.log(0.3)), 0, terms, 0);
  posterior.cellsInOrder(Float64Array.of(Math.log(0.3)), 0, cells, 0);
  const logs = y.map(Math.log);
  localLevel(logs, levels).forEach(({ mean, variance }, t) => {
    const at = (end: number) => normalCdf((Math.log(end) - mean) / Math.sqrt(variance));
    close(terms[t], logNormal(logs[t], mean, variance) - logs[t], 1e-9);
    close(cells[t], Math.log(at(y[t] + 0.25) - at(y[t] - 0.25)) - Math.log(0.5), 1e-9);
  });
});

Deno.test("few latents over many rows are updated row by row", () => {
  const x = normals(60, "group x");
  const noise = normals(60, "group noise");
  const y = x.map((value, i) => value + 0.3 * (i % 3) + noise[i]);
  const z = Float64Array.from(x, (_, i) => i % 3);
  const text = programOf(
    'u = pm.Normal("u", 0, 0.7, shape=3)',
    'b = pm.Normal("b", 0, 1, shape=10)',
    'i = data["z"].astype(int)',
    "j = (np.arange(60) % 10)",
    'pm.Normal("y", u[i] + b[j] + 0 * data["x"], 1, observed=y)',
  );
  const design = Array.from(z, (code, t) => [
    ...[0, 1, 2].map((k) => k === code ? 1 : 0),
    ...Array.from({ length: 10 }, (_, k) => k === t % 10 ? 1 : 0),
  ]);
  const prior = [0.7, 0.7, 0.7, ...new Array(10).fill(1)];
  const exact = sequentialRegression(y, design, { prior, sd: 1 });
  const score = scoreOf(text, timed(y, { x, z }), timeSchedule(15));
  assert.equal(score.looMethod, "future_gaussian");
  score.elpdPointwise.forEach((value, t) => close(value, exact[t + 15], 1e-9));
});
