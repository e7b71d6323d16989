/** Training: batches, schedules, exploration, proposals. */
export { askedData, dataPrompt } from "../amortised/data_prompt.ts";
export {
  type DataSets,
  decodeDataSets,
  drawDataSets,
  type DrawOptions,
  encodeDataSets,
  scoreData,
  type ScoredData,
} from "../amortised/data_sets.ts";
export {
  type Detector,
  type DetectorBin,
  type Likeness,
  likeness,
  makeDetector,
} from "../amortised/detector.ts";
export { type LossName, lossNames } from "../amortised/loss_names.ts";
export {
  type AnswerMeasures,
  calibrationError,
  inclusionOf,
  measureAnswer,
  normalised,
  rankedAt,
} from "../amortised/measures.ts";
export { members, scoreSubset, type SubsetScore } from "../amortised/normal_regressions.ts";
export { everyProgram, type ProgramSummaries } from "../amortised/program_summaries.ts";
export type { AskedData } from "../amortised/data_prompt.ts";
export { type Answered, questionsEnvironment, type QuestionsSpec } from "../amortised/questions.ts";
export { questionsKind } from "../amortised/questions_kind.ts";
export { drawRows, type SimulatedRows } from "../amortised/simulated.ts";
export { mostPredictors, type Simulation, simulation } from "../amortised/simulation.ts";
export { type RawRows, type StandardRows, standardRows } from "../amortised/standard_rows.ts";
export { type DataSummary, summarise } from "../amortised/summary.ts";
export {
  type AmortisedCard,
  type AmortisedFile,
  readAmortised,
  writeAmortised,
} from "./amortised_file.ts";
export { type AmortiseOptions, amortiseStep, logAnswers, promptOf } from "./amortise.ts";
export type { Course } from "./course.ts";
export { type Learned, Learning, requireReplay } from "./learning.ts";
export { ownLogRewards } from "./own_entries.ts";
export { promptsInTurn } from "./prompts_in_turn.ts";
export type { Known } from "./propose/best_known.ts";
export {
  defineProposer,
  isProposerDefinition,
  isWay,
  type ProposerDefinition,
  type ProposerStep,
} from "./propose/define_proposer.ts";
export { type LocalSearch, type OwnProposer, type Proposed, Proposer } from "./propose/proposer.ts";
export { type LearningRate, rateAt } from "./schedule.ts";
export { requireFresh } from "./stale_batches.ts";
export type { Moment } from "./learning.ts";
export type { LogZEstimates } from "./log_z_estimates.ts";
export type { ProposeStep } from "./propose/proposer.ts";
export type { Stride, Update } from "./trainer.ts";
export type { LogZSource, LogZStart } from "./log_z_estimate.ts";
