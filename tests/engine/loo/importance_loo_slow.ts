/** Leave-one-out from importance draws beside the same from chains, and what is left to those. */
import assert from "node:assert/strict";
import { finish } from "../../../src/engine/inference/mcmc/sample_chains.ts";
import { elpdLoo } from "../../../src/engine/loo/elpd.ts";
import { elpdByChains } from "./elpd_by_chains.ts";
import { importanceLoo } from "../../../src/engine/loo/importance_loo.ts";
import type { PointwiseDensity } from "../../../src/numerics/math/log_density.ts";
import { tailShape } from "../../../src/engine/loo/tail_shape.ts";
import { withThresholds } from "../../../src/engine/loo/thresholds.ts";
import type { ImportanceEstimate } from "../../../src/engine/loo/importance_estimate.ts";
import { dugongsDensity } from "../mcmc/dugongs_density.ts";
import { eightSchoolsDensity } from "../mcmc/eight_schools_density.ts";
import { exactNormalElpd, normalMeanDensity } from "../mcmc/normal_densities.ts";

const schedule = { chains: 4, tune: 100, draws: 125, targetMcse: 0.05 };
const budget = () => ({ used: 0, limit: 1_000_000 });

function weighted(density: PointwiseDensity, seed: number, targetMcse = 0.05) {
  const goal = { ...schedule, targetMcse, seedKey: ["weighted", seed] };
  return finish(importanceLoo(density, goal, budget()));
}

function sumOf({ pointwise }: ImportanceEstimate): number {
  return pointwise.reduce((a, b) => a + b);
}

Deno.test("importance draws and chains agree, of the sum and of each observation", () => {
  const goal = { ...schedule, targetMcse: 0.02, seedKey: ["both"] };
  const direct = finish(importanceLoo(dugongsDensity(), goal, budget()));
  const chains = finish(elpdByChains(dugongsDensity(), goal, budget()));
  assert.ok(direct && chains.kind === "ok");
  const error = Math.hypot(direct.mcse, chains.mcse);
  assert.ok(Math.abs(sumOf(direct) - chains.elpdLoo) < 3 * error);
  chains.elpdPointwise.forEach((value, i) => {
    assert.ok(Math.abs(value - direct.pointwise[i]) < 4 * error, `row ${i}`);
  });
  assert.ok(Math.abs(direct.lppd.reduce((a, b) => a + b) - chains.elpdLoo - chains.pLoo) < 0.1);
});

Deno.test("the error is that of the spread over seeds, and smaller than was asked for", () => {
  const y = [0.3, -0.2, 0.5, -1.1, 0.4, 2.5, 1.1, -0.7];
  const exact = exactNormalElpd(y).reduce((a, b) => a + b);
  const found = Array.from({ length: 60 }, (_, seed) => weighted(normalMeanDensity(y), seed)!);
  const square = found.reduce((sum, one) => sum + (sumOf(one) - exact) ** 2 / found.length, 0);
  const reported = found.reduce((sum, { mcse }) => sum + mcse * mcse / found.length, 0);
  const ratio = Math.sqrt(square / reported);
  assert.ok(ratio > 0.7 && ratio < 1.35, `${ratio}`); // 60 seeds know it to within a tenth
  assert.ok(found.every(({ mcse }) => mcse <= 0.05));
});

Deno.test("the same key gives the same bits, another one other draws", () => {
  const [a, b, c] = [1, 1, 2].map((seed) => weighted(dugongsDensity(), seed)!);
  assert.deepEqual(a, b);
  assert.notDeepEqual(a.pointwise, c.pointwise);
});

Deno.test("a smaller error takes more draws", () => {
  const [rough, fine] = [0.05, 0.01].map((mcse) => weighted(dugongsDensity(), 3, mcse)!);
  assert.ok(fine.mcse <= 0.01 && fine.draws > 2 * rough.draws);
  const error = Math.hypot(rough.mcse, fine.mcse);
  assert.ok(Math.abs(sumOf(fine) - sumOf(rough)) < 3 * error, `${sumOf(fine)}, ${sumOf(rough)}`);
});

Deno.test("of a normal posterior hardly any noise is left: its densities are all known", () => {
  const y = [0.3, -0.2, 0.5, -1.1, 0.4, 2.5, 1.1, -0.7];
  const found = weighted(normalMeanDensity(y), 3)!;
  const exact = exactNormalElpd(y).reduce((a, b) => a + b);
  assert.ok(found.mcse < 0.002 && found.draws === 512, `${found.mcse}`);
  assert.ok(Math.abs(sumOf(found) - exact) < 4 * found.mcse + 1e-4);
});

Deno.test("what has no mode, too many coordinates or no room is left to chains", () => {
  const one = normalMeanDensity([0, 0]);
  const flat = { ...one, logDensity: (_q: Float64Array, g: Float64Array, o: number) => g[o] = 0 };
  assert.equal(weighted(flat, 1), undefined);
  assert.equal(weighted({ ...one, dimension: 13 }, 1), undefined);
  assert.equal(weighted({ ...one, factorises: false }, 1), undefined);
  assert.equal(weighted({ ...one, observations: 1e5 }, 1), undefined);
  const goal = { ...schedule, seedKey: ["tight"] };
  assert.equal(finish(importanceLoo(one, goal, { used: 0, limit: 500 })), undefined);
});

Deno.test("where rounds of importance draws do not come near, a proposal is fitted to chains", () => {
  const { latents: _, ...density } = eightSchoolsDensity();
  const seed = [0, 1, 2, 3, 4, 5, 6, 7].find((one) => !weighted(density, one)); // every other one
  assert.ok(seed !== undefined);
  const goal = { ...schedule, seedKey: ["weighted", seed] };
  const found = finish(elpdLoo(() => density, goal, budget()));
  assert.ok(found.kind === "ok" && found.method === "importance", found.kind);
  assert.ok(found.gradients > 5000, "those of the chains");
  assert.ok(Math.abs(found.elpdLoo + 30.742) < 3 * found.mcse + 0.01, `${found.elpdLoo}`);
});

Deno.test("a proposal that is worth a fifth of its draws in the last round is not given up", () => {
  const { latents: _, ...density } = eightSchoolsDensity();
  const work = (seed: number) =>
    finish(importanceLoo(density, { ...schedule, seedKey: ["scenario", seed] }, budget()));
  const seed = [0, 1, 2, 3, 4, 5, 6, 7].find(work); // others leave it to chains
  assert.ok(seed !== undefined);
  const found = work(seed);
  assert.ok(found && Math.abs(sumOf(found) + 30.742) < 3 * found.mcse);
  // Such a threshold would leave it to chains.
  assert.equal(withThresholds({ minLastEfficiency: 0.3 }, () => work(seed)), undefined);
});

Deno.test("tails of ratios have the shape that they are drawn from", () => {
  for (const k of [0.2, 0.5, 0.9]) {
    const ratios = Float64Array.from({ length: 20_000 }, (_, s) => ((s + 0.5) / 20_000) ** -k);
    assert.ok(Math.abs(tailShape(ratios) - k) < 0.06, `${k}`);
  }
  assert.equal(tailShape(new Float64Array(100).fill(2)), 0);
  assert.equal(tailShape(new Float64Array(10)), Infinity);
});

Deno.test("tails are the same in any order, even where a sample of every so many misses them", () => {
  const rising = Float64Array.from({ length: 640 }, (_, s) => ((s + 0.5) / 640) ** -0.6).sort();
  const wanted = tailShape(rising);
  // Every 20th ratio is a small one.
  const hidden = new Float64Array(640);
  for (let s = 0; s < 640; s++) {
    const group = Math.floor(s / 20);
    hidden[s] = s % 20 === 0 ? rising[group] : rising[32 + 19 * group + (s % 20) - 1];
  }
  for (const ratios of [rising.toReversed(), hidden, hidden.toReversed()]) {
    assert.equal(tailShape(ratios), wanted);
  }
});
