/** Beam search: it climbs to the best objects, asks for no more than its budget, and counts in the end. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import { beamSearch } from "../../src/gfn/baselines/beam_search.ts";
import { WalkTarget } from "../../src/gfn/baselines/rewarded_walk.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import {
  defaultRegressions,
  regressionsEnvironment,
} from "../../src/gfn/environments/regressions.ts";
import { enumeratedTarget } from "../../src/gfn/evaluation/exact.ts";

const targetOf = (environment: Environment) => {
  const objects = [...environment.enumerate()];
  const logReward = Float64Array.from(objects, (object) => object.logReward!);
  return enumeratedTarget(environment, objects, logReward);
};
const regressions = targetOf(
  regressionsEnvironment({ ...defaultRegressions, terms: 10 }) as Environment,
);
const grid = targetOf(
  hypergridEnvironment({ ndim: 2, height: 4, r0: 0.1, r1: 0.5, r2: 2 }) as Environment,
);

function search(target: typeof grid, budget: number, seed = 1) {
  const random = new RandomStream("beam", seed);
  const objects = target.objects.length;
  return beamSearch(new WalkTarget(target), { objects, budget, walks: 40_000, random });
}

Deno.test("a tenth of 1,024 regressions, chosen by beams, has the likeliest of them all", () => {
  const best = regressions.logReward.indexOf(Math.max(...regressions.logReward));
  for (const seed of [1, 2, 3]) {
    const { asked, probability } = search(regressions, 100, seed);
    assert.ok(asked.includes(best));
    const any = regressions.logTarget.slice(0, 100).reduce((sum, one) => sum + Math.exp(one), 0);
    const mass = asked.reduce((sum, x) => sum + Math.exp(regressions.logTarget[x]), 0);
    assert.ok(mass > 3 * any, `${mass}, of any hundred ${any}`);
    assert.ok(Math.abs(probability.reduce((a, b) => a + b) - 1) < 1e-12);
  }
});

for (const target of [regressions, grid]) {
  Deno.test(`beams ask for no more rewards than their budget on ${target.environment.kind}`, () => {
    for (const budget of [1, 3, 7]) {
      const { distinctEvaluations, probability } = search(target, budget);
      assert.equal(distinctEvaluations, budget);
      assert.equal(probability.filter((p) => p > 0).length, budget);
    }
  });
}

Deno.test("beams that may ask for everything come to the target, on graphs too", () => {
  const { probability, distinctEvaluations } = search(grid, 100);
  assert.equal(distinctEvaluations, 16);
  grid.logTarget.forEach((one, x) => assert.ok(Math.abs(Math.exp(one) - probability[x]) < 1e-12));
});
