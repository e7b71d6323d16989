/** The judge `log_marginal_likelihood`: the evidence, by which Bayesian model averaging weighs. */
import { defineJudge, type Judge, scoreOf } from "./judge.ts";

/** log p(y), of recorded data by the cells that they were recorded in. */
export const logMarginalLikelihoodJudge: Judge = defineJudge({
  name: "log_marginal_likelihood",
  version: 1,
  uses: "execution",
  needsEvidence: true,
  byDensity: true,
  judge(execution) {
    const { logMarginalLikelihood, evidenceMcse = 0 } = scoreOf(execution);
    if (logMarginalLikelihood === undefined) throw new Error("internal: a score without evidence");
    return { logReward: logMarginalLikelihood, components: { mcse: evidenceMcse } };
  },
});
