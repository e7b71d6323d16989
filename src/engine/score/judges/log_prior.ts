/** The judge `log_prior`: the log prior of the environment. */
import { defineJudge, type Judge } from "./judge.ts";

/** The log prior of the program under its environment. */
export const logPriorJudge: Judge = defineJudge({
  name: "log_prior",
  version: 1,
  uses: "prior",
  judge: (_execution, { logPrior }) => ({ logReward: logPrior }),
});
