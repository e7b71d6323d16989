/** GFlowNets: environments, policies, objectives, replay, evaluation. */
export { RandomStream } from "../base/random.ts";
export {
  defineEnvironment,
  type EnvironmentDefinition,
  type OwnEnvironment,
} from "./define_environment.ts";
export type {
  Actions,
  BackwardPart,
  Environment,
  StateFeatures,
  TerminalObject,
} from "./environment.ts";
export {
  definePolicy,
  type OwnNetwork,
  type PolicyDefinition,
  type PolicyStates,
  type PolicyTask,
} from "./define_policy.ts";
export {
  defineObjective,
  type Objective,
  type ObjectiveFunction,
  type ObjectiveResult,
  type ObjectiveState,
} from "./objective.ts";
export type { Policy, SampleOptions, StepOptions } from "./policy.ts";
export type {
  Batch,
  BatchBackward,
  BatchStates,
  ScoreGradients,
  Scores,
  Trajectory,
} from "./trajectory.ts";
