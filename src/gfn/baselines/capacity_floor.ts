/** The capacity floor: divergence of a network that is fitted to exact samples of the target. */
import type { RandomStream } from "../../base/random.ts";
import { exp } from "../../numerics/math/mod.ts";
import { makeBatch } from "../trajectories/batch.ts";
import type { EnumeratedTarget } from "../evaluation/exact.ts";
import { maximumLikelihood } from "../objectives/maximum_likelihood.ts";
import { draw } from "./perfect_sampler.ts";
import type { Policy } from "../policies/policy.ts";
import { rateAt } from "../train/schedule.ts";

/** Steps and learning rate of the fit. */
export interface FitOptions {
  /** Gradient steps. */
  readonly steps: number;
  /** Exact samples per step. */
  readonly batchSize: number;
  /** Falls to 0 by a cosine. */
  readonly learningRate: number;
  /** Source of randomness of the exact samples. */
  readonly random: RandomStream;
}

/**
 * Fits a policy to the target by maximum likelihood on exact samples, in place. The remaining
 * divergence is due to this network at this budget, not to an objective.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { ownTarget } from "../evaluation/own_target.ts";
 * import { createPolicy } from "../policies/create_policy.ts";
 * import { evaluateExactly, policyMass } from "../evaluation/exact.ts";
 * import { RandomStream } from "../../base/random.ts";
 * import { fitToTarget } from "./capacity_floor.ts";
 * const target = ownTarget(environmentNamed("numbers", { max: 9, base: 10 })); // ten, equally likely
 * const policy = await createPolicy({ kind: "table" }, target.environment, "seed");
 * const random = new RandomStream("exact samples");
 * await fitToTarget(policy, target, { steps: 100, batchSize: 32, learningRate: 0.1, random });
 * const { totalVariation } = evaluateExactly(target, await policyMass(policy, target));
 * assert(totalVariation < 0.1, `${totalVariation}`);
 * ```
 */
export async function fitToTarget(
  policy: Policy,
  target: EnumeratedTarget,
  options: FitOptions,
): Promise<void> {
  const { steps, batchSize, learningRate: start, random } = options;
  let sum = 0;
  const cumulative = target.logTarget.map((x) => sum += exp(x));
  for (let step = 0; step < steps; step++) {
    const drawn = Array.from({ length: batchSize }, () => target.objects[draw(cumulative, random)]);
    const batch = makeBatch(target.environment, drawn);
    const scores = await policy.score(batch, { grad: true });
    const state = { logZ: 0, parameters: {} };
    await policy.backward(scores, maximumLikelihood.evaluate(scores, batch, state).gradients);
    const learningRate = rateAt({ start, schedule: "cosine", end: 0 }, step / steps);
    await policy.step({ learningRate, clipNorm: 10 });
  }
}
