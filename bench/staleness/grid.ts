/** A small network on a grid of 8 × 8 cells: 400 batches of 16, by any policy. */
import { RandomStream } from "../../src/base/random.ts";
import { environmentNamed } from "../../src/gfn/environments/built_in_environments.ts";
import { evaluateExactly, policyMass } from "../../src/gfn/evaluation/exact.ts";
import { ownTarget } from "../../src/gfn/evaluation/own_target.ts";
import { createPolicy } from "../../src/gfn/policies/create_policy.ts";
import type { Divergences } from "./divergences.ts";
import type { Learner } from "./learners.ts";
import { trainBehind } from "./train_behind.ts";

/** Steps by which batches are older than the policy that learns from them. */
export const gridBounds = [0, 1, 2, 4, 8, 16, 32, 64, 128];

/** Divergences, exactly. @param rate The learning rate at the first step. */
export async function gridDivergence(
  learner: Learner,
  staleness: number,
  seed: number,
  rate = 0.01,
): Promise<Divergences> {
  const grid = { ndim: 2, height: 8, r0: 0.1, r1: 0.5, r2: 2 };
  const environment = environmentNamed("hypergrid", grid);
  const start = new RandomStream("start", seed);
  const policy = await createPolicy({ kind: "mlp", layers: 2, width: 32 }, environment, start);
  const learning_rate = { start: rate, schedule: "cosine", end: 0 } as const;
  await trainBehind(policy, environment, learner, {
    ...{ staleness, steps: 400, batchSize: 16, random: new RandomStream("train", seed) },
    settings: { learning_rate, log_z_learning_rate: 0.1 },
  });
  const target = ownTarget(environment);
  const found = evaluateExactly(target, await policyMass(policy, target));
  policy.dispose();
  return { kl: found.klTargetPolicy, kl_back: found.klPolicyTarget };
}
