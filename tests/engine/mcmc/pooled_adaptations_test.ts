/** Adaptations pooled from chains that did not mix. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { type ChainSet, emptyChainSet } from "../../../src/engine/inference/mcmc/chain_set.ts";
import { unitMetric } from "../../../src/engine/inference/mcmc/metric.ts";
import { pooledAdaptations } from "../../../src/engine/inference/mcmc/pooled_adaptations.ts";

Deno.test("pooledAdaptations() leaves a lost chain out, and sends it to the best one", () => {
  const empty = emptyChainSet(3, 100, 1);
  const stream = new RandomStream("pooled");
  for (let s = 0; s < 300; s++) {
    const lost = s >= 200;
    empty.positions[s] = lost ? 1000 : 4 * stream.uniform();
    empty.logDensities[s] = lost ? -500 : s < 100 ? -1 : -2;
  }
  const set: ChainSet = {
    ...empty,
    adaptations: [3, 2, 1000].map((at, c) => ({
      ...{ metric: unitMetric(1), stepSize: c + 1, stream },
      position: Float64Array.of(at),
    })),
  };
  const [first, second, third] = pooledAdaptations(set);
  assert.deepEqual([first.position[0], second.position[0]], [3, 2]);
  assert.deepEqual([third.position[0], third.stepSize], [set.positions[50], 1]);
  // Uniform on (0, 4): standard deviation 4 / √12.
  for (const { metric } of [first, second, third]) {
    assert.ok(Math.abs(metric.factor[0] - 1.155) < 0.1, `${metric.factor[0]}`);
  }
});
