/** Evaluation: divergences, surrogates and baselines. */
export type { PriorMean } from "./surrogate/prior_mean.ts";
export { activeSurrogate } from "../baselines/active_surrogate.ts";
export { beamSearch } from "../baselines/beam_search.ts";
export type { BaselineResult } from "../baselines/budget.ts";
export { fitToTarget } from "../baselines/capacity_floor.ts";
export { heldOutObjects } from "../baselines/held_out_objects.ts";
export { knownRewards } from "../baselines/known_rewards.ts";
export { metropolisHastings } from "../baselines/metropolis_hastings.ts";
export { perfectSamplerFloor } from "../baselines/perfect_sampler.ts";
export { WalkTarget } from "../baselines/rewarded_walk.ts";
export { sequentialMonteCarlo } from "../baselines/sequential_monte_carlo.ts";
export { trainBaseline } from "../baselines/trained_baseline.ts";
export { agreement } from "./agreement.ts";
export { type AnswerEstimate, bestOf, meanOf, shareOf } from "./answer_estimates.ts";
export { bidirectional, targetSampler } from "./bidirectional.ts";
export { checkObjective } from "./check_objective.ts";
export { divergences, effectiveNumber } from "./divergences.ts";
export {
  type EnumeratedTarget,
  enumeratedTarget,
  evaluateExactly,
  type ExactEvaluation,
  inclusionProbabilities,
  logPriorOf,
  logUniform,
  type PolicyMass,
  policyMass,
  withLogRewards,
} from "./exact.ts";
export {
  type Estimate,
  type ImportanceEstimates,
  importanceEstimates,
} from "./importance_estimates.ts";
export { ownLogRewards } from "./own_target.ts";
export type { ThoughtfulBounds, ThoughtfulMass } from "./thoughtful_mass.ts";
export { subSupportDistance } from "./sub_supports.ts";
export { calibrationOn } from "./surrogate/calibration.ts";
export {
  defaultSurrogate,
  RewardSurrogate,
  type ScoredObject,
  type SurrogateJson,
} from "./surrogate/reward_surrogate.ts";
export type { ActiveOptions } from "../baselines/active_surrogate.ts";
export type { BeamOptions } from "../baselines/beam_search.ts";
export type { FitOptions } from "../baselines/capacity_floor.ts";
export type { ChainOptions } from "../baselines/metropolis_hastings.ts";
export type { PerfectSamplerFloor } from "../baselines/perfect_sampler.ts";
export type { SmcOptions } from "../baselines/sequential_monte_carlo.ts";
export type { TrainedBaselineOptions } from "../baselines/trained_baseline.ts";
export type { Agreement } from "./agreement.ts";
export type { BySample } from "./answer_estimates.ts";
export type { Bidirectional, TargetSampler } from "./bidirectional.ts";
export type { ObjectGraph, PrefixShare } from "./exact.ts";
export type { OptimalFlow, OptimumOptions } from "./optimal_flow.ts";
export type { PolicyFlow } from "./policy_flow.ts";
export type { SubSupportDistance, SubSupportOptions } from "./sub_supports.ts";
export type { HeldOut } from "./surrogate/calibration.ts";
export type { ActiveRound } from "../baselines/active_surrogate.ts";
export type { Measured } from "../baselines/perfect_sampler.ts";
