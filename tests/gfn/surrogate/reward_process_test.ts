/** The process of a surrogate against plain formulas: kernel, posterior, evidence, leaving one out. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { regressionsEnvironment } from "../../../src/gfn/environments/regressions.ts";
import { defaultRegressions } from "../../../src/gfn/environments/regressions.ts";
import {
  type KernelParameters,
  ProductionKernel,
} from "../../../src/gfn/evaluation/surrogate/production_kernel.ts";
import { ProductionSets } from "../../../src/gfn/evaluation/surrogate/production_sets.ts";
import { evidence, type Points } from "../../../src/gfn/evaluation/surrogate/relevance.ts";
import { RewardProcess } from "../../../src/gfn/evaluation/surrogate/reward_process.ts";
import type { Environment } from "../../../src/gfn/environments/environment.ts";

const count = 11;
const productions = 10;
const random = new RandomStream("reward process");
const names = Array.from({ length: productions }, (_, j) => `x${j}`);
const members = Array.from({ length: count + 3 }, () => names.filter(() => random.uniform() < 0.5));
const environment = regressionsEnvironment(defaultRegressions) as Environment;
const sets = new ProductionSets(environment, names);
const codes = sets.encode(members.map((features) => ({ features, actions: [] })));
const { pieces } = sets;
const parameters: KernelParameters = {
  relevance: Float64Array.from(names, () => 0.1 + random.uniform()),
  variances: [1.5, 0.7, 0.4, 2],
  nugget: 0.05,
};
const heights = Float64Array.from({ length: count }, () => 4 * random.uniform() - 2);
const points: Points = { codes: codes.slice(0, count * pieces), heights };

/** Straight from codes of ±1. */
function covariance(a: number, b: number): number {
  const { relevance, variances: [constant, single, pair, any] } = parameters;
  const sign = (x: number, j: number) => members[x].includes(names[j]) ? 1 : -1;
  const total = relevance.reduce((sum, one) => sum + one, 0);
  const u = relevance.reduce((sum, one, j) => sum + one * sign(a, j) * sign(b, j), 0) / total;
  const differ = relevance.reduce((sum, one, j) => sum + (sign(a, j) === sign(b, j) ? 0 : one), 0);
  return constant + single * u + pair * u * u + any * Math.exp(-differ);
}

/** a⁻¹ by Gauss and Jordan, with pivots. */
function inverse(a: readonly (readonly number[])[]): number[][] {
  const n = a.length;
  const rows = a.map((row, i) => [...row, ...row.map((_, j) => (i === j ? 1 : 0))]);
  for (let c = 0; c < n; c++) {
    const pivot = rows.findIndex((row, i) =>
      i >= c && Math.abs(row[c]) === Math.max(...rows.slice(c).map((r) => Math.abs(r[c])))
    );
    [rows[c], rows[pivot]] = [rows[pivot], rows[c]];
    rows[c] = rows[c].map((one) => one / rows[c][c]);
    for (let i = 0; i < n; i++) {
      if (i !== c) rows[i] = rows[i].map((one, j) => one - rows[i][c] * rows[c][j]);
    }
  }
  return rows.map((row) => row.slice(n));
}

const gram = (places: readonly number[]) =>
  places.map((a) => places.map((b) => covariance(a, b) + (a === b ? parameters.nugget : 0)));

function plainPosterior(places: readonly number[], at: number) {
  const k = inverse(gram(places));
  const row = places.map((b) => covariance(at, b));
  const times = k.map((own) => own.reduce((sum, one, j) => sum + one * row[j], 0));
  const mean = times.reduce((sum, one, i) => sum + one * heights[places[i]], 0);
  const explained = times.reduce((sum, one, i) => sum + one * row[i], 0);
  return { mean, variance: covariance(at, at) + parameters.nugget - explained };
}

const all = Array.from({ length: count }, (_, i) => i);
const near = (a: number, b: number, what: string) => assert.ok(Math.abs(a - b) < 1e-9, what);

Deno.test("the kernel is what codes of ±1 say, in pieces of eight productions", () => {
  const kernel = new ProductionKernel(parameters);
  const row = new Float64Array(count);
  kernel.row(codes, 12, codes, count, row);
  row.forEach((one, i) => near(one, covariance(12, i), `${i}`));
  near(kernel.variance, covariance(3, 3), "variance");
});

Deno.test("mean and variance are those of the plain formulas", () => {
  const process = RewardProcess.of(parameters, 0.25, points);
  const others = codes.slice(count * pieces);
  const means = process.means(others, 3);
  const variances = process.variances(others, 3);
  for (let i = 0; i < 3; i++) {
    const plain = plainPosterior(all, count + i);
    near(means[i], plain.mean + 0.25, "mean");
    near(variances[i], plain.variance, "variance");
  }
});

Deno.test("leaving a point out is what a process without it says", () => {
  const process = RewardProcess.of(parameters, 0, points);
  process.leaveOneOut(all).forEach(({ mean, variance }, i) => {
    const plain = plainPosterior(all.filter((one) => one !== i), i);
    near(mean, plain.mean, "mean");
    near(variance, plain.variance, "variance");
  });
});

Deno.test("the gradient of the evidence is that of its differences", () => {
  const found = evidence(points, parameters)!;
  const step = 1e-5;
  const at = (p: number, by: number) => {
    const values = [...parameters.relevance, ...parameters.variances, parameters.nugget];
    values[p] *= Math.exp(by);
    const [v0, v1, v2, v3, nugget] = values.slice(productions);
    const relevance = Float64Array.from(values.slice(0, productions));
    return evidence(points, { relevance, variances: [v0, v1, v2, v3], nugget })!.value;
  };
  found.gradient.forEach((one, p) => {
    const difference = (at(p, step) - at(p, -step)) / (2 * step);
    assert.ok(Math.abs(one - difference) < 1e-6 * Math.max(1, Math.abs(one)), `${p}`);
  });
});
