/** Parameters that are not learned, and the optimiser beside a network. */
import assert from "node:assert/strict";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import { decodeTensors, type NamedTensor } from "../../src/base/safetensors.ts";
import {
  createPolicy,
  loadPolicy,
  type PolicyConfig,
} from "../../src/gfn/policies/create_policy.ts";
import type { Policy, StepOptions } from "../../src/gfn/policies/policy.ts";
import type { Batch } from "../../src/gfn/trajectories/trajectory.ts";
import { treeBatch, wholeTree } from "./tree_batch.ts";
import { mixedTree } from "./tree_environment.ts";

const tree = mixedTree() as Environment;
const grid = hypergridEnvironment({ ndim: 2, height: 3, r0: 0.5, r1: 1, r2: 0 }) as Environment;
const gridBatch = () => treeBatch(grid, [[0, 1, 2], [1, 2], [2], [0, 0, 2]]);

interface Subject {
  readonly config: PolicyConfig;
  readonly batch: Batch;
  /** Names of tensors that the list freezes. */
  readonly names: readonly string[];
}

const transformer = { kind: "transformer", layers: 2, width: 16, heads: 2 } as const;
const mlp = { kind: "mlp", layers: 2, width: 16 } as const;

const subjects: readonly (readonly [string, Subject])[] = (["fused", "wasm"] as const).flatMap(
  (backend) =>
    [
      [`transformer on ${backend}`, {
        config: { ...transformer, backend, frozen: ["action_embedding", "layers.0."] },
        batch: wholeTree(tree),
        names: ["action_embedding", "layers.0."],
      }],
      [`mlp on ${backend}`, {
        config: { ...mlp, backend, frozen: ["layers.0."] },
        batch: gridBatch(),
        names: ["layers.0."],
      }],
    ] as const,
);

const options: StepOptions = {
  learningRate: 0.05,
  flowLearningRate: 0.1,
  clipNorm: 0.5,
  averageDecay: 0.5,
};

async function step(policy: Policy, batch: Batch): Promise<number> {
  const force = new Float64Array(batch.B * batch.T).fill(0.3);
  const scores = await policy.score(batch, { grad: true });
  await policy.backward(scores, { logPf: force, logExit: force, logFlow: force });
  return (await policy.step(options)).gradientNorm;
}

async function afterSteps(config: PolicyConfig, batch: Batch, steps: number): Promise<Policy> {
  const policy = await createPolicy(config, batch.environment, "frozen");
  for (let i = 0; i < steps; i++) await step(policy, batch);
  return policy;
}

const tensorsOf = async (bytes: Promise<Uint8Array>) => decodeTensors(await bytes).tensors;
const sizeOf = (tensors: readonly NamedTensor[], name: string) =>
  tensors.find((one) => one.name === name)!.values.length;

for (const [label, { config, batch, names }] of subjects) {
  const isFrozen = (name: string) => names.some((start) => name.startsWith(start));

  Deno.test(`the ${label} leaves its frozen parameters, which have no moments`, async () => {
    const policy = await createPolicy(config, batch.environment, "frozen");
    const first = await tensorsOf(policy.save());
    for (let i = 0; i < 3; i++) await step(policy, batch);
    const after = await tensorsOf(policy.save());
    let learned = 0;
    after.forEach(({ name, values }, i) => {
      if (isFrozen(name)) assert.deepEqual(values, first[i].values, name);
      else learned += values.length;
    });
    const moved = after.filter(({ name, values }, i) =>
      !isFrozen(name) && values.some((x, k) => x !== first[i].values[k])
    );
    assert.ok(moved.length > 2, "others move once the head is not 0 any more");
    const optimizer = await tensorsOf(policy.saveOptimizer());
    for (const name of ["first_moment", "second_moment", "average"]) {
      assert.equal(sizeOf(optimizer, name), learned);
    }
    policy.dispose();
  });

  Deno.test(`the ${label} steps what is learned as without the rest, and goes on from a file`, async () => {
    const whole = await afterSteps(config, batch, 3);
    const half = await afterSteps(config, batch, 1);
    const backend = "backend" in config ? config.backend! : "fused";
    const resumed = await loadPolicy(await half.save(), { backend });
    await resumed.loadOptimizer(await half.saveOptimizer());
    for (let i = 0; i < 2; i++) await step(resumed, batch);
    assert.deepEqual(await resumed.save(), await whole.save());
    assert.deepEqual(await resumed.saveOptimizer(), await whole.saveOptimizer());
    const average = await tensorsOf((await resumed.averaged()).save());
    const now = await tensorsOf(whole.save());
    average.forEach(({ name, values }, i) => {
      if (isFrozen(name)) assert.deepEqual(values, now[i].values);
    });
    assert.notDeepEqual(average, now);
    for (const one of [whole, half, resumed]) one.dispose();
  });
}

Deno.test("with the first layers frozen the head steps as it does with all free", async () => {
  // The head starts at 0, so nothing before it has a gradient yet: the same clipping, the same step.
  const policies = await Promise.all(
    [[], ["layers.", "action_embedding"]].map((frozen) =>
      afterSteps({ ...transformer, frozen }, wholeTree(tree), 1)
    ),
  );
  const [free, fixed] = await Promise.all(policies.map((policy) => policy.save()));
  const [a, b] = [free, fixed].map((bytes) => decodeTensors(bytes).tensors);
  const head = (tensors: readonly NamedTensor[]) => tensors.find(({ name }) => name === "head")!;
  assert.deepEqual(head(a).values, head(b).values);
  assert.ok(head(a).values.some((x) => x !== 0));
});

Deno.test("names that freeze nothing, or everything, are refused", async () => {
  const make = (frozen: readonly string[]) => createPolicy({ ...mlp, frozen }, grid, "refused");
  await assert.rejects(make(["layer.7"]), /Cannot freeze "layer.7": no parameter's name begins so/);
  await assert.rejects(make(["h", "l"]), /Cannot freeze/);
  await assert.rejects(make([""]), /frozen is \[""\]/);
  const table = { kind: "table", frozen: ["rows"] } as unknown as PolicyConfig;
  await assert.rejects(createPolicy(table, grid, "refused"), /unknown key "frozen"/);
});

Deno.test("the version counts steps, in clones and from checkpoints as well", async () => {
  const policy = await createPolicy(mlp, grid, "version");
  assert.equal(policy.version, 0);
  for (let i = 0; i < 3; i++) await step(policy, gridBatch());
  assert.equal(policy.version, 3);
  const clone = await policy.clone();
  await step(clone, gridBatch());
  assert.deepEqual([policy.version, clone.version, (await policy.averaged()).version], [3, 4, 3]);
  for (const [one, version] of [[policy, 3], [clone, 4]] as const) {
    const resumed = await loadPolicy(await one.save());
    assert.equal(resumed.version, 0);
    await resumed.loadOptimizer(await one.saveOptimizer());
    assert.equal(resumed.version, version);
    assert.deepEqual(await resumed.saveOptimizer(), await one.saveOptimizer());
  }
});
