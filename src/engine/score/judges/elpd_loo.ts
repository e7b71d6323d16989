/** The judge `elpd_loo`: what leave-one-out cross-validation says. */
import { defineJudge, type Judge, scoreOf } from "./judge.ts";

/** ELPD-LOO after the density cap of the data's resolution. */
export const elpdLooJudge: Judge = defineJudge({
  name: "elpd_loo",
  version: 2,
  uses: "execution",
  judge(execution) {
    const { elpdReward, rewardMcse, mcse, pLoo } = scoreOf(execution);
    return { logReward: elpdReward, components: { mcse: rewardMcse ?? mcse, p_loo: pLoo } };
  },
});
