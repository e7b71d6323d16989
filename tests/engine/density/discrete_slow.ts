/** Discrete variables that rows share, summed out: against the sum over programs with each value. */
import assert from "node:assert/strict";
import { makeDataset } from "../../../src/base/dataset.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { compileLogDensity } from "../../../src/engine/inference/density/compile.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import { unitPosterior } from "../../../src/engine/loo/units.ts";
import { exp, log } from "../../../src/numerics/math/elementary.ts";
import type { PointwiseDensity } from "../../../src/numerics/math/log_density.ts";
import { logSumExp } from "../../../src/numerics/math/log_sum_exp.ts";
import { assertClose } from "./closeness.ts";

const rows = 6;
const data = makeDataset("six", [
  { name: "x", role: "predictor", type: "real", values: Float64Array.of(-1, 0, 1, 2, 3, 4) },
  { name: "y", role: "response", type: "count", values: Float64Array.of(3, 0, 2, 1, 0, 4) },
]);

/** A program, and what stands for its discrete variables at each of their values. */
interface Case {
  readonly name: string;
  /** `DISCRETE` is where the discrete variables are given. */
  readonly text: string;
  readonly variables: string;
  /** Each with its log prior, given the parameters that are drawn. */
  readonly values: readonly { readonly text: string; readonly logPrior: number }[];
}

const uniform = (texts: readonly string[], logPrior: number) =>
  texts.map((text) => ({ text, logPrior }));
const pairs = [[0, 0], [0, 1], [1, 0], [1, 1]];

const cases: readonly Case[] = [
  {
    name: "a switchpoint",
    variables: 's = pm.DiscreteUniform("s", lower=-1, upper=4)',
    values: uniform([-1, 0, 1, 2, 3, 4].map((s) => `s = ${s}`), -log(6)),
    text: `
a = pm.Exponential("a", 1)
b = pm.Exponential("b", 2)
DISCRETE
pm.Poisson("y", pm.math.switch(s >= data["x"], a, b), observed=data["y"])`,
  },
  {
    name: "a code that picks a rate, within a truncated and a zero-inflated distribution",
    variables: 'z = pm.Categorical("z", p=[0.2, 0.3, 0.5])',
    values: [0.2, 0.3, 0.5].map((p, z) => ({ text: `z = ${z}`, logPrior: log(p) })),
    text: `
a = pm.Exponential("a", 1, shape=3)
w = pm.Beta("w", 1, 1)
DISCRETE
pm.ZeroInflatedPoisson("y", psi=w, mu=a[z] + 0.1, observed=data["y"])`,
  },
  {
    name: "indicators of coefficients",
    variables: 'z = pm.Bernoulli("z", 0.25, shape=2)',
    values: pairs.map(([i, j]) => ({
      text: `z = np.array([${i}, ${j}])`,
      logPrior: log(i ? 0.25 : 0.75) + log(j ? 0.25 : 0.75),
    })),
    text: `
c = pm.Normal("c", 0, 1, shape=2)
X = np.column_stack([np.ones(6), data["x"]])
DISCRETE
pm.Poisson("y", pm.math.exp(X @ (c * z)), observed=data["y"])`,
  },
  {
    name: "a spike and a slab, in the prior of a coefficient",
    variables: 'z = pm.Bernoulli("z", 0.5, shape=2)',
    values: uniform(pairs.map((z) => `z = np.array([${z}])`), -2 * log(2)),
    text: `
DISCRETE
c = pm.Normal("c", 0, pm.math.switch(z, 2.0, 0.1), shape=2)
d = pm.Gamma("d", mu=1 + z.sum(), sigma=1)
pm.Poisson("y", pm.math.exp(c[0] + c[1] * data["x"] / 4) * d, observed=data["y"])`,
  },
  {
    name: "two variables, one of which depends on the other, through joins and cumulative sums",
    variables:
      'k = pm.Bernoulli("k", 0.5)\nn = pm.Binomial("n", n=2, p=pm.math.switch(k, 0.5, 0.25))',
    values: [
      ["k = 0\nn = 0", 0.5 * 0.5625],
      ["k = 0\nn = 1", 0.5 * 0.375],
      ["k = 0\nn = 2", 0.5 * 0.0625],
      ["k = 1\nn = 0", 0.5 * 0.25],
      ["k = 1\nn = 1", 0.5 * 0.5],
      ["k = 1\nn = 2", 0.5 * 0.25],
    ].map(([text, p]) => ({ text: text as string, logPrior: log(p as number) })),
    text: `
a = pm.Exponential("a", 1)
DISCRETE
steps = pm.math.stack([a, a * (1 + k), 0.5 + n, a * n, 1, a])
mu = pt.cumsum(steps)[::-1].reshape((2, 3)).flatten() + pm.math.max(steps)
pm.NegativeBinomial("y", mu=mu, alpha=2, observed=data["y"])`,
  },
  {
    name: "values that make an observation impossible",
    variables: 'z = pm.DiscreteUniform("z", 0, 2)',
    values: uniform([0, 1, 2].map((z) => `z = ${z}`), -log(3)),
    text: `
a = pm.Beta("a", 2, 2)
DISCRETE
pm.Binomial("y", n=3 + z + pm.math.floor(a), p=a, observed=data["y"])`,
  },
  {
    name: "a mixture whose parts and weights it moves",
    variables: 'z = pm.Truncated("z", pm.Poisson.dist(1.0), upper=2)',
    values: [1, 1, 0.5].map((p, z) => ({ text: `z = ${z}`, logPrior: log(p / 2.5) })),
    text: `
a = pm.Exponential("a", 1)
DISCRETE
w = pm.math.stack([(1 + z) / 4.0, (3 - z) / 4.0])
parts = [pm.Poisson.dist(a), pm.Poisson.dist(3 + z)]
pm.Mixture("y", w=w, comp_dists=parts, observed=data["y"])`,
  },
];

function compiled(
  text: string,
  backend: "plain" | "wasm",
  unitOfRow?: Int32Array,
): PointwiseDensity {
  const indented = text.trim().split("\n").map((line) => `    ${line}`).join("\n");
  const source = `import pytensor.tensor as pt\nwith pm.Model() as model:\n${indented}\n`;
  const checked = checkProgram(source, data, undefined, { rows: "ordered" });
  assert.ok(checked.ok, JSON.stringify(checked));
  return compileLogDensity(checked.program, data, { backend, unitOfRow });
}

/** The position of `one` in the order that the parameters have in `other`. */
function reordered(position: Float64Array, one: PointwiseDensity, other: PointwiseDensity) {
  const names = one.quantities.filter((name) => other.quantities.includes(name));
  return Float64Array.from(other.quantities, (name) => position[names.indexOf(name)]);
}

/** log Σ_z p(z) p(θ) Π_i p(y_i | θ, z) over the rows that are kept. */
function summedOver(
  density: PointwiseDensity,
  parts: readonly PointwiseDensity[],
  { values }: Case,
  at: Float64Array,
  kept: (row: number) => boolean,
): number {
  const terms = parts.map((part, k) => {
    const position = reordered(at, density, part);
    const each = new Float64Array(rows);
    part.logLikelihood(position, 0, each, 0);
    const whole = part.logDensity(position, new Float64Array(position.length), 0);
    const prior = part.without(Array.from(each.keys()));
    let sum = prior.logDensity(position, new Float64Array(position.length), 0);
    if (whole > -Infinity) assertClose(whole, sum + each.reduce((a, b) => a + b), 1e-12);
    each.forEach((one, i) => sum += kept(i) ? one : 0);
    return values[k].logPrior + sum;
  });
  return logSumExp(Float64Array.from(terms));
}

const all = () => true;
const pairsOfRows = Int32Array.of(0, 0, 1, 1, 2, 2);

for (const one of cases) {
  for (const backend of ["plain", "wasm"] as const) {
    Deno.test(`${one.name} is summed over its values (${backend})`, () => {
      const own = one.text.replace("DISCRETE", one.variables);
      const density = compiled(own, backend);
      const paired = compiled(own, backend, pairsOfRows);
      const parts = one.values.map(({ text }) =>
        compiled(one.text.replace("DISCRETE", text), backend)
      );
      const summed = (at: Float64Array, kept: (row: number) => boolean) =>
        summedOver(density, parts, one, at, kept);
      const random = new RandomStream("discrete", one.name);
      const d = density.dimension;
      for (let repeat = 0; repeat < 5; repeat++) {
        const position = Float64Array.from({ length: d }, () => 2 * random.uniform() - 1);
        const gradient = new Float64Array(d);
        const value = density.logDensity(position, gradient, 0);
        const whole = summed(position, all);
        assertClose(value, whole, 1e-12);
        for (let j = 0; j < d; j++) {
          const at = (step: number) => {
            const moved = position.with(j, position[j] + step);
            return summed(moved, all);
          };
          assertClose(gradient[j], (at(1e-5) - at(-1e-5)) / 2e-5, 1e-7);
        }
        const terms = new Float64Array(rows);
        density.logLikelihood(position, 0, terms, 0);
        for (let i = 0; i < rows; i++) {
          const rest = summed(position, (row) => row !== i);
          assertClose(terms[i], whole - rest, 1e-10);
          const without = density.without([i]).logDensity(position, gradient, 0);
          assertClose(without, rest, 1e-12);
        }
        const units = unitPosterior(paired, pairsOfRows);
        const ofUnits = new Float64Array(3);
        units.logLikelihood(position, 0, ofUnits, 0);
        for (let u = 0; u < 3; u++) {
          const rest = summed(position, (row) => pairsOfRows[row] !== u);
          assertClose(ofUnits[u], whole - rest, 1e-10);
        }
        const parts = [0.5, -0.5, 1].map((logWeight, u) => ({ rows: [u], logWeight }));
        const tempered = { logWeight: -2, power: 0 };
        const mixture = units.mixture({ whole: -1, tempered, parts })
          .logDensity(position, gradient, 0);
        const lacking = parts.map(({ logWeight }, u) => logWeight - ofUnits[u]);
        const logs = Float64Array.of(-1, -2, ...lacking);
        assertClose(mixture, whole + logSumExp(logs), 1e-10);
      }
    });
  }
}

Deno.test("draws of a discrete variable have its probabilities, and fit its deterministics", () => {
  const text = `
a = pm.Exponential("a", 1)
s = pm.DiscreteUniform("s", lower=-1, upper=4)
rate = pm.Deterministic("rate", pm.math.switch(s >= data["x"], a, 0.5))
pm.Poisson("y", rate, observed=data["y"])`;
  const density = compiled(text, "wasm");
  assert.deepEqual(density.quantities.slice(0, 2).sort(), ["a", "s"]);
  const at = density.quantities.indexOf("s");
  const row = new Float64Array(density.quantities.length);
  const counts = new Float64Array(6);
  const draws = 20_000;
  for (let n = 0; n < draws; n++) {
    density.constrain(Float64Array.of(0.3 + 1e-12 * n), 0, row, 0);
    counts[row[at] + 1] += 1;
    for (let i = 0; i < rows; i++) {
      assert.equal(row[2 + i], row[at] >= i - 1 ? row[1 - at] : 0.5);
    }
  }
  const a = exp(0.3);
  const y = [3, 0, 2, 1, 0, 4];
  const logs = Float64Array.from({ length: 6 }, (_, k) =>
    y.reduce((sum, count, i) => {
      const rate = i <= k ? a : 0.5;
      return sum + count * log(rate) - rate;
    }, 0));
  const total = logSumExp(logs);
  for (let k = 0; k < 6; k++) {
    const p = exp(logs[k] - total);
    const error = Math.sqrt(p * (1 - p) / draws);
    assert.ok(
      Math.abs(counts[k] / draws - p) < 5 * error + 1e-9,
      `${k}: ${counts[k]} of ${draws * p}`,
    );
  }
});
