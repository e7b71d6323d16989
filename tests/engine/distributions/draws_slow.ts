/** Draws of every family against its own density: distribution functions, frequencies and moments. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import {
  families,
  type FamilyName,
  isDiscrete,
} from "../../../src/engine/language/distributions/table.ts";
import { GraphBuilder } from "../../../src/engine/language/ir/builder.ts";
import type { Distribution } from "../../../src/engine/language/ir/program.ts";
import { sizeOf } from "../../../src/engine/language/ir/shape.ts";
import { drawDistribution } from "../../../src/engine/inference/predict/draw_distribution.ts";

/** A distribution of numbers with canonical arguments, and a stretch that holds its mass. */
const distributions: readonly [FamilyName, readonly number[], readonly [number, number]][] = [
  ["normal", [1, 2], [-15, 17]],
  ["half_normal", [2], [0, 18]],
  ["log_normal", [0.3, 0.5], [1e-9, 25]],
  ["truncated_normal", [0, 1, 0.5, 2], [0.5, 2]],
  ["truncated_normal", [-50, 1, 0, Infinity], [0, 1]],
  ["student_t", [6, 1, 0.7], [-60, 60]],
  ["half_student_t", [5, 1.2], [0, 90]],
  ["cauchy", [0.5, 0.05], [-60, 60]],
  ["half_cauchy", [0.05], [0, 120]],
  ["exponential", [0.7], [0, 45]],
  ["gamma", [2.5, 1.5], [0, 30]],
  ["gamma", [150, 3], [10, 110]],
  ["inverse_gamma", [6, 5], [1e-9, 60]],
  ["chi_squared", [5], [0, 60]],
  ["weibull", [1.7, 2], [0, 20]],
  ["beta", [2.5, 3.5], [0, 1]],
  ["uniform", [-1, 3], [-1, 3]],
  ["triangular", [-1, 3, 0.5], [-1, 3]],
  ["laplace", [1, 0.6], [-14, 16]],
  ["asymmetric_laplace", [0.6, 1, 2], [-16, 22]],
  ["logistic", [1, 0.5], [-20, 22]],
  ["logit_normal", [0.5, 0.8], [1e-6, 1 - 1e-6]],
  ["gumbel", [1, 0.7], [-5, 25]],
  ["moyal", [1, 0.7], [-6, 50]],
  ["skew_normal", [1, 2, 3], [-4, 14]],
  ["skew_normal", [1, 2, -1], [-14, 12]],
  ["ex_gaussian", [0, 1, 2], [-8, 60]],
  ["wald", [1.5, 4, 0.3], [0.3 + 1e-9, 25]],
  ["pareto", [4, 1.2], [1.2, 60]],
  ["rice", [1.5, 0.8], [1e-9, 8]],
  ["kumaraswamy", [2, 3], [1e-9, 1 - 1e-9]],
  ["von_mises", [0.5, 2], [-Math.PI, Math.PI]],
  ["von_mises", [3, 0.4], [-Math.PI, Math.PI]],
  ["hurdle_gamma", [1, 2, 1.5], [1e-9, 25]],
  ["hurdle_log_normal", [1, 0, 0.5], [1e-9, 25]],
  ["bernoulli", [0.3], [0, 1]],
  ["binomial", [12, 0.3], [0, 12]],
  ["binomial", [400, 0.7], [0, 400]],
  ["poisson", [3.2], [0, 40]],
  ["poisson", [300], [0, 600]],
  ["negative_binomial", [5, 2], [0, 150]],
  ["geometric", [0.3], [1, 80]],
  ["hypergeometric", [50, 20, 12], [0, 12]],
  ["beta_binomial", [20, 2, 3], [0, 20]],
  ["discrete_uniform", [-2, 5], [-2, 5]],
  ["discrete_weibull", [0.8, 1.3], [0, 80]],
  ["zero_inflated_poisson", [0.7, 4], [0, 40]],
  ["zero_inflated_binomial", [0.6, 10, 0.4], [0, 10]],
  ["zero_inflated_negative_binomial", [0.6, 5, 2], [0, 150]],
  ["hurdle_poisson", [0.7, 2], [0, 40]],
  ["hurdle_negative_binomial", [0.6, 3, 2], [0, 120]],
];

const draws = 20000;
/** Kolmogorov's limit that one sample in 10^5 exceeds. */
const limit = 2.47 / Math.sqrt(draws);

/** Draws of a distribution whose arguments are constants of `g`. */
function drawn(g: GraphBuilder, distribution: Distribution): Float64Array {
  const out = new Float64Array(sizeOf(distribution.shape));
  drawDistribution(
    new RandomStream("draws", distribution.family),
    distribution,
    (id) => g.valueOf(id)!,
    out,
  );
  return out;
}

/** The density on a grid: points, and cumulative sums by Simpson's rule or term by term. */
function cumulative(
  name: FamilyName,
  args: readonly number[],
  [low, high]: readonly [number, number],
) {
  const discrete = families[name].discrete;
  const cells = discrete ? high - low : 8000;
  const step = (high - low) / cells;
  const points = Float64Array.from({ length: cells + 1 }, (_, i) => low + i * step);
  const middles = points.map((x) => x + 0.5 * step).subarray(0, cells);
  const density = (x: Float64Array) => {
    const g = new GraphBuilder();
    const nodes = args.map((arg) => g.scalar(arg));
    const distribution = { family: name, args: nodes, shape: [x.length] };
    const node = families[name].logDensity(g, g.array(x, [x.length]), distribution);
    return g.valueOf(node)!.values.map(Math.exp);
  };
  const at = density(points);
  const mass = new Float64Array(cells + 1);
  if (discrete) at.forEach((p, i) => mass[i] = (mass[i - 1] ?? 0) + p);
  else {
    const between = density(middles);
    for (let i = 0; i < cells; i++) {
      mass[i + 1] = mass[i] + step * (at[i] + 4 * between[i] + at[i + 1]) / 6;
    }
  }
  return { points, mass };
}

for (const [name, args, stretch] of distributions) {
  Deno.test(`draws of ${name}(${args}) have its distribution`, () => {
    const { points, mass } = cumulative(name, args, stretch);
    assert.ok(Math.abs(mass.at(-1)! - 1) < 2e-3, `the density integrates to ${mass.at(-1)}`);
    const g = new GraphBuilder();
    const distribution = { family: name, args: args.map((arg) => g.scalar(arg)), shape: [draws] };
    const sorted = drawn(g, distribution).sort();
    let at = 0;
    points.forEach((x, i) => {
      while (at < draws && sorted[at] <= x) at++;
      const gap = Math.abs(at / draws - mass[i]);
      assert.ok(gap < limit + 2e-3, `P(X <= ${x}): ${at / draws} drawn, ${mass[i]} by the density`);
    });
  });
}

Deno.test("every family of numbers draws", () => {
  const tried = new Set(distributions.map(([name]) => name));
  const others = Object.entries(families)
    .filter(([, { eventRank, parameterRanks, proper, support }]) =>
      eventRank === 0 && proper && support !== "components" && support !== "code" &&
      parameterRanks.every((rank) => rank === 0)
    )
    .map(([name]) => name as FamilyName);
  assert.deepEqual(others.filter((name) => !tried.has(name)), []);
});

/** Mean of a column of rows, and the standard error of that mean. */
function meanOf(values: Float64Array, width: number, column: number) {
  const rows = values.length / width;
  let [sum, squares] = [0, 0];
  for (let row = 0; row < rows; row++) {
    sum += values[row * width + column];
    squares += values[row * width + column] ** 2;
  }
  const mean = sum / rows;
  return { mean, error: Math.sqrt(Math.max(1e-12, squares / rows - mean * mean) / rows) };
}

/** That a mean is what it should be within 4.5 standard errors. */
function assertMean(values: Float64Array, width: number, column: number, wanted: number) {
  const { mean, error } = meanOf(values, width, column);
  assert.ok(Math.abs(mean - wanted) <= 4.5 * error + 1e-9, `${mean} ± ${error}, not ${wanted}`);
}

/** Arrays as constants. */
function vector(g: GraphBuilder, ...values: number[]) {
  return g.array(Float64Array.from(values), [values.length]);
}

Deno.test("draws of codes have the frequencies of their density", () => {
  const g = new GraphBuilder();
  const cuts = vector(g, -1, 0.5, 2);
  const eta = g.scalar(0.3);
  const all: Distribution[] = [
    { family: "categorical", args: [vector(g, 0.2, 0.1, 0.4, 0.3)], shape: [draws] },
    { family: "ordered_logistic", args: [eta, cuts], shape: [draws] },
    { family: "ordered_probit", args: [eta, cuts, g.scalar(1.4)], shape: [draws] },
  ];
  for (const distribution of all) {
    const out = drawn(g, distribution);
    const codes = { ...distribution, shape: [4] };
    const density = families[distribution.family].logDensity(g, vector(g, 0, 1, 2, 3), codes);
    const chances = g.valueOf(density)!.values.map(Math.exp);
    assert.ok(Math.abs(chances.reduce((a, b) => a + b) - 1) < 1e-12);
    for (let k = 0; k < 4; k++) assertMean(out.map((x) => x === k ? 1 : 0), 1, 0, chances[k]);
  }
});

Deno.test("draws of vectors have their means, and stay where they belong", () => {
  const g = new GraphBuilder();
  const a = vector(g, 0.5, 2, 2.5);
  const simplex = drawn(g, { family: "dirichlet", args: [a], shape: [draws, 3] });
  [0.1, 0.4, 0.5].forEach((mean, k) => assertMean(simplex, 3, k, mean));
  const p = vector(g, 0.1, 0.4, 0.5);
  const counts = drawn(g, { family: "multinomial", args: [g.scalar(10), p], shape: [draws, 3] });
  [1, 4, 5].forEach((mean, k) => assertMean(counts, 3, k, mean));
  const mixed = { family: "dirichlet_multinomial" as const, args: [g.scalar(10), a] };
  const spread = drawn(g, { ...mixed, shape: [draws, 3] });
  [1, 4, 5].forEach((mean, k) => assertMean(spread, 3, k, mean));
  for (let row = 0; row < 100; row++) {
    const of = (x: Float64Array) => x[3 * row] + x[3 * row + 1] + x[3 * row + 2];
    assert.ok(Math.abs(of(simplex) - 1) < 1e-12);
    assert.equal(of(counts), 10);
    assert.equal(of(spread), 10);
  }
});

Deno.test("draws of multivariate normal and t distributions have their covariance", () => {
  const g = new GraphBuilder();
  const factor = g.array(Float64Array.of(1, 0, 0.8, 0.6), [2, 2]);
  const mu = vector(g, 1, -2);
  const gaussian = drawn(g, { family: "mv_normal", args: [mu, factor], shape: [draws, 2] });
  const nu = g.scalar(8);
  const t = drawn(g, { family: "mv_student_t", args: [nu, mu, factor], shape: [draws, 2] });
  // The covariance of t is nu / (nu − 2) times its scale.
  for (const [x, size] of [[gaussian, 1], [t, 8 / 6]] as const) {
    assertMean(x, 2, 0, 1);
    assertMean(x, 2, 1, -2);
    const products = Float64Array.from(
      { length: draws },
      (_, i) => (x[2 * i] - 1) * (x[2 * i + 1] + 2),
    );
    assertMean(products, 1, 0, 0.8 * size);
  }
});

Deno.test("draws of LKJ's distribution have its deviations and correlations", () => {
  const g = new GraphBuilder();
  const sd: Distribution = { family: "exponential", args: [g.scalar(2)], shape: [2] };
  const distribution: Distribution = {
    family: "lkj_cholesky_cov",
    args: [g.scalar(1.5)],
    shape: [3],
    sizes: [2],
    components: [sd],
  };
  const random = new RandomStream("lkj");
  const rows = 6000;
  const [first, second, correlation, square] = [0, 0, 0, 0].map(() => new Float64Array(rows));
  const out = new Float64Array(3);
  for (let row = 0; row < rows; row++) {
    drawDistribution(random, distribution, (id) => g.valueOf(id)!, out);
    first[row] = out[0];
    second[row] = Math.hypot(out[1], out[2]);
    correlation[row] = out[1] / second[row];
    square[row] = correlation[row] ** 2;
  }
  assertMean(first, 1, 0, 0.5);
  assertMean(second, 1, 0, 0.5);
  assertMean(correlation, 1, 0, 0);
  // A correlation is 2 b − 1 for b of Beta(eta, eta).
  assertMean(square, 1, 0, 1 / (2 * 1.5 + 1));
});

Deno.test("draws that sum to zero do so, with the variance of the projection", () => {
  const g = new GraphBuilder();
  const sigma = g.scalar(2);
  const out = drawn(g, { family: "zero_sum_normal", args: [sigma], shape: [4000, 5], sizes: [1] });
  for (let row = 0; row < 50; row++) {
    const sum = out.subarray(5 * row, 5 * row + 5).reduce((a, b) => a + b);
    assert.ok(Math.abs(sum) < 1e-12);
  }
  assertMean(out.map((x) => x * x), 5, 2, 4 * (1 - 1 / 5));
});

Deno.test("draws of series have the moments of their recursions", () => {
  const g = new GraphBuilder();
  const start = (shape: number[]): Distribution => ({
    family: "normal",
    args: [g.scalar(1), g.scalar(0.5)],
    shape,
  });
  const rows = 5000;
  const walk = drawn(g, {
    family: "gaussian_random_walk",
    args: [g.scalar(0.2), g.scalar(0.8)],
    shape: [rows, 4],
    components: [start([rows])],
  });
  assertMean(walk, 4, 0, 1);
  assertMean(walk, 4, 3, 1.6);
  assertMean(walk.map((x) => (x - 1.6) ** 2), 4, 3, 0.25 + 3 * 0.64);
  const autoregressive = drawn(g, {
    family: "ar",
    args: [vector(g, 0.3, 0.5, -0.2), g.scalar(0.8)],
    shape: [rows, 4],
    sizes: [2, 1],
    components: [start([rows, 2])],
  });
  assertMean(autoregressive, 4, 1, 1);
  assertMean(autoregressive, 4, 2, 0.3 + 0.5 - 0.2);
  assertMean(autoregressive, 4, 3, 0.3 + 0.5 * 0.6 - 0.2);
});

Deno.test("draws of mixtures, truncated and censored distributions have their distributions", () => {
  const g = new GraphBuilder();
  const normal = (mu: number, sigma: number, shape = [draws]): Distribution => ({
    family: "normal",
    args: [g.scalar(mu), g.scalar(sigma)],
    shape,
  });
  const w = vector(g, 0.3, 0.7);
  const two = drawn(g, {
    family: "mixture",
    args: [w],
    shape: [draws],
    components: [normal(-1, 0.5), normal(2, 1)],
  });
  const wide: Distribution = {
    family: "normal",
    args: [vector(g, -1, 2), vector(g, 0.5, 1)],
    shape: [draws, 2],
  };
  const one = drawn(g, { family: "mixture", args: [w], shape: [draws], components: [wide] });
  const own = drawn(g, {
    family: "normal_mixture",
    args: [w, vector(g, -1, 2), vector(g, 0.5, 1)],
    shape: [draws],
  });
  for (const out of [two, one, own]) {
    assertMean(out, 1, 0, 1.1);
    assertMean(out.map((x) => x * x), 1, 0, 0.3 * 1.25 + 0.7 * 5);
  }
  const bounds = [g.scalar(0), g.scalar(2)];
  const base: Distribution = { family: "exponential", args: [g.scalar(1)], shape: [draws] };
  const cut = drawn(g, { family: "truncated", args: bounds, shape: [draws], components: [base] });
  assert.ok(cut.every((x) => x >= 0 && x <= 2));
  // E[X | X < 2] = 1 − 2 e^−2 / (1 − e^−2)
  assertMean(cut, 1, 0, 1 - 2 * Math.exp(-2) / (1 - Math.exp(-2)));
  const held = drawn(g, { family: "censored", args: bounds, shape: [draws], components: [base] });
  assertMean(held.map((x) => x === 2 ? 1 : 0), 1, 0, Math.exp(-2));
  assert.ok(!isDiscrete({ family: "truncated", components: [base] }));
});
