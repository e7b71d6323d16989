/** The judge `elpd_lfo`: ELPD by leave-future-out cross-validation. */
import { defineJudge, type Judge, scoreOf } from "./judge.ts";

/**
 * ELPD of each row given the rows before it (Bürkner, Gabry and Vehtari 2020), of recorded data by the cells that
 * they were recorded in.
 */
export const elpdLfoJudge: Judge = defineJudge({
  name: "elpd_lfo",
  version: 1,
  uses: "execution",
  needsTime: true,
  byDensity: true,
  judge(execution) {
    const { elpdReward, rewardMcse, mcse, unit } = scoreOf(execution);
    if (unit !== "future") {
      throw new Error("internal: the judge elpd_lfo met a score of another kind");
    }
    return { logReward: elpdReward, components: { mcse: rewardMcse ?? mcse } };
  },
});
