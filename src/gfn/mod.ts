/**
 * GFlowNets: environments, policies, objectives, replay, training, and exact evaluation.
 *
 * A tour: a policy is trained on an environment of one's own and compared with the exact answer.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import * as gfn from "./mod.ts";
 *
 * // Bits are written one by one; with each 1 among all four the reward doubles.
 * const bits = gfn.makeEnvironment<string>("bits", {
 *   actionNames: ["0", "1", "exit"],
 *   exitAction: 2,
 *   maxActions: 5,
 *   initialState: () => "",
 *   legalActions: (text) => text.length < 4 ? Uint8Array.of(1, 1, 0) : Uint8Array.of(0, 0, 1),
 *   step: (text, action) => `${text}${action}`,
 *   objectOf: (text) => text,
 *   logReward: (text) => Math.LN2 * [...text].filter((bit) => bit === "1").length,
 * });
 *
 * const policy = await gfn.createPolicy({ kind: "transformer", width: 16 }, bits, "seed 20");
 * const options = {
 *   objective: "trajectory_balance",
 *   settings: { learning_rate: { start: 0.02 }, replay: { capacity: 16 } },
 *   random: new gfn.RandomStream("seed 20", "train"),
 * };
 * for await (const { loss } of gfn.train(policy, bits, { ...options, steps: 150, batchSize: 16 })) {
 *   assert(Number.isFinite(loss));
 * }
 *
 * // All 16 objects are counted: how far are their probabilities from R / Z?
 * const target = gfn.ownTarget(bits);
 * const { totalVariation } = gfn.evaluateExactly(target, await gfn.policyMass(policy, target));
 * assert(totalVariation < 0.02, `${totalVariation}`);
 * ```
 *
 * Built-in objectives, policies, proposers and environments can be replaced: see {@linkcode defineObjective},
 * {@linkcode definePolicy}, {@linkcode defineProposer} and {@linkcode defineEnvironment}.
 *
 * @module
 */
export { z } from "../base/zod.ts";
export { type Diagnostic, InputError, MissingPartError } from "../base/diagnostic.ts";
export { RandomStream } from "../base/random.ts";

export {
  type ActionRows,
  type Actions,
  type BackwardPart,
  type Environment,
  type LegalActions,
  noPrompt,
  type Prompt,
  type StateFeatures,
  type TerminalObject,
  type WrittenIn,
} from "./environments/environment.ts";
export {
  freeTokens,
  type FreeTokenSource,
  type FreeTokenSpec,
} from "./environments/free_tokens.ts";
export { type ThinkingSpec, thoughtful, type ThoughtState } from "./environments/thoughts.ts";
export type { ThoughtfulBounds, ThoughtfulMass } from "./evaluation/thoughtful_mass.ts";
export { tokensOf, type TokenSource, type TokenSpec } from "./environments/tokens.ts";
export { type TriePlace } from "./environments/token_trie.ts";
export { maskOfRow, rowOfMask } from "./environments/legal_actions.ts";
export type { NamedTensor, TensorValues } from "../base/safetensors.ts";
export {
  customEnvironment,
  defineEnvironment,
  type EnvironmentDefinition,
  type OwnEnvironment,
} from "./environments/define_environment.ts";
export {
  checkEnvironment,
  type CheckEnvironmentOptions,
} from "./environments/check_environment.ts";
export { makeEnvironment, type PlainEnvironment } from "./environments/make_environment.ts";
export * from "./environments/built_in_environments.ts";
export { type StateGraph, stateGraph } from "./environments/state_graph.ts";

export * from "./grammar/mod.ts";

export { makeBatch } from "./trajectories/batch.ts";
export { estimateLogZ } from "./trajectories/log_z.ts";
export type {
  Batch,
  BatchBackward,
  BatchStates,
  ScoreGradients,
  Scores,
  Trajectory,
  Walked,
} from "./trajectories/trajectory.ts";

export {
  definePolicy,
  type OwnNetwork,
  type OwnRowNetwork,
  type OwnTensor,
  type PolicyDefinition,
  type PolicyStates,
  type PolicyTask,
  type RowPass,
} from "./policies/define_policy.ts";
export {
  defineProposer,
  isWay,
  type ProposerDefinition,
  type ProposerStep,
} from "./train/propose/define_proposer.ts";
export type { Known } from "./train/propose/best_known.ts";
export * from "./policies/create_policy.ts";
export { openPolicy, savePolicy } from "./policies/policy_directory.ts";
export type { Policy, SampleOptions, StepOptions } from "./policies/policy.ts";

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
export * from "./objectives/built_in_objectives.ts";

export type { Settings } from "./settings/read_settings.ts";

export { ReplayBuffer, type ReplayOptions } from "./replay/replay.ts";
export type { ReplayChoice } from "./replay/replay_choice.ts";
export type { ReplayEntry } from "./replay/replay_entry.ts";

export { Learning } from "./train/learning.ts";
export { rateAt } from "./train/schedule.ts";
export { train, type TrainingStep, type TrainOptions } from "./train/train.ts";
export { Trainer } from "./train/trainer.ts";
export { type TrainingSettings, trainingSettings } from "./train/training_settings.ts";

export { type Divergences, divergences } from "./evaluation/divergences.ts";
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
} from "./evaluation/exact.ts";
export { checkObjective, type CheckObjectiveOptions } from "./evaluation/check_objective.ts";
export { optimalFlow, optimalScores } from "./evaluation/optimal_flow.ts";
export { ownTarget } from "./evaluation/own_target.ts";
export type { KernelParameters } from "./evaluation/surrogate/production_kernel.ts";
export type { Described, ProductionSets } from "./evaluation/surrogate/production_sets.ts";
export type { Calibration } from "./evaluation/surrogate/calibration_factor.ts";
export {
  defaultSurrogate,
  RewardSurrogate,
  type ScoredObject,
  type SurrogateJson,
  type SurrogateOptions,
} from "./evaluation/surrogate/reward_surrogate.ts";
export type { Prediction } from "./evaluation/surrogate/reward_process.ts";

export { fitToTarget } from "./baselines/capacity_floor.ts";
export { metropolisHastings } from "./baselines/metropolis_hastings.ts";
export { trainBaseline } from "./baselines/trained_baseline.ts";
export { sequentialMonteCarlo } from "./baselines/sequential_monte_carlo.ts";

export {
  certifySamples,
  type CertifySamplesOptions,
  type ForeignPolicy,
} from "./certificates/certify_samples.ts";
