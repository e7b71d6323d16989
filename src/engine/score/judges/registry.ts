/** The judges that a target can name without a plug-in: a line each. */
export { elpdHoldoutJudge } from "./elpd_holdout.ts";
export { elpdLfoJudge } from "./elpd_lfo.ts";
export { elpdLooJudge } from "./elpd_loo.ts";
export { literalsJudge } from "./literals.ts";
export { logMarginalLikelihoodJudge } from "./log_marginal_likelihood.ts";
export { logPriorJudge } from "./log_prior.ts";
