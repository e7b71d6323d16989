/** Laws of every policy: masks, sampling, scores, gradients, files, resuming, memory. */
import assert from "node:assert/strict";
import fc from "fast-check";
import * as tf from "@tensorflow/tfjs-core";
import { RandomStream } from "../../src/base/random.ts";
import { subTrajectoryBalance } from "../../src/gfn/objectives/mod.ts";
import type { Policy } from "../../src/gfn/policy.ts";
import { createPolicy, loadPolicy } from "../../src/gfn/policies/mod.ts";
import type { BackendName, PolicyConfig } from "../../src/gfn/policies/mod.ts";
import type { Batch, ScoreGradients, Scores } from "../../src/gfn/trajectory.ts";
import { anyTree } from "./tree_arbitrary.ts";
import { train } from "./training.ts";
import { treeBatch, wholeTree } from "./tree_batch.ts";
import { mixedTree } from "./tree_environment.ts";

const small = { kind: "transformer", layers: 2, width: 16, heads: 2 } as const;

const kinds: readonly (readonly [string, PolicyConfig, BackendName])[] = [
  ["the table", { kind: "table" }, "wasm"],
  ["the transformer on cpu", { ...small, backend: "cpu" }, "cpu"],
  ["the transformer on wasm", { ...small, backend: "wasm" }, "wasm"],
];

/** A policy that is no longer uniform. */
async function trained(config: PolicyConfig, steps = 5): Promise<Policy> {
  const policy = await createPolicy(config, mixedTree(), "laws");
  await trainFor(policy, steps, new RandomStream("laws", "training"));
  return policy;
}

function trainFor(policy: Policy, steps: number, random: RandomStream) {
  const learningRate = () => 0.02;
  const common = { steps, count: 8, learningRate, random };
  return train(policy, mixedTree(), { objective: subTrajectoryBalance, ...common });
}

/** A loss that is linear in the scores, with every kind of gradient. */
function linearGradients(batch: Batch): ScoreGradients {
  const random = new RandomStream("linear");
  const draw = () => Float64Array.from({ length: batch.B * batch.T }, () => random.uniform() - 0.5);
  return { logPf: draw(), logExit: draw(), logFlow: draw() };
}

function linearLoss(scores: Scores, gradients: ScoreGradients, batch: Batch): number {
  let sum = 0;
  for (let b = 0; b < batch.B; b++) {
    for (let t = 0; t < batch.lengths[b]; t++) {
      const at = b * batch.T + t;
      sum += gradients.logPf[at] * scores.logPf[at] + gradients.logExit[at] * scores.logExit[at] +
        gradients.logFlow[at] * scores.logFlow[at];
    }
  }
  return sum;
}

Deno.test("on any tree the table's samples carry the log probabilities that it scores", async () => {
  await fc.assert(
    fc.asyncProperty(anyTree, async (tree) => {
      const policy = await createPolicy({ kind: "table" }, tree, "any");
      const options = { count: 5, random: new RandomStream("any"), epsilon: 0.2, temperature: 1 };
      const sampled = await policy.sample(tree, options);
      const batch = treeBatch(tree, sampled.map((trajectory) => trajectory.actions));
      const { logPf } = await policy.score(batch, { grad: false });
      sampled.forEach((trajectory, b) => {
        const row = logPf.subarray(b * batch.T, b * batch.T + batch.lengths[b]);
        assert.ok(Math.abs(row.reduce((sum, x) => sum + x, 0) - trajectory.logPf) < 1e-12);
      });
    }),
  );
});

for (const [label, config, backend] of kinds) {
  Deno.test(`${label} begins uniform over legal actions`, async () => {
    const policy = await createPolicy(config, mixedTree(), "begin");
    const { logPf } = await policy.score(treeBatch(mixedTree(), [[1, 2, 3, 0]]), { grad: false });
    const expected = [1 / 3, 1 / 3, 1 / 2, 1].map(Math.log);
    expected.forEach((x, t) => assert.ok(Math.abs(logPf[t] - x) < 1e-6));
    policy.dispose();
  });

  Deno.test(`${label} puts all its mass on the enumerated objects`, async () => {
    const policy = await trained(config);
    const batch = wholeTree(mixedTree());
    const { logPf } = await policy.score(batch, { grad: false });
    let mass = 0;
    for (let b = 0; b < batch.B; b++) {
      const row = logPf.subarray(b * batch.T, b * batch.T + batch.lengths[b]);
      mass += Math.exp(row.reduce((sum, x) => sum + x, 0));
    }
    assert.ok(Math.abs(mass - 1) < 1e-5, `${mass}`);
    policy.dispose();
  });

  Deno.test(`${label} samples with the log probabilities that it scores`, async () => {
    const policy = await trained(config);
    const random = new RandomStream("agreement");
    const options = { count: 20, random, epsilon: 0.5, temperature: 2 };
    const sampled = await policy.sample(mixedTree(), options);
    const batch = treeBatch(mixedTree(), sampled.map((trajectory) => trajectory.actions));
    const { logPf } = await policy.score(batch, { grad: false });
    sampled.forEach((trajectory, b) => {
      const row = logPf.subarray(b * batch.T, b * batch.T + batch.lengths[b]);
      const scored = row.reduce((sum, x) => sum + x, 0);
      assert.ok(Math.abs(scored - trajectory.logPf) < 1e-5, `${scored} ${trajectory.logPf}`);
    });
    policy.dispose();
  });

  Deno.test(`${label} scores the same alone, in company and with gradients`, async () => {
    const policy = await trained(config);
    const whole = await policy.score(wholeTree(mixedTree()), { grad: true });
    const alone = await policy.score(treeBatch(mixedTree(), [[1, 2, 0]]), { grad: false });
    const row = [...mixedTree().enumerate()].findIndex((x) => x.actions.join() === "1,2,0");
    const T = wholeTree(mixedTree()).T;
    for (let t = 0; t < 3; t++) {
      assert.ok(Math.abs(whole.logPf[row * T + t] - alone.logPf[t]) < 1e-5);
      assert.ok(Math.abs(whole.logExit[row * T + t] - alone.logExit[t]) < 1e-5);
      assert.ok(Math.abs(whole.logFlow[row * T + t] - alone.logFlow[t]) < 1e-5);
    }
    policy.release(whole);
    policy.dispose();
  });

  Deno.test(`${label} lowers a loss by a step along its gradient`, async () => {
    const batch = wholeTree(mixedTree());
    const gradients = linearGradients(batch);
    const policy = await trained(config);
    const before = await policy.score(batch, { grad: true });
    const loss = linearLoss(before, gradients, batch);
    await policy.backward(before, gradients);
    const copy = await policy.clone();
    const again = await copy.score(batch, { grad: true });
    await copy.backward(again, gradients);
    const { gradientNorm } = await copy.step({ learningRate: 1e-4, clipNorm: Infinity });
    const after = linearLoss(await copy.score(batch, { grad: false }), gradients, batch);
    assert.ok(gradientNorm > 0.01 && after < loss, `${loss} ${after}`);
    policy.dispose();
    copy.dispose();
  });

  Deno.test(`${label} accumulates gradients until it steps`, async () => {
    const batch = wholeTree(mixedTree());
    const gradients = linearGradients(batch);
    const norms: number[] = [];
    for (const times of [1, 3]) {
      const policy = await trained(config);
      for (let i = 0; i < times; i++) {
        await policy.backward(await policy.score(batch, { grad: true }), gradients);
      }
      norms.push((await policy.step({ learningRate: 0, clipNorm: 1 })).gradientNorm);
      policy.dispose();
    }
    assert.ok(Math.abs(norms[1] / norms[0] - 3) < 1e-5, `${norms}`);
  });

  Deno.test(`${label} survives a file: same bytes, same scores`, async () => {
    const policy = await trained(config);
    const bytes = await policy.save();
    const loaded = await loadPolicy(bytes, { backend });
    assert.deepEqual(await loaded.save(), bytes);
    const batch = wholeTree(mixedTree());
    const [a, b] = await Promise.all([policy, loaded].map((p) => p.score(batch, { grad: false })));
    assert.deepEqual(a.logPf, b.logPf);
    assert.deepEqual(a.logFlow, b.logFlow);
    policy.dispose();
    loaded.dispose();
  });

  Deno.test(`${label} has the same bits for the same seed, and others for another`, async () => {
    const [a, b] = [await trained(config), await trained(config)];
    assert.deepEqual(await a.save(), await b.save());
    await trainFor(b, 1, new RandomStream("another"));
    assert.notDeepEqual(await a.save(), await b.save());
    a.dispose();
    b.dispose();
  });

  Deno.test(`${label} has an independent clone`, async () => {
    const policy = await trained(config);
    const before = await policy.save();
    const clone = await policy.clone();
    assert.deepEqual(await clone.save(), before);
    await trainFor(clone, 2, new RandomStream("clone"));
    assert.deepEqual(await policy.save(), before);
    assert.notDeepEqual(await clone.save(), before);
    policy.dispose();
    clone.dispose();
  });

  Deno.test(`${label} resumes from a checkpoint bit for bit`, async () => {
    const whole = await trained(config, 5);
    await trainFor(whole, 5, new RandomStream("second half"));
    const half = await trained(config, 5);
    const resumed = await loadPolicy(await half.save(), { backend });
    await resumed.loadOptimizer(await half.saveOptimizer());
    await trainFor(resumed, 5, new RandomStream("second half"));
    assert.deepEqual(await resumed.save(), await whole.save());
    assert.deepEqual(await resumed.saveOptimizer(), await whole.saveOptimizer());
    for (const policy of [whole, half, resumed]) policy.dispose();
  });

  if (config.kind === "table") continue;

  Deno.test(`${label} leaves no tensor behind`, async () => {
    const policy = await trained(config, 2);
    const before = tf.memory().numTensors;
    await trainFor(policy, 6, new RandomStream("leak"));
    const batch = wholeTree(mixedTree());
    await policy.score(batch, { grad: true });
    policy.release(await policy.score(batch, { grad: true }));
    await policy.step({ learningRate: 1e-3, clipNorm: 1 });
    await policy.score(batch, { grad: false });
    assert.equal(tf.memory().numTensors, before);
    policy.dispose();
  });
}

/** Losses of ten steps on one batch, so that no draw can differ. */
async function tenLosses(backend: BackendName): Promise<number[]> {
  const policy = await createPolicy({ ...small, backend }, mixedTree(), "parity");
  const batch = wholeTree(mixedTree());
  const losses: number[] = [];
  for (let step = 0; step < 10; step++) {
    const scores = await policy.score(batch, { grad: true });
    const state = { logZ: 3, parameters: {} };
    const { loss, gradients } = subTrajectoryBalance.evaluate(scores, batch, state);
    await policy.backward(scores, gradients);
    await policy.step({ learningRate: 3e-3, clipNorm: Infinity });
    losses.push(loss);
  }
  policy.dispose();
  return losses;
}

Deno.test("cpu and wasm agree to three decimals over ten steps", async () => {
  const [cpu, wasm] = await Promise.all([tenLosses("cpu"), tenLosses("wasm")]);
  cpu.forEach((x, step) =>
    assert.ok(Math.abs(x - wasm[step]) < 5e-4, `${step}: ${x} ${wasm[step]}`)
  );
  assert.ok(cpu[9] < 0.7 * cpu[0], `${cpu}`);
});

Deno.test("a policy saved from one backend is read by another with the same scores", async () => {
  const policy = await trained({ ...small, backend: "cpu" });
  const other = await loadPolicy(await policy.save(), { backend: "wasm" });
  assert.deepEqual([policy.backend, other.backend], ["cpu", "wasm"]);
  const batch = wholeTree(mixedTree());
  const a = await policy.score(batch, { grad: false });
  const b = await other.score(batch, { grad: false });
  a.logPf.forEach((x, at) => assert.ok(Math.abs(x - b.logPf[at]) < 1e-5));
  policy.dispose();
  other.dispose();
});
