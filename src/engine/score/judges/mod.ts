/** Judges: log rewards of executions. */
export { elpdLfoJudge } from "./elpd_lfo.ts";
export {
  builtInJudges,
  defineJudge,
  elpdLooJudge,
  isJudge,
  type Judge,
  type JudgedProgram,
  type Judgement,
  literalsJudge,
  logMarginalLikelihoodJudge,
  logPriorJudge,
  logRewardOf,
  nullProgram,
  type Opinion,
  type RewardRule,
} from "./reward.ts";
