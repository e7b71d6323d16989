/** When short chains are enough, when another parametrisation is tried, and what is said of separated modes. */
import assert from "node:assert/strict";
import { finish } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { sampleMixed } from "../../../src/engine/loo/mixed_chains.ts";
import { mixing } from "../../../src/engine/loo/posterior.ts";
import { exp, log } from "../../../src/numerics/math/elementary.ts";
import type { LogDensity } from "../../../src/numerics/math/log_density.ts";
import { funnel } from "../mcmc/funnel.ts";
import { correlatedNormal } from "../mcmc/normal_densities.ts";

const schedule = { chains: 4, tune: 100, draws: 125, seedKey: ["mixed"] };

function standardNormal(dimension: number): LogDensity {
  return {
    dimension,
    logDensity(q, g, o) {
      let value = 0;
      for (let i = 0; i < dimension; i++) {
        g[o + i] = -q[o + i];
        value -= 0.5 * q[o + i] * q[o + i];
      }
      return value;
    },
  };
}

/** An even mixture of two normals, 40 standard deviations apart. */
const twoModes: LogDensity = {
  dimension: 1,
  logDensity(q, g, o) {
    const [a, b] = [-0.5 * (q[o] + 20) * (q[o] + 20), -0.5 * (q[o] - 20) * (q[o] - 20)];
    const value = Math.max(a, b) + log(1 + exp(-Math.abs(a - b)));
    g[o] = -(q[o] + 20) * exp(a - value) - (q[o] - 20) * exp(b - value);
    return value;
  },
};

Deno.test("a thousand coordinates have mixed though one of their R-hats exceeds 1.05", () => {
  const budget = { used: 0, limit: 1e6 };
  const result = finish(sampleMixed(standardNormal(1000), schedule, budget));
  assert.ok(result.kind === "chains");
  assert.equal(result.chainSet.draws, 125);
  assert.ok(mixing(result.chainSet).rhatMax > 1.05);
  assert.ok(budget.used < 20_000, `${budget.used}`);
});

Deno.test("chains of a funnel are left for the parametrisation without one", () => {
  const without = standardNormal(20);
  const budget = { used: 0, limit: 1e6 };
  const result = finish(sampleMixed(funnel(20), schedule, budget, () => without));
  assert.ok(result.kind === "chains");
  assert.equal(result.density, without);
});

Deno.test("chains that lack draws alone are drawn on before another parametrisation is tried", () => {
  const slow = correlatedNormal(30, 0.9);
  const few = { ...schedule, tune: 60, draws: 40 };
  const budget = { used: 0, limit: 1e6 };
  const other = () => assert.fail("the other parametrisation was asked for");
  const result = finish(sampleMixed(slow, few, budget, other));
  assert.ok(result.kind === "chains");
  assert.equal(result.density, slow);
  assert.equal(result.chainSet.draws, 80);
});

Deno.test("chains that mix slowly are drawn on where the long schedule does not fit", () => {
  const slow = correlatedNormal(40, 0.995);
  const budget = { used: 0, limit: 300_000 };
  const result = finish(sampleMixed(slow, { ...schedule, tune: 60, draws: 50 }, budget));
  assert.ok(result.kind === "chains");
  assert.ok(result.chainSet.draws > 100);
  assert.ok(mixing(result.chainSet).rhatMax <= 1.06);
});

Deno.test("a posterior with two far modes says so", () => {
  const budget = { used: 0, limit: 1e6 };
  const result = finish(sampleMixed(twoModes, { ...schedule, chains: 8 }, budget));
  assert.ok(result.kind === "numeric");
  assert.match(result.reason, /R-hat .*; each chain keeps to a mode of its own/);
});
