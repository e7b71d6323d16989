/** Log Z from both sides, compared with exact values; a collapse that the policy's own walks hide. */
import assert from "node:assert/strict";
import { log } from "../../src/numerics/math/elementary.ts";
import { RandomStream } from "../../src/base/random.ts";
import type { Environment } from "../../src/gfn/environments/environment.ts";
import { hypergridEnvironment } from "../../src/gfn/environments/built_in_environments.ts";
import {
  defaultRegressions,
  exactInclusion,
  regressionsEnvironment,
} from "../../src/gfn/environments/regressions.ts";
import { bidirectional, targetSampler } from "../../src/gfn/evaluation/bidirectional.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import { type Planted, plantedPolicy } from "./certificates/planted_policy.ts";

const grid = hypergridEnvironment(
  { ndim: 2, height: 8, r0: 0.01, r1: 0.5, r2: 2 },
) as Environment;
const random = (name: string) => new RandomStream("bidirectional", name);

async function measured({ policy }: Pick<Planted, "policy">, samples: number, name: string) {
  return await bidirectional(policy, grid, targetSampler(grid, 100)!, {
    ...{ samples, random: random(name) },
  });
}

/** Within four standard errors: one test in 16,000 fails by chance, and the seeds are fixed. */
function near(found: { value: number; mcse: number }, wanted: number) {
  const off = Math.abs(found.value - wanted);
  assert.ok(off <= 4 * found.mcse + 1e-9, `${found.value} ± ${found.mcse}, wanted ${wanted}`);
}

Deno.test("of a perfect policy both sides are log Z without error", async () => {
  const planted = plantedPolicy(grid, ({ logReward }) => logReward!);
  const { elbo, eubo, jeffreys } = await measured(planted, 50, "perfect");
  for (const one of [elbo, eubo]) assert.ok(Math.abs(one.value - planted.logZ) < 1e-9);
  assert.ok(elbo.mcse < 1e-9 && eubo.mcse < 1e-9 && Math.abs(jeffreys.value) < 1e-9);
});

Deno.test("of a tilted policy they are off by its two divergences", async () => {
  const planted = plantedPolicy(grid, ({ text, logReward }) => logReward! + text.length % 3);
  const half = plantedPolicy(grid, ({ logReward }) => logReward! / 2);
  for (const [name, one] of Object.entries({ planted, half })) {
    const { elbo, eubo, jeffreys } = await measured(one, 800, name);
    near(elbo, one.logZ - one.klPolicyTarget);
    near(eubo, one.logZ + one.klTargetPolicy);
    near(jeffreys, one.klPolicyTarget + one.klTargetPolicy);
  }
});

Deno.test("a collapse is seen from the target's side alone", async () => {
  const inCorner = (text: string) => text.slice(1, -1).split(", ").every((x) => Number(x) < 4);
  const planted = plantedPolicy(
    grid,
    ({ text, logReward }) => logReward! - (inCorner(text) ? 0 : 20),
  );
  const { elbo, eubo } = await measured(planted, 400, "collapse");
  assert.ok(planted.totalVariation > 0.7);
  assert.ok(elbo.mcse < 1e-6, "the policy's own walks see no error");
  near(eubo, planted.logZ + planted.klTargetPolicy);
  assert.ok(eubo.value - elbo.value > 14, `${eubo.value} ${elbo.value}`);
});

Deno.test("2^30 regressions are sampled exactly, and bound log Z on both sides", async () => {
  const spec = {
    ...{ ...defaultRegressions, terms: 30, rows: 64, effects: [0.8, -0.3, 0.2] },
    ...{ design: "orthogonal", noise: "known" } as const,
  };
  const environment = regressionsEnvironment(spec) as Environment;
  const inclusion = exactInclusion(spec);
  const draw = targetSampler(environment, 10)!;
  const stream = random("factorised");
  const counts = inclusion.map(() => 0);
  for (let i = 0; i < 1000; i++) draw(stream).slice(0, 30).forEach((a, j) => counts[j] += a % 2);
  inclusion.forEach((p, j) => {
    near({ value: counts[j] / 1000, mcse: Math.sqrt(p * (1 - p) / 1000) }, p);
  });
  const policy = await createPolicy({ kind: "table" }, environment, random("start"));
  const given = { samples: 200, random: random("both") };
  const { elbo, eubo } = await bidirectional(policy, environment, draw, given);
  // A fresh table is uniform: each divergence is a sum over predictors.
  const none = [...Array.from({ length: 30 }, (_, j) => 2 * j), 60];
  const state = none.slice(0, -1).reduce<unknown>(
    (at, action) => environment.step(at, action),
    environment.initialState(),
  );
  const logOut = inclusion.reduce((sum, p) => sum + log(1 - p), 0);
  const logZ = environment.logReward!(state) - logOut;
  near(elbo, logZ - inclusion.reduce((s, p) => s - 0.5 * (log(2 * p) + log(2 - 2 * p)), 0));
  const entropy = (p: number) => p * log(2 * p) + (1 - p) * log(2 - 2 * p);
  near(eubo, logZ + inclusion.reduce((s, p) => s + entropy(p), 0));
});

Deno.test("nobody draws from a target that is neither listed nor factorises", () => {
  assert.equal(targetSampler(grid, 63), undefined);
  assert.ok(targetSampler(grid, 64));
  const spec = { ...defaultRegressions, terms: 30 };
  assert.equal(targetSampler(regressionsEnvironment(spec) as Environment, 1000), undefined);
});
