/** Objectives that policies learn by. */
export {
  builtInObjectives,
  objectiveNamed,
  onPolicyObjectives,
  rewardedObjectives,
} from "./built_in_objectives.ts";
export { commonParameters } from "./common_parameters.ts";
export { maximumLikelihood } from "./maximum_likelihood.ts";
export {
  defineObjective,
  isObjective,
  type Moved,
  type Objective,
  type ObjectiveDefinition,
  type ObjectiveFunction,
  type ObjectiveResult,
  type ObjectiveState,
  type Reads,
  readsOf,
} from "./objective.ts";
