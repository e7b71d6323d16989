/** Every baseline of an evaluation of a policy. */
import type { StageContext } from "../../../src/pipeline/contract/mod.ts";
import type { ScoredTarget } from "../../evaluation/enumerated.ts";
import type { Measure } from "../../evaluation/measure.ts";
import type { ScoredSet, Surrogate, Target, TrainedPolicy } from "../../ports/values.ts";
import type { EvaluateParams } from "../params.ts";
import { capacityFloor, samplerFloor } from "./floors.ts";
import { activeMeasures, countingMeasures, knownMeasures, surrogateMeasures } from "./known.ts";
import { policyMeasures } from "./policies.ts";
import { reinforcementMeasures } from "./reinforcement.ts";
import { searchMeasures } from "./search.ts";
import { targetNoise } from "./target_noise.ts";

/** Target and policy under evaluation. */
export interface Evaluated {
  readonly scored: ScoredTarget;
  readonly policy: TrainedPolicy;
  readonly target?: Target;
  readonly compare?: Readonly<Record<string, TrainedPolicy>>;
  /** Rewards that training asked for. */
  readonly given?: ScoredSet;
  readonly surrogate?: Surrogate;
}

/** Measures of every baseline that the parameters ask for, and of uniform choice and the prior. */
export async function baselineMeasures(
  context: StageContext,
  { scored, policy, target, compare = {}, given, surrogate }: Evaluated,
  params: EvaluateParams,
): Promise<Measure[]> {
  const { floor_repetitions, baseline_repetitions: repetitions, budget } = params;
  const { capacity, rivals, target_noise: noise } = params;
  const hasPriced = given !== undefined || params.active_surrogate || repetitions > 0;
  return [
    ...await policyMeasures(scored, compare),
    ...samplerFloor(context, scored, policy, floor_repetitions),
    ...(hasPriced ? countingMeasures(scored) : []),
    ...knownMeasures(scored, given),
    ...surrogateMeasures(scored, surrogate),
    ...(params.active_surrogate ? await activeMeasures(context, scored, policy, budget) : []),
    ...searchMeasures(context, scored, policy, { repetitions, budget }),
    ...(rivals ? await reinforcementMeasures(context, scored, policy, rivals, budget) : []),
    ...(capacity ? await capacityFloor(context, scored, policy, capacity) : []),
    ...(noise && target?.dataset ? await targetNoise(context, scored, target, noise) : []),
  ];
}
