/** Trains two small policies on own kernels and prints the digests of what they have learned. */

// deno run --allow-read --allow-write=tests/golden tools/golden/policy_bits.ts
// writes tests/golden/policy_bits.json. The same digests must come out on every machine.

import { sha256 } from "../../src/base/digest.ts";
import { RandomStream } from "../../src/base/random.ts";
import { makeBatch } from "../../src/gfn/trajectories/batch.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { expressionEnvironment } from "../../src/gfn/environments/expression.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/hypergrid.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import type { PolicyConfig } from "../../src/gfn/policies/create_policy.ts";

const expressions = { leaves: [1, 2], operators: ["+", "*"], maxLength: 7, target: 5, scale: 2 };
const grid = { ndim: 2, height: 5, r0: 0.1, r1: 0.5, r2: 2 };

const subjects: Readonly<Record<string, readonly [PolicyConfig, Environment]>> = {
  transformer: [
    { kind: "transformer", layers: 2, width: 24, heads: 2 },
    expressionEnvironment(expressions) as Environment,
  ],
  mlp: [
    { kind: "mlp", width: 20, backward: "learned" },
    hypergridEnvironment(grid) as Environment,
  ],
};

/** Twenty steps towards the more rewarded of what was sampled; no objective is asked. */
export async function learnedDigest(name: string): Promise<string> {
  const [config, environment] = subjects[name];
  const policy = await createPolicy(config, environment, "bits");
  const random = new RandomStream("bits", "sample");
  for (let step = 0; step < 20; step++) {
    const options = { count: 8, random, epsilon: 0.1, temperature: 1 };
    const batch = makeBatch(environment, await policy.sample(environment, options));
    const scores = await policy.score(batch, { grad: true });
    const { logReward, logPb = batch.logPb } = { ...scores, logReward: batch.logReward };
    const push = (values: Float64Array) => values.map((x) => (x + 1) / 64);
    const logPf = scores.logPf.map((x, at) => (x - logReward[at] - logPb[at]) / 64);
    const backward = scores.logPb ? { logPb: push(scores.logPb) } : {};
    const gradients = { logPf, logExit: push(scores.logExit), logFlow: push(scores.logFlow) };
    await policy.backward(scores, { ...gradients, ...backward });
    await policy.step({ learningRate: 0.01, clipNorm: 1, averageDecay: 0.9 });
  }
  const files = [await policy.save(), await policy.saveOptimizer()];
  return sha256(files.map((bytes) => bytes.toHex()).join(" "));
}

/** The digest of every policy, by name. */
export async function learnedDigests(): Promise<Record<string, string>> {
  const names = Object.keys(subjects);
  const digests = await Promise.all(names.map(learnedDigest));
  return Object.fromEntries(names.map((name, i) => [name, digests[i]]));
}

if (import.meta.main) {
  const made = {
    by: "tools/golden/policy_bits.ts",
    deno: Deno.version.deno,
    arch: Deno.build.arch,
  };
  const text = JSON.stringify({ made, digests: await learnedDigests() }, null, 2);
  Deno.writeTextFileSync("tests/golden/policy_bits.json", `${text}\n`);
}
