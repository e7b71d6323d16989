/** Which observations are refitted, and which are not worth it. */
import assert from "node:assert/strict";
import { finish, sampleChains } from "../../../src/engine/mcmc/sample_chains.ts";
import { estimateElpd } from "../../../src/engine/loo/estimate.ts";
import { refitBad } from "../../../src/engine/loo/refits.ts";
import { unitPosterior } from "../../../src/engine/loo/units.ts";
import { exactNormalElpd, normalMeanDensity } from "../mcmc/normal_densities.ts";

const y = [0.3, -0.2, 0.5, -1.1, 11, -11, 10, -10];
const goal = { draws: 125, targetMcse: 0.05, seedKey: ["refits"] };

const density = unitPosterior(normalMeanDensity(y));
const chains = finish(
  sampleChains(density, { chains: 4, tune: 100, draws: 125 }, ["refits"], { used: 0, limit: 1e6 }),
);
assert.ok(chains.kind === "chains");
const estimate = estimateElpd(density, chains.chainSet);
const each = 1.2 * chains.chainSet.gradientEvaluations;

Deno.test("all with a high k are refitted, if they are few enough", () => {
  const found = finish(refitBad(estimate, goal, { used: 0, limit: 1e6 }, 8));
  assert.ok(estimate.bad.length >= 4);
  assert.deepEqual(found.done, estimate.bad);
  assert.deepEqual(found.left, []);
  const exact = exactNormalElpd(y);
  for (const i of found.done) assert.ok(Math.abs(found.pointwise[i] - exact[i]) < 0.15, `${i}`);
});

Deno.test("none is refitted where the budget would leave more than half of them", () => {
  const found = finish(refitBad(estimate, goal, { used: 0, limit: 1.5 * each }, 8));
  assert.deepEqual(found.done, []);
  assert.deepEqual(found.left, estimate.bad);
  assert.deepEqual(found.pointwise, estimate.corrected);
});

Deno.test("where they are more than the limit, folds take their place", () => {
  const found = finish(refitBad(estimate, goal, { used: 0, limit: 1e6 }, 1));
  assert.equal(found.folds, 8);
  assert.deepEqual(found.left, []);
});

Deno.test("likelihoods that know of each other are not put into folds", () => {
  const tied = { ...density, factorises: false };
  const full = { ...estimate.full, density: tied };
  const found = finish(refitBad({ ...estimate, full }, goal, { used: 0, limit: 1e6 }, 1));
  assert.equal(found.folds, 0);
  assert.deepEqual(found.left, estimate.bad);
});
