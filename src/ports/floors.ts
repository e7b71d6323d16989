/** Floors of a divergence: a perfect sampler, and the same network fitted to the exact target. */
import { fitToTarget } from "../gfn/capacity_floor.ts";
import { evaluateExactly, policyMass } from "../gfn/exact.ts";
import { perfectSamplerFloor } from "../gfn/perfect_sampler.ts";
import type { StageContext } from "../runner/stage.ts";
import type { ScoredTarget } from "./enumerated.ts";
import type { CapacityParams } from "./evaluate_params.ts";
import { divergenceMeasures } from "./evaluation_rows.ts";
import type { Measures } from "./measure.ts";
import type { TrainedPolicy } from "./values.ts";

/** What a perfect sampler shows after as many trajectories as the policy learned from. */
export function samplerFloor(
  context: StageContext,
  { logTarget }: ScoredTarget,
  { trajectories }: TrainedPolicy,
  repetitions: number,
): Measures {
  if (repetitions === 0 || trajectories === 0) return {};
  const random = context.random("perfect sampler");
  const floor = perfectSamplerFloor(logTarget, trajectories, repetitions, random);
  return {
    tv_floor: floor.totalVariation,
    kl_policy_target_floor: floor.klEmpiricalTarget,
    distinct_floor: floor.distinct,
  };
}

/**
 * What this network can do at all: a copy of it is fitted to exact samples of the target by
 * maximum likelihood. Measures end in `_capacity`.
 */
export async function capacityFloor(
  context: StageContext,
  target: ScoredTarget,
  { policy }: TrainedPolicy,
  { steps, batch_size: batchSize, learning_rate: learningRate }: CapacityParams,
): Promise<Measures> {
  const fitted = await policy.clone();
  const random = context.random("capacity floor");
  await fitToTarget(fitted, target, { steps, batchSize, learningRate, random });
  const result = evaluateExactly(target, await policyMass(fitted, target));
  fitted.dispose();
  return divergenceMeasures(result, "_capacity");
}
