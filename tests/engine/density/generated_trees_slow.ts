/** Trees that generated code grows have the bits of those that are grown step by step. */
import assert from "node:assert/strict";
import { type Dataset, makeDataset } from "../../../src/base/dataset.ts";
import {
  compileLogDensity,
  type CompileOptions,
} from "../../../src/engine/inference/density/compile.ts";
import { RandomStream } from "../../../src/base/random.ts";
import { unitMetric } from "../../../src/engine/inference/mcmc/metric.ts";
import { Nuts } from "../../../src/engine/inference/mcmc/nuts.ts";
import type { ChainSet } from "../../../src/engine/inference/mcmc/chain_set.ts";
import {
  finish,
  sampleChains,
  type SamplerOptions,
} from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { checkProgram } from "../../../src/engine/language/pymc/check.ts";
import type { LogDensity, PointwiseDensity } from "../../../src/numerics/math/log_density.ts";

const schools = makeDataset("schools", [
  column("y", [28, 8, -3, 7, -1, 1, 18, 12], "response"),
  column("sigma", [15, 10, 16, 11, 9, 11, 10, 18], "predictor"),
]);

function column(name: string, values: readonly number[], role: "response" | "predictor") {
  return { name, role, type: "real", values: Float64Array.from(values) } as const;
}

function compiled(
  lines: readonly string[],
  dataset: Dataset = schools,
  options: CompileOptions = {},
): PointwiseDensity {
  const text = `import pymc as pm\n\nwith pm.Model():\n${lines.map((l) => `    ${l}\n`).join("")}`;
  const checked = checkProgram(text, dataset);
  assert.ok(checked.ok, JSON.stringify(checked));
  return compileLogDensity(checked.program, dataset, options);
}

const hierarchy = [
  'mu = pm.Normal("mu", 0, 5)',
  'tau = pm.HalfCauchy("tau", 5)',
  'raw = pm.Normal("raw", 0, 1, shape=8)',
  'pm.Normal("obs", mu=mu + tau * raw, sigma=data["sigma"], observed=data["y"])',
];
/** Correlated, so that the metric is dense, in an odd number of dimensions. */
const line = [
  'a = pm.Normal("a", 0, 50)',
  'b = pm.Normal("b", 0, 9)',
  'c = pm.HalfNormal("c", 20)',
  'pm.Normal("obs", mu=a + b * data["sigma"], sigma=c, observed=data["y"])',
];
/** A ridge that is a thousand times as long as wide. */
const narrow = [
  'a = pm.Normal("a", 0, 1000)',
  'b = pm.Normal("b", 0, 1000)',
  'pm.Normal("obs", mu=a + b, sigma=data["sigma"], observed=data["y"])',
];
/** A funnel: deep trees and divergences. */
const funnel = [
  'v = pm.Normal("v", 0, 3)',
  'x = pm.Normal("x", 0, pm.math.exp(v), shape=40)',
  'pm.Normal("obs", mu=x[0] + x[39], sigma=data["sigma"], observed=data["y"])',
];

/** The same density without its generated code. */
function stepByStep(density: LogDensity): LogDensity {
  const { dimension, startingRegion } = density;
  return { dimension, startingRegion, logDensity: (q, g, at) => density.logDensity(q, g, at) };
}

function sampled(density: LogDensity, options: Partial<SamplerOptions> = {}): ChainSet {
  const all = { chains: 2, tune: 60, draws: 30, ...options };
  const result = finish(sampleChains(density, all, ["trees"], { used: 0, limit: 1e7 }));
  assert.ok(result.kind === "chains");
  return result.chainSet;
}

function assertSame(a: ChainSet, b: ChainSet): void {
  assert.equal(a.gradientEvaluations, b.gradientEvaluations);
  for (const field of ["positions", "gradients", "logDensities", "energies"] as const) {
    const first = a[field].findIndex((x, i) => !Object.is(x, b[field][i]));
    assert.equal(first, -1, `${field} differ at ${first}`);
  }
  assert.deepEqual([...a.steps], [...b.steps]);
  assert.deepEqual([...a.diverging], [...b.diverging]);
}

for (const [name, lines] of Object.entries({ hierarchy, line, funnel })) {
  Deno.test(`trees of the ${name} have the same bits in generated code and step by step`, () => {
    const density = compiled(lines);
    assert.ok(density.generated);
    const wanted = sampled(stepByStep(density));
    assertSame(sampled(density), wanted);
    assertSame(sampled(compiled(lines, schools, { backend: "plain" })), wanted);
    const rest = density.without([2, 5]);
    assert.ok(rest.generated);
    assertSame(sampled(rest), sampled(stepByStep(rest)));
  });
}

Deno.test("long trajectories find room, and trees of one level none to spare", () => {
  const density = compiled(narrow);
  const long: Partial<SamplerOptions> = { start: "uniform", tune: 8 };
  const found = sampled(density, long);
  assert.ok(Math.max(...found.treeDepths) > 7);
  assertSame(found, sampled(stepByStep(density), long));
  assertSame(
    sampled(density, { maxTreeDepth: 1 }),
    sampled(stepByStep(density), { maxTreeDepth: 1 }),
  );
});

Deno.test("a trajectory that outgrows the memory goes on step by step, with the same bits", () => {
  const wide = compiled([
    'x = pm.Normal("x", 0, 1, shape=5000)',
    'pm.Normal("obs", mu=x[0], sigma=data["sigma"], observed=data["y"])',
  ]);
  const [found, wanted] = [wide, stepByStep(wide)].map((density) => {
    const sampler = new Nuts(density, unitMetric(5000), 9);
    const stream = new RandomStream("wide");
    sampler.stepSize = 0.004;
    sampler.moveTo(new Float64Array(5000), 0);
    for (let k = 0; k < 2; k++) sampler.transition(stream);
    const { offset, energy, acceptance, steps, treeDepth } = sampler;
    const position = sampler.position.slice(offset, offset + 5000);
    return { numbers: [...position, energy, acceptance, stream.uniform()], steps, treeDepth };
  });
  assert.ok(wanted.treeDepth >= 9, `${wanted.treeDepth}`);
  assert.deepEqual([found.steps, found.treeDepth], [wanted.steps, wanted.treeDepth]);
  assert.equal(found.numbers.findIndex((x, i) => !Object.is(x, wanted.numbers[i])), -1);
});

Deno.test("two samplers may take turns with each other and with other programs", () => {
  const [a, b] = [compiled(hierarchy), compiled(line)];
  const [withoutTwo, withoutThree] = [a.without([2]), a.without([3])];
  const parts = [a, b, withoutTwo, withoutThree];
  const options = { chains: 2, tune: 60, draws: 30 };
  const works = parts.map((one) => sampleChains(one, options, ["trees"], { used: 0, limit: 1e7 }));
  const results = works.map(() => undefined as ChainSet | undefined);
  while (results.includes(undefined)) {
    works.forEach((work, k) => {
      if (results[k]) return;
      const next = work.next();
      if (next.done && next.value.kind === "chains") results[k] = next.value.chainSet;
    });
  }
  parts.forEach((one, k) => assertSame(results[k]!, sampled(stepByStep(one))));
});
