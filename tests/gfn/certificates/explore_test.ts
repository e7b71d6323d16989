/** Explorers walk only where they may ask for what they reach: a walk may cost more than a reward. */
import assert from "node:assert/strict";
import { RandomStream } from "../../../src/base/random.ts";
import { explore } from "../../../src/gfn/certificates/mod.ts";
import type { Environment } from "../../../src/gfn/environments/environment.ts";
import {
  defaultRegressions,
  regressionsEnvironment,
} from "../../../src/gfn/environments/regressions.ts";

/** Explores within a budget; counts the steps of all walks. */
async function stepsWithin(budget: number) {
  const environment = regressionsEnvironment({ ...defaultRegressions, terms: 8 }) as Environment;
  let steps = 0;
  const counted: Environment = {
    ...environment,
    step: (state, action) => {
      steps++;
      return environment.step(state, action);
    },
  };
  const { explorations } = await explore({
    environment: counted,
    ask: (some) => Promise.resolve(some.map(({ logReward }) => logReward!)),
    budget,
    random: (name) => new RandomStream(name, 1),
  });
  return { steps, explorations };
}

Deno.test("a budget that leaves explorers nothing to ask for starts no walk", async () => {
  const { steps, explorations } = await stepsWithin(2);
  assert.equal(steps, 0);
  assert.deepEqual(explorations.map(({ evaluations }) => evaluations), [0, 0, 0, 0]);
  assert.ok(explorations.every(({ groups }) => groups.length === 0));
});

Deno.test("a budget that leaves them some is walked for", async () => {
  const { steps, explorations } = await stepsWithin(400);
  assert.ok(steps > 0);
  assert.ok(explorations.every(({ evaluations }) => evaluations > 0));
});
