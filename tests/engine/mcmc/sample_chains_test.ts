/** The sampler against known posteriors, and what it promises about bits, budgets and failures. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import type { ChainSet } from "../../../src/engine/inference/mcmc/chain_set.ts";
import { essMean, rhat } from "../../../src/engine/inference/mcmc/diagnostics.ts";
import {
  continueChains,
  finish,
  sampleChains,
  type SamplerOptions,
} from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { uniformStart } from "../../../src/engine/inference/mcmc/start.ts";
import type { LogDensity } from "../../../src/numerics/math/log_density.ts";
import { dugongsDensity } from "./dugongs_density.ts";
import { eightSchoolsDensity } from "./eight_schools_density.ts";
import { correlatedNormal } from "./normal_densities.ts";

const short: SamplerOptions = { chains: 4, tune: 200, draws: 125 };

function sample(density: LogDensity, options: SamplerOptions, seed = 0): ChainSet {
  const result = finish(sampleChains(density, options, ["test", seed], { used: 0, limit: 1e9 }));
  assert.ok(result.kind === "chains");
  return result.chainSet;
}

/** (mean over draws − wanted) in Monte Carlo standard errors. */
function zScore(values: Float64Array, chains: number, wanted: number): number {
  const mean = values.reduce((a, b) => a + b) / values.length;
  const square = values.reduce((a, b) => a + (b - mean) * (b - mean), 0) / (values.length - 1);
  return (mean - wanted) / Math.sqrt(square / essMean(values, chains));
}

function column(set: ChainSet, f: (at: number) => number): Float64Array {
  return Float64Array.from(
    { length: set.chains * set.draws },
    (_, s) => f(s * set.dimension),
  );
}

for (const [start, rho] of [["laplace", 0.8], ["laplace", 0.1], ["uniform", 0.5]] as const) {
  Deno.test(`a 10-dimensional normal (ρ = ${rho}, ${start} start) has its moments`, () => {
    const set = sample(correlatedNormal(10, rho), { chains: 4, tune: 500, draws: 500, start });
    const q = set.positions;
    for (let i = 0; i < 10; i++) {
      const standard = (at: number) => (q[at + i] - i - 1) / (i + 1);
      const z = zScore(column(set, standard), 4, 0);
      const squares = column(set, (at) => standard(at) * standard(at));
      assert.ok(Math.abs(z) < 4, `mean ${i}: z = ${z}`);
      assert.ok(Math.abs(zScore(squares, 4, 1)) < 4, `variance ${i}`);
      if (i === 0) continue;
      const product = (at: number) => standard(at) * (q[at + i - 1] - i) / i;
      assert.ok(Math.abs(zScore(column(set, product), 4, rho)) < 4, `correlation ${i}`);
    }
    assert.equal(set.diverging.reduce((a, b) => a + b), 0);
  });
}

Deno.test("dugongs has the posterior means of exact quadrature", () => {
  // α, β, λ by two-dimensional quadrature over (λ, β), to four digits.
  const density = dugongsDensity();
  const set = sample(density, { chains: 4, tune: 200, draws: 500 });
  const row = new Float64Array(4);
  const wanted = [2.6532, 0.9742, 0.8624, 109.71];
  for (let k = 0; k < 4; k++) {
    const values = column(set, (at) => {
      density.constrain(set.positions, at, row, 0);
      return row[k];
    });
    assert.ok(Math.abs(zScore(values, 4, wanted[k])) < 4, density.quantities[k]);
    assert.ok(rhat(values, 4) < 1.03);
  }
});

Deno.test("eight schools has the posterior means of posteriordb", () => {
  const density = eightSchoolsDensity();
  const set = sample(density, { chains: 4, tune: 300, draws: 500 });
  const row = new Float64Array(10);
  // Means of posteriordb's reference draws of eight_schools-eight_schools_noncentered.
  for (const [k, wanted] of [[0, 4.41], [1, 3.60]] as const) {
    const values = column(set, (at) => {
      density.constrain(set.positions, at, row, 0);
      return row[k];
    });
    assert.ok(Math.abs(zScore(values, 4, wanted)) < 4, density.quantities[k]);
  }
});

Deno.test("sampleChains() gives the same bits for the same key, and others for another", () => {
  const a = sample(dugongsDensity(), short, 1);
  assert.deepEqual(sample(dugongsDensity(), short, 1).positions, a.positions);
  assert.notDeepEqual(sample(dugongsDensity(), short, 2).positions, a.positions);
});

Deno.test("continueChains() gives the bits that a longer run would have given", () => {
  const density = dugongsDensity();
  const half = sample(density, { ...short, draws: 60 });
  const budget = { used: 0, limit: 1e9 };
  const longer = finish(continueChains(density, half, 120, budget));
  assert.ok(longer.kind === "chains");
  const whole = sample(density, { ...short, draws: 120 });
  assert.deepEqual(longer.chainSet.positions, whole.positions);
  assert.deepEqual(longer.chainSet.gradients, whole.gradients);
  assert.deepEqual(longer.chainSet.treeDepths, whole.treeDepths);
});

Deno.test("sampleChains() keeps gradient and log density of every draw", () => {
  const density = dugongsDensity();
  const set = sample(density, { chains: 2, tune: 50, draws: 10 });
  const gradient = new Float64Array(4);
  for (let s = 0; s < 20; s++) {
    const point = set.positions.slice(4 * s, 4 * s + 4);
    assert.equal(density.logDensity(point, gradient, 0), set.logDensities[s]);
    assert.deepEqual(gradient, set.gradients.slice(4 * s, 4 * s + 4));
  }
});

Deno.test("sampleChains() counts every gradient evaluation", () => {
  let calls = 0;
  const inner = dugongsDensity();
  const counted: LogDensity = {
    dimension: 4,
    logDensity(q, g, o) {
      calls += 1;
      return inner.logDensity(q, g, o);
    },
  };
  const budget = { used: 0, limit: 1e9 };
  const result = finish(sampleChains(counted, short, ["count"], budget));
  assert.equal(budget.used, calls);
  assert.ok(result.kind === "chains" && result.chainSet.gradientEvaluations === calls);
});

Deno.test("a spent budget and a density without finite points are values", () => {
  const budget = { used: 0, limit: 500 };
  assert.deepEqual(finish(sampleChains(dugongsDensity(), short, ["b"], budget)), {
    kind: "budget",
  });
  const nowhere: LogDensity = { dimension: 1, logDensity: () => -Infinity };
  assert.deepEqual(finish(sampleChains(nowhere, short, ["n"], { used: 0, limit: 1e6 })), {
    kind: "no_finite_start",
  });
});

Deno.test("a density with an edge is sampled up to its edge, and leaving it counts as diverging", () => {
  const halfNormal: LogDensity = {
    dimension: 1,
    logDensity(q, g, o) {
      g[o] = -q[o];
      return q[o] < 0 ? -Infinity : -0.5 * q[o] * q[o];
    },
  };
  const set = sample(halfNormal, { chains: 4, tune: 200, draws: 250 });
  assert.ok(set.positions.every((q) => q >= 0));
  assert.ok(set.diverging.some((d) => d === 1));
});

Deno.test("uniformStart() keeps to the region that a density names", () => {
  const density: LogDensity = {
    ...correlatedNormal(2, 0),
    startingRegion: { centre: Float64Array.of(50, -3), spread: Float64Array.of(0.01, 1) },
  };
  const start = uniformStart(density, new RandomStream("region"), { used: 0, limit: 10 });
  assert.ok(start);
  assert.ok(Math.abs(start[0] - 50) < 0.02 && Math.abs(start[1] + 3) < 2);
});
