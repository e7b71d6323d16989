/** Laws of every policy: masks, sampling, scores, gradients, files, resuming, memory. */
import assert from "node:assert/strict";
import fc from "fast-check";
import * as tf from "@tensorflow/tfjs-core";
import { RandomStream } from "../../src/base/random.ts";
import { plainObjective } from "./plain_objective.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import { createPolicy, loadPolicy } from "../../src/gfn/policies/create_policy.ts";
import type { PolicyBackend, PolicyConfig } from "../../src/gfn/policies/create_policy.ts";
import { placeIn } from "../../src/gfn/environments/legal_actions.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import type { Batch, ScoreGradients, Scores } from "../../src/gfn/trajectories/trajectory.ts";
import logLinear from "../../docs/examples/log_linear_policy.ts";
import { anyTree } from "./tree_arbitrary.ts";
import { train } from "./training.ts";
import { treeBatch } from "./tree_batch.ts";
import { mixedTree } from "./tree_environment.ts";

const small = { kind: "transformer", layers: 2, width: 16, heads: 2 } as const;

const grid = hypergridEnvironment({ ndim: 2, height: 3, r0: 0.5, r1: 1, r2: 0 }) as Environment;
const tree = mixedTree() as Environment;
const mlp = { kind: "mlp", layers: 2, width: 16, backward: "learned" } as const;

/** Of policies of one's own, for a reader of one. */
const definitions = [logLinear];

interface Subject {
  readonly label: string;
  readonly config: PolicyConfig;
  readonly backend: PolicyBackend;
  readonly environment: Environment;
}

const subjects: readonly Subject[] = [
  { label: "the table", config: { kind: "table" }, backend: "fused", environment: tree },
  {
    label: "the table on a grid",
    config: { kind: "table", backward: "learned" },
    backend: "fused",
    environment: grid,
  },
  {
    label: "a policy of one's own",
    config: { kind: "custom", definition: logLinear },
    backend: "fused",
    environment: grid,
  },
  ...(["cpu", "wasm", "fused"] as const).flatMap((backend) => [
    {
      label: `the transformer on ${backend}`,
      config: { ...small, backend },
      backend,
      environment: tree,
    },
    { label: `the mlp on ${backend}`, config: { ...mlp, backend }, backend, environment: grid },
  ]),
];

/** A policy that is no longer uniform. */
async function trained(subject: Subject, steps = 5): Promise<Policy> {
  const policy = await createPolicy(subject.config, subject.environment, "laws");
  await trainFor(policy, subject, steps, new RandomStream("laws", "training"));
  return policy;
}

function trainFor(policy: Policy, subject: Subject, steps: number, random: RandomStream) {
  const learningRate = () => 0.02;
  const common = { steps, count: 8, learningRate, random };
  return train(policy, subject.environment, {
    objective: plainObjective("sub_trajectory_balance"),
    ...common,
  });
}

/** Every trajectory of an environment: on trees one for each object. */
function everyWay(environment: Environment): Batch {
  const rows: number[][] = [];
  const visit = (state: unknown, actions: readonly number[]): void => {
    environment.legalActions(state).forEach((legal, action) => {
      if (legal === 0) return;
      if (action === environment.exitAction) rows.push([...actions, action]);
      else visit(environment.step(state, action), [...actions, action]);
    });
  };
  visit(environment.initialState(), []);
  return treeBatch(environment, rows);
}

/** A loss that is linear in the scores, with every kind of gradient. */
function linearGradients(batch: Batch): ScoreGradients {
  const random = new RandomStream("linear");
  const draw = () => Float64Array.from({ length: batch.B * batch.T }, () => random.uniform() - 0.5);
  return { logPf: draw(), logExit: draw(), logFlow: draw(), logPb: draw() };
}

function linearLoss(scores: Scores, gradients: ScoreGradients, batch: Batch): number {
  let sum = 0;
  for (let b = 0; b < batch.B; b++) {
    for (let t = 0; t < batch.lengths[b]; t++) {
      const at = b * batch.T + t;
      sum += gradients.logPf[at] * scores.logPf[at] + gradients.logExit[at] * scores.logExit[at] +
        gradients.logFlow[at] * scores.logFlow[at] +
        (scores.logPb ? gradients.logPb![at] * scores.logPb[at] : 0);
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

for (const subject of subjects) {
  const { label, config, backend, environment } = subject;

  Deno.test(`${label} begins uniform over legal actions`, async () => {
    const policy = await createPolicy(config, environment, "begin");
    const batch = everyWay(environment);
    const { logPf, logFlow } = await policy.score(batch, { grad: false });
    for (let b = 0; b < batch.B; b++) {
      for (let t = 0; t < batch.lengths[b]; t++) {
        const at = b * batch.T + t;
        const legal = batch.states.legal[batch.states.index[at]].length;
        assert.ok(Math.abs(logPf[at] + Math.log(legal)) < 1e-6);
        assert.equal(logFlow[at], 0);
      }
    }
    policy.dispose();
  });

  Deno.test(`${label} puts all its mass on the trajectories`, async () => {
    const policy = await trained(subject);
    const batch = everyWay(environment);
    const { logPf } = await policy.score(batch, { grad: false });
    let mass = 0;
    for (let b = 0; b < batch.B; b++) mass += Math.exp(rowSum(logPf, batch, b));
    assert.ok(Math.abs(mass - 1) < 1e-5, `${mass}`);
    policy.dispose();
  });

  Deno.test(`${label} samples with the log probabilities that it scores`, async () => {
    const policy = await trained(subject);
    const random = new RandomStream("agreement");
    const options = { count: 20, random, epsilon: 0.5, temperature: 2 };
    const sampled = await policy.sample(environment, options);
    const batch = treeBatch(environment, sampled.map((trajectory) => trajectory.actions));
    const { logPf, logPb = batch.logPb } = await policy.score(batch, { grad: false });
    sampled.forEach((trajectory, b) => {
      const scored = [logPf, logPb].map((scores) => rowSum(scores, batch, b));
      assert.ok(Math.abs(scored[0] - trajectory.logPf) < 1e-5, `${scored} ${trajectory.logPf}`);
      assert.ok(Math.abs(scored[1] - trajectory.logPb) < 1e-5, `${scored} ${trajectory.logPb}`);
    });
    policy.dispose();
  });

  Deno.test(`${label} scores the same alone, in company and with gradients`, async () => {
    const policy = await trained(subject);
    const batch = everyWay(environment);
    const whole = await policy.score(batch, { grad: true });
    for (const b of [0, batch.B - 1]) {
      const begin = b * batch.T;
      const row = [...batch.actions.subarray(begin, begin + batch.lengths[b])];
      const alone = await policy.score(treeBatch(environment, [row]), { grad: false });
      for (let t = 0; t < row.length; t++) {
        assert.ok(Math.abs(whole.logPf[begin + t] - alone.logPf[t]) < 1e-5);
        assert.ok(Math.abs(whole.logExit[begin + t] - alone.logExit[t]) < 1e-5);
        assert.ok(Math.abs(whole.logFlow[begin + t] - alone.logFlow[t]) < 1e-5);
      }
    }
    policy.release(whole);
    policy.dispose();
  });

  Deno.test(`${label} gives every action of every state the probability that it scores`, async () => {
    const policy = await trained(subject);
    const batch = everyWay(environment);
    const { logPf } = await policy.score(batch, { grad: false });
    const all = await policy.logProbabilities(batch);
    batch.states.index.forEach((state, at) => {
      if (state < 0) return;
      const place = placeIn(batch.states.legal[state], batch.actions[at]);
      assert.ok(Math.abs(all[state][place] - logPf[at]) < 1e-5);
    });
    policy.dispose();
  });

  Deno.test(`${label} lowers a loss by a step along its gradient`, async () => {
    const batch = everyWay(environment);
    const gradients = linearGradients(batch);
    const policy = await trained(subject);
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
    const batch = everyWay(environment);
    const gradients = linearGradients(batch);
    const norms: number[] = [];
    for (const times of [1, 3]) {
      const policy = await trained(subject);
      for (let i = 0; i < times; i++) {
        await policy.backward(await policy.score(batch, { grad: true }), gradients);
      }
      norms.push((await policy.step({ learningRate: 0, clipNorm: 1 })).gradientNorm);
      policy.dispose();
    }
    assert.ok(Math.abs(norms[1] / norms[0] - 3) < 1e-5, `${norms}`);
  });

  Deno.test(`${label} takes two pending scores back in any order`, async () => {
    const batch = everyWay(environment);
    const gradients = linearGradients(batch);
    const norms: number[] = [];
    for (const first of [0, 1]) {
      const policy = await trained(subject);
      const scores = [await policy.score(batch, { grad: true })];
      scores.push(await policy.score(treeBatch(environment, [rowOf(batch, 0)]), { grad: true }));
      policy.release(scores[1 - first]);
      if (first === 0) await policy.backward(scores[0], gradients);
      else {await policy.backward(
          scores[1],
          linearGradients(treeBatch(environment, [rowOf(batch, 0)])),
        );}
      norms.push((await policy.step({ learningRate: 0, clipNorm: 1 })).gradientNorm);
      policy.dispose();
    }
    assert.ok(norms[0] > 0 && norms[1] > 0 && norms[0] !== norms[1]);
  });

  Deno.test(`${label} keeps an average of its parameters`, async () => {
    const policy = await trained(subject, 1);
    const batch = everyWay(environment);
    const options = { learningRate: 0.05, clipNorm: Infinity, averageDecay: 0.5 };
    for (let step = 0; step < 3; step++) {
      await policy.backward(await policy.score(batch, { grad: true }), linearGradients(batch));
      await policy.step(options);
    }
    const averaged = await policy.averaged();
    assert.notDeepEqual(await averaged.save(), await policy.save());
    const resumed = await loadPolicy(await policy.save(), { backend, definitions });
    await resumed.loadOptimizer(await policy.saveOptimizer());
    assert.deepEqual(await (await resumed.averaged()).save(), await averaged.save());
    const plain = await trained(subject, 1);
    assert.deepEqual(await (await plain.averaged()).save(), await plain.save());
    for (const one of [policy, averaged, resumed, plain]) one.dispose();
  });

  Deno.test(`${label} survives a file: same bytes, same scores`, async () => {
    const policy = await trained(subject);
    const bytes = await policy.save();
    const loaded = await loadPolicy(bytes, { backend, definitions });
    assert.deepEqual(await loaded.save(), bytes);
    const batch = everyWay(environment);
    const [a, b] = await Promise.all([policy, loaded].map((p) => p.score(batch, { grad: false })));
    assert.deepEqual(a.logPf, b.logPf);
    assert.deepEqual(a.logFlow, b.logFlow);
    policy.dispose();
    loaded.dispose();
  });

  Deno.test(`${label} has the same bits for the same seed, and others for another`, async () => {
    const [a, b] = [await trained(subject), await trained(subject)];
    assert.deepEqual(await a.save(), await b.save());
    await trainFor(b, subject, 1, new RandomStream("another"));
    assert.notDeepEqual(await a.save(), await b.save());
    a.dispose();
    b.dispose();
  });

  Deno.test(`${label} has an independent clone`, async () => {
    const policy = await trained(subject);
    const before = await policy.save();
    const clone = await policy.clone();
    assert.deepEqual(await clone.save(), before);
    await trainFor(clone, subject, 2, new RandomStream("clone"));
    assert.deepEqual(await policy.save(), before);
    assert.notDeepEqual(await clone.save(), before);
    policy.dispose();
    clone.dispose();
  });

  Deno.test(`${label} resumes from a checkpoint bit for bit`, async () => {
    const whole = await trained(subject, 5);
    await trainFor(whole, subject, 5, new RandomStream("second half"));
    const half = await trained(subject, 5);
    const resumed = await loadPolicy(await half.save(), { backend, definitions });
    await resumed.loadOptimizer(await half.saveOptimizer());
    await trainFor(resumed, subject, 5, new RandomStream("second half"));
    assert.deepEqual(await resumed.save(), await whole.save());
    assert.deepEqual(await resumed.saveOptimizer(), await whole.saveOptimizer());
    for (const policy of [whole, half, resumed]) policy.dispose();
  });

  if (config.kind === "custom") continue;

  Deno.test(`${label} steps the log flow's own parameters at their own rate`, async () => {
    const batch = everyWay(environment);
    const options = { learningRate: 1e-3, clipNorm: Infinity };
    const states: { logPf: Float64Array; logFlow: Float64Array }[] = [];
    for (const flowLearningRate of [1e-3, 1e-2]) {
      const policy = await createPolicy(config, environment, "groups");
      await policy.backward(await policy.score(batch, { grad: true }), linearGradients(batch));
      await policy.step({ ...options, flowLearningRate });
      states.push(await policy.score(batch, { grad: false }));
      policy.dispose();
    }
    // The first step moves only the head, which is linear: flows move ten times as far.
    states[0].logPf.forEach((x, at) => assert.ok(Math.abs(x - states[1].logPf[at]) < 1e-6));
    const largest = Math.max(...states[0].logFlow.map(Math.abs));
    assert.ok(largest > 1e-4);
    states[0].logFlow.forEach((x, at) =>
      assert.ok(Math.abs(10 * x - states[1].logFlow[at]) < 1e-4 * largest)
    );
  });

  if (backend === "fused") continue;

  Deno.test(`${label} leaves no tensor behind`, async () => {
    const policy = await trained(subject, 2);
    const before = tf.memory().numTensors;
    await trainFor(policy, subject, 6, new RandomStream("leak"));
    const batch = everyWay(environment);
    await policy.score(batch, { grad: true });
    policy.release(await policy.score(batch, { grad: true }));
    await policy.step({ learningRate: 1e-3, clipNorm: 1 });
    await policy.score(batch, { grad: false });
    assert.equal(tf.memory().numTensors, before);
    policy.dispose();
  });
}

function rowOf({ actions, lengths, T }: Batch, b: number): number[] {
  return [...actions.subarray(b * T, b * T + lengths[b])];
}

function rowSum(values: Float64Array, { T, lengths }: Batch, b: number): number {
  return values.subarray(b * T, b * T + lengths[b]).reduce((sum, x) => sum + x, 0);
}

/** Losses of ten steps on one batch, so that no draw can differ. */
async function tenLosses(
  config: PolicyConfig,
  environment: Environment,
  backend: PolicyBackend,
): Promise<number[]> {
  const policy = await createPolicy({ ...config, backend } as PolicyConfig, environment, "parity");
  const batch = everyWay(environment);
  const losses: number[] = [];
  for (let step = 0; step < 10; step++) {
    const scores = await policy.score(batch, { grad: true });
    const state = { logZ: 3, parameters: {} };
    const { loss, gradients } = plainObjective("sub_trajectory_balance").evaluate(
      scores,
      batch,
      state,
    );
    await policy.backward(scores, gradients);
    await policy.step({ learningRate: 3e-3, clipNorm: Infinity });
    losses.push(loss);
  }
  policy.dispose();
  return losses;
}

const parities: readonly (readonly [string, PolicyConfig, Environment])[] = [
  ["transformer", small, tree],
  ["mlp", mlp, grid],
];

for (const [name, config, environment] of parities) {
  Deno.test(`cpu, wasm and fused agree on ten steps of the ${name}`, async () => {
    const cpu = await tenLosses(config, environment, "cpu");
    for (const backend of ["wasm", "fused"] as const) {
      const other = await tenLosses(config, environment, backend);
      cpu.forEach((x, step) =>
        assert.ok(Math.abs(x - other[step]) < 5e-4, `${backend} ${step}: ${x} ${other[step]}`)
      );
    }
    assert.ok(cpu[9] < 0.7 * cpu[0], `${cpu}`);
  });

  Deno.test(`a ${name} saved by one backend scores the same on every other`, async () => {
    const subject = { label: name, config, backend: "cpu", environment } as const;
    const policy = await trained({
      ...subject,
      config: { ...config, backend: "cpu" } as PolicyConfig,
    });
    const batch = everyWay(environment);
    const wanted = await policy.score(batch, { grad: false });
    for (const backend of ["wasm", "fused"] as const) {
      const other = await loadPolicy(await policy.save(), { backend, definitions });
      assert.deepEqual([policy.backend, other.backend], ["cpu", backend]);
      const found = await other.score(batch, { grad: false });
      wanted.logPf.forEach((x, at) => assert.ok(Math.abs(x - found.logPf[at]) < 1e-5));
      wanted.logFlow.forEach((x, at) => assert.ok(Math.abs(x - found.logFlow[at]) < 1e-5));
      other.dispose();
    }
    policy.dispose();
  });
}
