/** The judge `elpd_loo`: ELPD by leave-one-out cross-validation. */
import { defineJudge, type Judge, scoreOf } from "./judge.ts";

/** ELPD-LOO, of recorded data by the cells that they were recorded in. */
export const elpdLooJudge: Judge = defineJudge({
  name: "elpd_loo",
  version: 2,
  uses: "execution",
  leavesOne: true,
  byDensity: true,
  judge(execution) {
    const { elpdReward, rewardMcse, mcse, pLoo } = scoreOf(execution);
    return { logReward: elpdReward, components: { mcse: rewardMcse ?? mcse, p_loo: pLoo } };
  },
});
