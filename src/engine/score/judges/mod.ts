/** Judges: log rewards of executions. */
export type {
  CriticAnswer,
  CriticAnswers,
  CriticQuestion,
  CriticSettings,
} from "./critic_question.ts";
export type { FormatSettings } from "./format.ts";
export type { LlmCriticSettings } from "./llm_critic.ts";
export type { AskedCriterion, CodeCriterion, Criterion, RubricSettings } from "./rubric.ts";
export { elpdLfoJudge } from "./elpd_lfo.ts";
export {
  builtInJudges,
  defineJudge,
  elpdHoldoutJudge,
  elpdLooJudge,
  isJudge,
  type Judge,
  type JudgedProgram,
  type Judgement,
  literalsJudge,
  logMarginalLikelihoodJudge,
  logPriorJudge,
  logRewardOf,
  logRewardOfText,
  nullProgram,
  type Opinion,
  type RewardRule,
  settledJudge,
  settledJudgeNames,
  type SettledJudgeSpec,
  type TextJudgeSpec,
} from "./reward.ts";
