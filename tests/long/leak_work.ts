/** Steps of training for the tests of leaks: small policies on small environments. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { expressionEnvironment } from "../../src/gfn/environments/expression.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import type { PolicyConfig } from "../../src/gfn/policies/create_policy.ts";

/** A configuration with a backend. */
export type NetworkConfig = Extract<PolicyConfig, { readonly kind: "mlp" | "transformer" }>;

/** A transformer on expressions and a perceptron on a grid, of a width. */
export function leakSubjects(
  backend: NonNullable<NetworkConfig["backend"]>,
  width: number,
): readonly (readonly [NetworkConfig, Environment])[] {
  const expressions = { leaves: [1], operators: ["+"], maxLength: 3, target: 2, scale: 1 };
  const grid = { ndim: 1, height: 3, r0: 1, r1: 0, r2: 0 };
  return [
    [
      { kind: "transformer", layers: 1, width, heads: 1, backend },
      expressionEnvironment(expressions) as Environment,
    ],
    [{ kind: "mlp", layers: 1, width, backend }, hypergridEnvironment(grid) as Environment],
  ];
}

/** A function that trains a policy for so many steps: sample, score, backward, step. */
export function trainerOf(policy: Policy, environment: Environment) {
  const random = new RandomStream("leaks");
  return async (steps: number): Promise<void> => {
    for (let step = 0; step < steps; step++) {
      const options = { count: 2, random, epsilon: 1, temperature: 1 };
      const batch = makeBatch(environment, await policy.sample(environment, options));
      const scores = await policy.score(batch, { grad: true });
      const force = new Float64Array(batch.B * batch.T).fill(0.1);
      await policy.backward(scores, { logPf: force, logExit: force, logFlow: force });
      await policy.step({ learningRate: 1e-3, clipNorm: 1 });
    }
  };
}

/** Trains for ten thousand steps; after the first twenty, `tensors` may not say more. */
export async function keepsTensors(
  policy: Policy,
  environment: Environment,
  tensors: () => number,
): Promise<void> {
  const work = trainerOf(policy, environment);
  await work(20);
  const first = tensors();
  await work(9980);
  assert.equal(tensors(), first);
  policy.dispose();
}
