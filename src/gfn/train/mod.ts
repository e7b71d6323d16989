/** Training: batches, schedules, exploration, proposals. */
export { distanceFromUniform, type TruthRank, truthRank } from "../amortised/truth_rank.ts";
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
  type Detected,
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
export { scoreProgram } from "../amortised/generalised/score_program.ts";
export { summariseData } from "../amortised/generalised/summarise_data.ts";
export type { OtherFamily, RegressionFamily } from "../amortised/regression_families.ts";
export type { ProgramScore } from "../amortised/linear_elpd.ts";
export { members, scoreSubset } from "../amortised/normal_regressions.ts";
export { everyProgram, type ProgramSummaries } from "../amortised/program_summaries.ts";
export type { AskedData } from "../amortised/data_prompt.ts";
export {
  type Answered,
  type AnyQuestionsSpec,
  environmentOfQuestions,
  questionsEnvironment,
  questionsOf,
  type QuestionsSpec,
} from "../amortised/questions.ts";
export {
  drawGrowth,
  type DrawnGrowth,
  type GrowthDraws,
  scoredByDraws,
  scoredGrowth,
  type UnscoredGrowth,
} from "../amortised/growth/draw_growth.ts";
export { type GrowthSimulation } from "../amortised/growth/growth_simulation.ts";
export { growthAnswers, growthPlace } from "../amortised/growth/growth_questions.ts";
export type { Sizes } from "../amortised/growth/mean_curves.ts";
export type { GrowthQuestionsSpec } from "../amortised/growth/growth_questions.ts";
export { growthCount } from "../amortised/growth/growth_places.ts";
export { growthFamilies } from "../amortised/growth/noises.ts";
export { type QuestionSpace, questionSpaces } from "../amortised/question_space.ts";
export { questionsKind, scoredFamilies, type SpaceKind } from "../amortised/questions_kind.ts";
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
export { type AmortiseOptions, amortiseStep, logAnswers, promptOf, spaceOf } from "./amortise.ts";
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
