/** Sampling computes one state at a time: its outputs are those of scoring, position by position. */
import assert from "node:assert/strict";
import { RandomStream } from "../../src/base/random.ts";
import { type Environment, noPrompt } from "../../src/gfn/environments/environment.ts";
import { legalIn } from "../../src/gfn/environments/legal_actions.ts";
import { defaultExpression, expressionEnvironment } from "../../src/gfn/environments/expression.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import { plainObjective } from "./plain_objective.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import type { PolicyConfig } from "../../src/gfn/policies/create_policy.ts";
import { EngineNetwork } from "../../src/gfn/policies/engine_network.ts";
import { FusedParameters } from "../../src/gfn/policies/fused_parameters.ts";
import { outputWidth } from "../../src/gfn/policies/network.ts";
import { NetworkPolicy } from "../../src/gfn/policies/network_policy.ts";
import type { Batch } from "../../src/gfn/trajectories/trajectory.ts";
import { train } from "./training.ts";
import { treeBatch } from "./tree_batch.ts";
import { mixedTree } from "./tree_environment.ts";

const grid = hypergridEnvironment({ ndim: 3, height: 4, r0: 0.5, r1: 1, r2: 0 }) as Environment;
const tree = mixedTree() as Environment;
const expressions = expressionEnvironment({ ...defaultExpression, maxLength: 15 }) as Environment;
const transformer = { kind: "transformer", layers: 2, width: 24, heads: 3 } as const;
const mlp = { kind: "mlp", layers: 2, width: 20, backward: "learned" } as const;

const subjects: readonly (readonly [string, PolicyConfig, Environment])[] = [
  ["table", { kind: "table" }, grid],
  ["transformer on fused", { ...transformer, backend: "fused" }, tree],
  ["transformer on fused, long", { ...transformer, width: 8, heads: 2 }, expressions],
  ["transformer on wasm", { ...transformer, backend: "wasm" }, tree],
  ["transformer on cpu", { ...transformer, backend: "cpu" }, tree],
  ["mlp on fused", { ...mlp, backend: "fused" }, grid],
  ["mlp on cpu", { ...mlp, backend: "cpu" }, grid],
];

/** The largest difference between a session's outputs and those of the whole batch. */
async function largestDifference(policy: NetworkPolicy, batch: Batch): Promise<number> {
  const { network } = policy;
  assert.ok("outputSizes" in network);
  const { environment, T, actions, lengths } = batch;
  const width = outputWidth(network.outputSizes);
  const whole = await network.outputs(batch, false);
  const session = network.begin(environment, batch.B);
  const states = Array.from({ length: batch.B }, () => environment.initialState());
  let largest = 0;
  for (let t = 0; t < T; t++) {
    const open = [...states.keys()].filter((b) => t < lengths[b]);
    const { values, rows } = await session.next(open.map((b) => ({
      slot: b,
      prompt: noPrompt,
      state: states[b],
      legal: legalIn(environment, states[b]),
      actions: [...actions.subarray(b * T, b * T + t)],
    })));
    open.forEach((b, i) => {
      for (let k = 0; k < width; k++) {
        const wanted = whole.values[whole.rows[b * T + t] * width + k];
        largest = Math.max(largest, Math.abs(wanted - values[rows[i] * width + k]));
      }
      const action = actions[b * T + t];
      if (action !== environment.exitAction) states[b] = environment.step(states[b], action);
    });
  }
  session.end();
  return largest;
}

for (const [label, config, environment] of subjects) {
  Deno.test(`the ${label} samples by the outputs that it scores by`, async () => {
    const policy = await createPolicy(config, environment, "cached");
    assert.ok(policy instanceof NetworkPolicy);
    const random = new RandomStream("cached");
    const learningRate = () => 0.02;
    const common = { steps: 4, count: 8, learningRate, random };
    await train(policy, environment, {
      objective: plainObjective("sub_trajectory_balance"),
      ...common,
    });
    const options = { count: 30, random, epsilon: 0.5, temperature: 1 };
    const sampled = await policy.sample(environment, options);
    const batch = treeBatch(environment, sampled.map(({ actions }) => actions));
    assert.ok(new Set(batch.lengths).size > 1);
    assert.ok(await largestDifference(policy, batch) < 1e-5);
    policy.dispose();
  });
}

Deno.test("ten thousand steps on own kernels leave the memory as the first ones do", async () => {
  const configs: readonly (readonly [PolicyConfig, Environment])[] = [
    [{ kind: "transformer", layers: 1, width: 4, heads: 1 }, tree],
    [{ kind: "mlp", layers: 1, width: 4 }, line()],
  ];
  for (const [config, environment] of configs) {
    const policy = await createPolicy(config, environment, "leaks");
    assert.ok(policy instanceof NetworkPolicy && policy.backend === "fused");
    const random = new RandomStream("leaks");
    const options = { count: 2, random, epsilon: 1, temperature: 1 };
    const work = async (steps: number) => {
      for (let step = 0; step < steps; step++) {
        const sampled = await policy.sample(environment, options);
        const batch = treeBatch(environment, sampled.map(({ actions }) => actions));
        const scores = await policy.score(batch, { grad: true });
        await policy.score(batch, { grad: true }); // Released by the step.
        const force = new Float64Array(batch.B * batch.T).fill(0.1);
        await policy.backward(scores, { logPf: force, logExit: force, logFlow: force });
        await policy.step({ learningRate: 1e-3, clipNorm: 1, averageDecay: 0.9 });
      }
      return memoryOf(policy);
    };
    const first = await work(50);
    assert.deepEqual(await work(9950), first);
  }
});

/** A grid small enough for many steps. */
function line(): Environment {
  return hypergridEnvironment({ ndim: 1, height: 3, r0: 1, r1: 0, r2: 0 }) as Environment;
}

/** Bytes in use, and bytes in all. */
function memoryOf({ network }: NetworkPolicy): readonly number[] {
  assert.ok(network instanceof EngineNetwork && network.store instanceof FusedParameters);
  const { used, byteLength } = network.store.machine;
  return [used, byteLength];
}
