/** The reward of pipelines that are written for their users: pseudo-BMA with a prior over programs. */
import {
  elpdLfoJudge,
  elpdLooJudge,
  logMarginalLikelihoodJudge,
  logPriorJudge,
} from "../engine/score/judges/mod.ts";

/** Score that weights programs: predictions of rows left out, or of all rows before any was seen. */
export type ScoreChoice = "elpd" | "evidence";

/** `log_reward = …` of a stage of kind `target`. */
export const pseudoBma =
  `log_reward = [{ judge = "${elpdLooJudge.name}" }, { judge = "${logPriorJudge.name}" }]`;

/** The reward that Bayesian model averaging has: evidence with a prior over programs. */
export const bayesian =
  `log_reward = [{ judge = "${logMarginalLikelihoodJudge.name}" }, { judge = "${logPriorJudge.name}" }]`;

/** Log reward where rows follow each other in time, and are judged by those before them. */
export function pseudoBmaInTime(column: string): string {
  return `time = ${JSON.stringify(column)}\n` +
    `log_reward = [{ judge = "${elpdLfoJudge.name}" }, { judge = "${logPriorJudge.name}" }]`;
}
