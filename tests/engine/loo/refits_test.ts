/** Which observations are refitted, and which are not worth it. */
import assert from "node:assert/strict";
import { finish, sampleChains } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { estimateElpd } from "../../../src/engine/loo/estimate.ts";
import { refitBad, refitCost, reserveFor } from "../../../src/engine/loo/refits.ts";
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
const each = refitCost(chains.chainSet, goal.draws);

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

Deno.test("none is refitted where they are more than twice the limit", () => {
  const found = finish(refitBad(estimate, goal, { used: 0, limit: 1e6 }, 1));
  assert.deepEqual(found.done, []);
  assert.deepEqual(found.left, estimate.bad);
});

Deno.test("what refits would take is kept of the budget, none where nothing is bad, half at most", () => {
  const room = { used: 1000, limit: 1e7 };
  assert.equal(reserveFor({ ...estimate, bad: [] }, goal.draws, room), 0);
  assert.equal(reserveFor({ ...estimate, bad: [4] }, goal.draws, room), each);
  const all = Array.from({ length: 500 }, (_, i) => i);
  assert.equal(reserveFor({ ...estimate, bad: all }, goal.draws, room), 10 * each);
  const little = { used: 1000, limit: 1000 + each };
  assert.equal(reserveFor({ ...estimate, bad: [4, 5] }, goal.draws, little), 0.5 * each);
});
