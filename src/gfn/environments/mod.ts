/** Environments, and trajectories through them. */
export { checkEnvironment, type CheckEnvironmentOptions } from "./check_environment.ts";
export { builtInEnvironments } from "./built_in_environments.ts";
export { conjugatePrograms, type ConjugateProgramsSpec } from "./conjugate_programs.ts";
export {
  customEnvironment,
  type CustomSpec,
  defineEnvironment,
  type EnvironmentDefinition,
  isEnvironmentDefinition,
  type OwnEnvironment,
} from "./define_environment.ts";
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
  type ThoughtPart,
  tooLong,
  type WrittenIn,
} from "./environment.ts";
export {
  brokenAs,
  freeTokens,
  type FreeTokenSource,
  type FreeTokenSpec,
  writesFreely,
} from "./free_tokens.ts";
export { legalIn, maskOfRow, placeIn } from "./legal_actions.ts";
export { readStringTable } from "./string_table.ts";
export { sequencesEnvironment, type SequencesSpec } from "./sequences.ts";
export { strings } from "./strings.ts";
export { type ThinkingSpec, thoughtful } from "./thoughts.ts";
export { type TextRules, TokenMask } from "./token_mask.ts";
export { tokensEnvironment, tokensKind, tokensOf, type TokenSpec } from "./tokens.ts";
export { entryOf, type ReplayEntry } from "../replay/replay_entry.ts";
export { makeBatch, terminablePrefixes } from "../trajectories/batch.ts";
export type {
  Batch,
  BatchBackward,
  BatchStates,
  ScoreGradients,
  Scores,
  Trajectory,
  Walked,
} from "../trajectories/trajectory.ts";
export type { BitSequenceSpec } from "./bit_sequence.ts";
export type { Choices } from "./conjugate_programs.ts";
export type { ExpressionSpec, Stack } from "./expression.ts";
export type { Broken, TokenState } from "./free_tokens.ts";
export type { HypergridSpec } from "./hypergrid.ts";
export type { NumbersSpec, Value } from "./numbers.ts";
export type { PrefixTree } from "./prefix_tree.ts";
export type { StringsSpec } from "./strings.ts";
export type { MaskTokens } from "./token_mask.ts";
export type { ThoughtState } from "./thoughts.ts";
export type { TokenPlace } from "./tokens.ts";
export type { TreeState } from "./tree.ts";
export type { Eviction } from "../replay/replay.ts";
export type { StateLogRewards } from "../trajectories/batch.ts";
