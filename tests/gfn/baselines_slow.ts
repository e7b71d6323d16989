/** Baselines: they find the target given time, and stop at their budget. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import { metropolisHastings } from "../../src/gfn/baselines/metropolis_hastings.ts";
import { WalkTarget } from "../../src/gfn/baselines/rewarded_walk.ts";
import { sequentialMonteCarlo } from "../../src/gfn/baselines/sequential_monte_carlo.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import { enumeratedTarget } from "../../src/gfn/evaluation/exact.ts";
import { mixedTree } from "./tree_environment.ts";

function gridTarget() {
  const spec = { ndim: 2, height: 4, r0: 0.1, r1: 0.5, r2: 2 };
  const environment = hypergridEnvironment(spec) as Environment;
  const objects = [...environment.enumerate()];
  return enumeratedTarget(
    environment,
    objects,
    Float64Array.from(objects, (object) => object.logReward!),
  );
}

function treeTarget() {
  const tree = mixedTree();
  return enumeratedTarget(tree, [...tree.enumerate()], tree.logRewards());
}

const distance = (logTarget: Float64Array, probability: Float64Array) =>
  logTarget.reduce((sum, one, x) => sum + Math.abs(Math.exp(one) - probability[x]), 0) / 2;

const options = (objects: number, budget: number, key: string) => {
  return { objects, budget, walks: 40_000, particles: 500, random: new RandomStream(key) };
};

const methods = { metropolisHastings, sequentialMonteCarlo };

for (const [name, method] of Object.entries(methods)) {
  for (const target of [treeTarget(), gridTarget()]) {
    const size = target.objects.length;
    Deno.test(`${name} comes to the target on a ${target.environment.kind} of ${size} objects`, () => {
      const result = method(new WalkTarget(target), options(size, size + 1, name));
      // 36,000 or 40,000 draws of 16 objects at most: TV of independent ones about .01.
      assert.ok(distance(target.logTarget, result.probability) < 0.03);
      const sum = result.probability.reduce((total, p) => total + p, 0);
      assert.ok(Math.abs(sum - 1) < 1e-9, `${sum}`);
    });

    Deno.test(`${name} asks for no more rewards than its budget on a ${target.environment.kind}`, () => {
      for (const budget of [1, 3, 5]) {
        const result = method(new WalkTarget(target), options(size, budget, name));
        assert.ok(result.distinctEvaluations <= budget);
        const support = result.probability.filter((p) => p > 0).length;
        assert.ok(support <= budget, `${support} objects from ${budget} evaluations`);
      }
    });
  }
}
