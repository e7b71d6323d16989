/** Training: batches, schedules, exploration, proposals. */
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
