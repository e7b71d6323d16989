/**
 * Ten thousand steps of policies on native libraries leave nothing behind. Wanted are the libraries
 * of `deno task sluice install blas` and `deno task sluice install tensorflow`.
 */
import assert from "node:assert/strict";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import type { Policy } from "../../src/gfn/policies/policy.ts";
import { EngineNetwork } from "../../src/gfn/policies/engine_network.ts";
import { FusedParameters } from "../../src/gfn/policies/fused_parameters.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { NetworkPolicy } from "../../src/gfn/policies/network_policy.ts";
import { openBackend } from "../../src/gfn/tensor/backend.ts";
import { keepsTensors, leakSubjects, type NetworkConfig, trainerOf } from "./leak_work.ts";

/** A policy on the library that was asked for, and on no other. */
async function opened(config: NetworkConfig, environment: Environment): Promise<Policy> {
  const remedy = `run: deno task sluice install ${config.backend}`;
  const policy = await createPolicy(config, environment, "leaks").catch((error) => {
    throw new Error(remedy, { cause: error });
  });
  assert.equal(policy.backend, config.backend, remedy);
  return policy;
}

/** Bytes in use and bytes in all of the memory that own kernels share with the library. */
function memoryOf(policy: Policy): readonly number[] {
  assert(policy instanceof NetworkPolicy && policy.network instanceof EngineNetwork);
  assert(policy.network.store instanceof FusedParameters);
  const { used, byteLength } = policy.network.store.machine;
  return [used, byteLength];
}

// One operand of a product has 64 × 64 single numbers: lost once a step, 125 MiB over the last
// 8,000. The process's memory beside the shared part varies by a few MiB.
const mostGrowth = 64 * 2 ** 20;

for (const [config, environment] of leakSubjects("blas", 64)) {
  Deno.test(`ten thousand steps of the ${config.kind} on OpenBLAS leave no memory behind`, async () => {
    const policy = await opened(config, environment);
    const work = trainerOf(policy, environment);
    await work(2000);
    const [shared, held] = [memoryOf(policy), Deno.memoryUsage().rss];
    await work(8000);
    assert.deepEqual(memoryOf(policy), shared);
    assert(Deno.memoryUsage().rss - held < mostGrowth);
    policy.dispose();
  });
}

for (const [config, environment] of leakSubjects("tensorflow", 4)) {
  const label = `${config.kind} on TensorFlow`;
  Deno.test(`ten thousand steps of the ${label} leave no tensor behind`, async () => {
    const policy = await opened(config, environment);
    const { tf } = await openBackend("tensorflow");
    await keepsTensors(policy, environment, () => tf.memory().numTensors);
  });
}
