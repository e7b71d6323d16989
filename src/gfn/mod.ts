/** GFlowNets: environments, policies, objectives, replay, evaluation. */
export { z } from "zod";
export { RandomStream } from "../base/random.ts";
export {
  defineEnvironment,
  type EnvironmentDefinition,
  type OwnEnvironment,
} from "./environments/define_environment.ts";
export type {
  Actions,
  BackwardPart,
  Environment,
  StateFeatures,
  TerminalObject,
} from "./environments/environment.ts";
export {
  definePolicy,
  type OwnNetwork,
  type PolicyDefinition,
  type PolicyStates,
  type PolicyTask,
} from "./policies/define_policy.ts";
export {
  defineObjective,
  type Moved,
  type Objective,
  type ObjectiveDefinition,
  type ObjectiveFunction,
  type ObjectiveResult,
  type ObjectiveState,
  parametersOf,
  type Reads,
} from "./objectives/objective.ts";
export type { Policy, SampleOptions, StepOptions } from "./policies/policy.ts";
export type {
  Batch,
  BatchBackward,
  BatchStates,
  ScoreGradients,
  Scores,
  Trajectory,
} from "./trajectories/trajectory.ts";
