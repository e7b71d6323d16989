/** Reinforcement learning as a baseline: a fresh network of the same shape, at equal evaluations. */
import type { RandomStream } from "../../base/random.ts";
import { makeBatch } from "../trajectories/batch.ts";
import type { EnumeratedTarget } from "../evaluation/exact.ts";
import type { Objective } from "../objectives/objective.ts";
import type { Policy } from "../policies/policy.ts";
import { rateAt } from "../train/schedule.ts";
import { Trainer } from "../train/trainer.ts";

/** Budget and learning options of a trained baseline. */
export interface TrainedBaselineOptions {
  /** Objective that learns from the policy's own trajectories and the rewards of their ends. */
  readonly objective: Objective;
  /** Trajectories at most. */
  readonly trajectories: number;
  /** Distinct evaluations at most; an object that comes back is free. */
  readonly budget: number;
  /** Trajectories per step. */
  readonly batchSize: number;
  /** Initial learning rate; falls to 0 by a cosine. */
  readonly learningRate: number;
  /** Source of randomness of the trajectories. */
  readonly random: RandomStream;
}

/**
 * Trains a policy in place, on its own trajectories, without exploration or replay. It stops before
 * a batch that would exceed the budget by one evaluation, so its rate may not reach 0.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { ownTarget } from "../evaluation/own_target.ts";
 * import { createPolicy } from "../policies/create_policy.ts";
 * import { objectiveNamed } from "../objectives/built_in_objectives.ts";
 * import { RandomStream } from "../../base/random.ts";
 * import { trainBaseline } from "./trained_baseline.ts";
 * const target = ownTarget(environmentNamed("numbers", { max: 9, base: 10 }));
 * const policy = await createPolicy({ kind: "table" }, target.environment, "seed");
 * const asked = await trainBaseline(policy, target, {
 *   objective: objectiveNamed("trajectory_balance"),
 *   trajectories: 320,
 *   budget: 10,
 *   batchSize: 32,
 *   learningRate: 0.1,
 *   random: new RandomStream("walks"),
 * } as never);
 * assert(asked <= 10);
 * ```
 *
 * @returns The distinct evaluations that it asked for.
 */
export async function trainBaseline(
  policy: Policy,
  target: EnumeratedTarget,
  { objective, trajectories, budget, batchSize, learningRate: start, random }:
    TrainedBaselineOptions,
): Promise<number> {
  const rewards = new Map(target.objects.map(({ text }, i) => [text, target.logReward[i]]));
  const seen = new Set<string>();
  const trainer = new Trainer(objective);
  const steps = Math.floor(trajectories / batchSize);
  for (let step = 0; step < steps; step++) {
    const options = { count: batchSize, random, epsilon: 0, temperature: 1 };
    const sampled = await policy.sample(target.environment, options);
    const texts = sampled.map(({ text }) => text);
    if (new Set([...seen, ...texts]).size > budget) break;
    for (const text of texts) seen.add(text);
    const batch = makeBatch(target.environment, sampled);
    texts.forEach((text, b) => {
      batch.logReward[b * batch.T + batch.lengths[b] - 1] = rewards.get(text)!;
    });
    const fraction = step / steps;
    const rate = rateAt({ start, schedule: "cosine", end: 0 }, fraction);
    const stride = { step: { learningRate: rate, clipNorm: 10 }, logZ: rate, fraction };
    await trainer.update(policy, batch, stride);
  }
  return seen.size;
}
