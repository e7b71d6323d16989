/** The whole of leave-one-out against exact answers. */
import assert from "node:assert/strict";
import { finish } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { type ElpdEstimate, elpdLoo } from "../../../src/engine/loo/elpd.ts";
import { elpdByChains } from "./elpd_by_chains.ts";
import type { PointwiseDensity } from "../../../src/numerics/math/log_density.ts";
import { dugongsDensity } from "../mcmc/dugongs_density.ts";
import { eightSchoolsDensity } from "../mcmc/eight_schools_density.ts";
import { exactNormalElpd, normalMeanDensity } from "../mcmc/normal_densities.ts";

const schedule = { chains: 4, tune: 100, draws: 125, targetMcse: 0.1 };

function crossValidate(density: PointwiseDensity, seed: number, targetMcse = 0.1): ElpdEstimate {
  const settings = { ...schedule, targetMcse, seedKey: ["test", seed] };
  const result = finish(elpdLoo(() => density, settings, { used: 0, limit: 2_000_000 }));
  assert.ok(result.kind === "ok", result.kind);
  return result;
}

/** Within three standard errors, and the bias that smoothing has with a few hundred draws. */
function assertNear(found: ElpdEstimate, wanted: number): void {
  const slack = 3 * found.mcse + 0.05;
  assert.ok(Math.abs(found.elpdLoo - wanted) < slack, `${found.elpdLoo} ± ${found.mcse}`);
}

Deno.test("elpdLoo() of dugongs is that of exact quadrature", () => {
  // 27 two-dimensional quadratures, one per observation left out.
  const found = crossValidate(dugongsDensity(), 1);
  assertNear(found, 22.525);
  assert.ok(found.mcse <= 0.1);
  assert.equal(found.method, "importance");
  assert.ok(Math.abs(found.se - 2.9) < 0.2);
  assert.ok(Math.abs(found.pLoo - 3.4) < 0.4);
  const sum = found.elpdPointwise.reduce((a, b) => a + b);
  assert.ok(Math.abs(sum - found.elpdLoo) < 1e-10);
});

Deno.test("elpdLoo() of eight schools, with its refits, is that of long chains", () => {
  const found = crossValidate(eightSchoolsDensity(), 1);
  assertNear(found, -30.742);
  assert.ok(found.mcse <= 0.1);
});

const outlier = [0.3, -0.2, 0.5, -1.1, 0.4, 9];

Deno.test("elpdLoo() knows what an outlier is without its own influence", () => {
  const exact = exactNormalElpd(outlier);
  const found = crossValidate(normalMeanDensity(outlier), 1, 0.05);
  assert.equal(found.method, "importance");
  assert.ok(Math.abs(found.elpdPointwise[5] - exact[5]) < 4 * found.mcse);
  assertNear(found, exact.reduce((a, b) => a + b));
});

Deno.test("elpdByChains() refits an outlier exactly", () => {
  const exact = exactNormalElpd(outlier);
  const settings = { ...schedule, targetMcse: 0.05, seedKey: ["test", 1] };
  const density = normalMeanDensity(outlier);
  const found = finish(elpdByChains(density, settings, { used: 0, limit: 2_000_000 }));
  assert.ok(found.kind === "ok" && found.exactRefits.includes(5));
  assert.ok(found.mcse <= 0.07); // nine standard deviations away: more than was asked for, and said so
  assert.ok(Math.abs(found.elpdPointwise[5] - exact[5]) < 4 * found.mcse);
  assertNear(found, exact.reduce((a, b) => a + b));
});

Deno.test("elpdLoo() gives the same bits for the same key", () => {
  const a = crossValidate(eightSchoolsDensity(), 3);
  const b = crossValidate(eightSchoolsDensity(), 3);
  assert.deepEqual(a.elpdPointwise, b.elpdPointwise);
  assert.equal(a.mcse, b.mcse);
});

Deno.test("elpdLoo() draws on until the standard error is small", () => {
  const rough = crossValidate(dugongsDensity(), 4, 0.3);
  const found = crossValidate(dugongsDensity(), 4, 0.005);
  assert.ok(found.mcse <= 0.005 && found.mcse < 0.5 * rough.mcse, `${found.mcse}, ${rough.mcse}`);
  assert.ok(found.gradients > 1.5 * rough.gradients);
  assertNear(found, 22.525);
});

Deno.test("elpdLoo() returns a budget that is too small, and chains that do not mix, as values", () => {
  const settings = { ...schedule, seedKey: ["values"] };
  const density = dugongsDensity();
  assert.equal(finish(elpdLoo(() => density, settings, { used: 0, limit: 1000 })).kind, "budget");
  // Two modes 40 standard deviations apart: chains stay in the one that they started in.
  const apart: PointwiseDensity = {
    ...normalMeanDensity([0, 0]),
    logDensity(q, g, o) {
      const side = q[o] < 0 ? -20 : 20;
      g[o] = side - q[o];
      return -0.5 * (q[o] - side) * (q[o] - side);
    },
    without: () => apart,
  };
  assert.equal(finish(elpdLoo(() => apart, settings, { used: 0, limit: 2e5 })).kind, "numeric");
});

Deno.test("elpdByChains() keeps smoothed values where the budget has no room for refits", () => {
  const settings = { ...schedule, seedKey: ["tight"] };
  const density = normalMeanDensity(outlier);
  const plenty = finish(elpdByChains(density, settings, { used: 0, limit: 1e6 }));
  assert.ok(plenty.kind === "ok" && plenty.exactRefits.length > 0);
  const limit = plenty.sampled!.chainSet.gradientEvaluations + 10;
  const tight = finish(elpdByChains(density, settings, { used: 0, limit }));
  assert.ok(tight.kind === "ok" && tight.gradients <= limit);
  assert.deepEqual(tight.exactRefits, []);
  assert.ok(tight.mcse > plenty.mcse);
});
