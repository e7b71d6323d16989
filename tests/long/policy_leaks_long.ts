/** Ten thousand steps of policies on TensorFlow.js leave as many tensors as the first ones do. */
import assert from "node:assert/strict";
import * as tf from "@tensorflow/tfjs-core";
import { RandomStream } from "../../src/base/random.ts";
import { makeBatch } from "../../src/gfn/batch.ts";
import type { Environment } from "../../src/gfn/environment.ts";
import { expressionEnvironment } from "../../src/gfn/environments/expression.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import { createPolicy } from "../../src/gfn/policies/mod.ts";
import type { PolicyConfig } from "../../src/gfn/policies/mod.ts";

/** A configuration with a backend. */
type Network = Extract<PolicyConfig, { readonly kind: "mlp" | "transformer" }>;

const expressions = { leaves: [1], operators: ["+"], maxLength: 3, target: 2, scale: 1 };
const grid = { ndim: 1, height: 3, r0: 1, r1: 0, r2: 0 };

const subjects: readonly (readonly [Network, Environment])[] = (["wasm", "cpu"] as const).flatMap((
  backend,
) => [
  [
    { kind: "transformer", layers: 1, width: 4, heads: 1, backend },
    expressionEnvironment(expressions) as Environment,
  ],
  [{ kind: "mlp", layers: 1, width: 4, backend }, hypergridEnvironment(grid) as Environment],
]);

for (const [config, environment] of subjects) {
  const label = `${config.kind} on ${config.backend}`;
  Deno.test(`ten thousand steps of the ${label} leave no tensor behind`, async () => {
    const policy = await createPolicy(config, environment, "leaks");
    const random = new RandomStream("leaks");
    const work = async (steps: number) => {
      for (let step = 0; step < steps; step++) {
        const options = { count: 2, random, epsilon: 1, temperature: 1 };
        const batch = makeBatch(environment, await policy.sample(environment, options));
        const scores = await policy.score(batch, { grad: true });
        const force = new Float64Array(batch.B * batch.T).fill(0.1);
        await policy.backward(scores, { logPf: force, logExit: force, logFlow: force });
        await policy.step({ learningRate: 1e-3, clipNorm: 1 });
      }
      return tf.memory().numTensors;
    };
    const first = await work(20);
    assert.equal(await work(9980), first);
    policy.dispose();
  });
}
