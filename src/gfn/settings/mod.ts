/** Settings of objectives, policies and explorers, read and checked. */
export {
  type BuiltInPolicyConfig,
  builtInPolicyKinds,
  checkPolicyFits,
  ownPolicyParameters,
  parsePolicyConfig,
  readsTokens,
} from "../policies/config.ts";
export { lossNames } from "../amortised/loss_names.ts";
export { growthSimulation } from "../amortised/growth/growth_simulation.ts";
export { growthFamilies } from "../amortised/growth/noises.ts";
export type { RegressionFamily } from "../amortised/regression_families.ts";
export { scoredFamilies, type SpaceKind, spaceKinds } from "../amortised/questions_kind.ts";
export { mostPredictors, simulation } from "../amortised/simulation.ts";
export type { Settings } from "./read_settings.ts";
export { type BehaviourCourse, behavioursAt } from "../train/exploration.ts";
export { learningRate, trainingSettings, weightDecay } from "../train/training_settings.ts";
export type { Kinds, ReadPolicyConfig } from "../policies/config.ts";
export type { BehaviourCount, BehaviourShare } from "../train/exploration.ts";
export type { GivenTrainingSettings } from "../train/training_settings.ts";
export type { Behaviour } from "../train/exploration.ts";
