/** Baselines that are floors: a perfect sampler, and the same network fitted to the exact target. */
import {
  evaluateExactly,
  fitToTarget,
  perfectSamplerFloor,
  policyMass,
} from "../../../src/gfn/evaluation/mod.ts";
import type { StageContext } from "../../../src/pipeline/contract/mod.ts";
import type { ScoredTarget } from "../../evaluation/enumerated.ts";
import type { CapacityParams } from "../params.ts";
import { divergenceMeasures } from "../../evaluation/evaluation_rows.ts";
import { type Measure, measuresOf } from "../../evaluation/measure.ts";
import { capacitySubject, perfectSampler } from "../../evaluation/subjects.ts";
import type { TrainedPolicy } from "../../ports/values.ts";

/** Divergences of a perfect sampler after as many trajectories as the policy learned from. */
export function samplerFloor(
  context: StageContext,
  { logTarget }: ScoredTarget,
  { trajectories }: TrainedPolicy,
  repetitions: number,
): Measure[] {
  if (repetitions === 0 || trajectories === 0) return [];
  const random = context.random("perfect sampler");
  const floor = perfectSamplerFloor(logTarget, trajectories, repetitions, random);
  return measuresOf(perfectSampler, {
    tv: floor.totalVariation,
    kl_policy_target: floor.klEmpiricalTarget,
    distinct: floor.distinct,
  });
}

/**
 * Capacity of this network: a copy of it is fitted to exact samples of the target by maximum
 * likelihood.
 */
export async function capacityFloor(
  context: StageContext,
  target: ScoredTarget,
  { policy }: TrainedPolicy,
  { steps, batch_size: batchSize, learning_rate: learningRate }: CapacityParams,
): Promise<Measure[]> {
  const fitted = await policy.clone();
  const random = context.random("capacity floor");
  await fitToTarget(fitted, target, { steps, batchSize, learningRate, random });
  const result = evaluateExactly(target, await policyMass(fitted, target));
  fitted.dispose();
  return divergenceMeasures(capacitySubject, result);
}
