/** Policies as directories: the same bytes, in parts, and none of them whole in memory. */
import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import { definePolicy } from "../../src/gfn/policies/define_policy.ts";
import { createPolicy, type PolicyConfig } from "../../src/gfn/policies/create_policy.ts";
import { openPolicy, savePolicy } from "../../src/gfn/policies/policy_directory.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import { allocationsOf } from "./allocations.ts";
import { treeBatch } from "./tree_batch.ts";

const grid = hypergridEnvironment({ ndim: 2, height: 3, r0: 0.5, r1: 1, r2: 0 }) as Environment;
const batch = treeBatch(grid, [[0, 1, 2], [1, 2]]);

/** Three tensors of sixteen million bytes; only the first outputs depend on them. */
const large = definePolicy({
  name: "large",
  version: 1,
  create: ({ outputs }) => ({
    size: 12e6,
    tensors: ["a", "b", "c"].map((name) => ({ name, shape: [2000, 2000] })),
    initial: (random) => new Float32Array(12e6).fill(random.uniform()),
    outputs: (parameters, { count }) =>
      Float32Array.from({ length: count * outputs }, (_, at) => parameters[at % outputs]),
    addGradient: (_parameters, _states, force, gradient) =>
      force.forEach((one, at) => gradient[at % outputs] += one),
  }),
});

async function step(policy: Policy): Promise<void> {
  const force = new Float64Array(batch.B * batch.T).fill(0.3);
  const scores = await policy.score(batch, { grad: true });
  await policy.backward(scores, { logPf: force, logExit: force, logFlow: force });
  await policy.step({ learningRate: 0.05, clipNorm: 1 });
}

async function inDirectory(work: (directory: string) => Promise<void>): Promise<void> {
  const directory = await Deno.makeTempDir();
  try {
    await work(`${directory}/new/policy`);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

const configs: readonly PolicyConfig[] = [{ kind: "table" }, { kind: "mlp", width: 8 }];

for (const config of configs) {
  Deno.test(`a ${config.kind} goes on from its directory bit for bit`, async () => {
    const policy = await createPolicy(config, grid, "directory");
    await step(policy);
    await inDirectory(async (directory) => {
      await savePolicy(policy, directory);
      const names = [...Deno.readDirSync(directory)].map(({ name }) => name).sort();
      assert.deepEqual(names, ["optimizer.safetensors", "policy.safetensors"]);
      const file = await Deno.readFile(`${directory}/policy.safetensors`);
      assert.deepEqual(file, await policy.save());
      const resumed = await openPolicy(directory);
      for (const one of [policy, resumed]) await step(one);
      assert.equal(resumed.version, 2);
      assert.deepEqual(await resumed.save(), await policy.save());
      assert.deepEqual(await resumed.saveOptimizer(), await policy.saveOptimizer());
    });
  });
}

Deno.test("a policy of 48 MB is written in parts of 4, and read tensor by tensor", async () => {
  const config = { kind: "custom", definition: large, frozen: ["b", "c"] } as const;
  const policy = await createPolicy(config, grid, "large");
  await step(policy);
  await inDirectory(async (directory) => {
    const written = await allocationsOf(() => savePolicy(policy, directory));
    assert.ok(written.largest < 1e6, `${written.largest}`);
    const options = { definitions: [large] };
    let same: Policy | undefined;
    const read = await allocationsOf(async () => {
      same = await openPolicy(directory, options);
    });
    // The parameters themselves and their gradient are 48 and 96 MB; a tensor is 16.
    assert.ok(read.total < 48e6 + 96e6 + 3 * 16e6 + 6 * 16e6 + 1e6, `${read.total}`);
    assert.equal(same!.version, 1);
    let count = 0;
    const parts = same!.saveParts()[Symbol.asyncIterator]();
    for await (const part of policy.saveParts()) {
      assert.ok(part.length <= 1 << 22);
      const { value } = await parts.next();
      assert.equal(Buffer.compare(part, value!), 0);
      count++;
    }
    assert.equal(count, 1 + 3 * 4);
  });
});
