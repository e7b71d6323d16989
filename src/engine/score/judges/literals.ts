/** The judge `literals`: constants cost their digits. */
import { defineJudge, type Judge, scoreOf } from "./judge.ts";

/**
 * Minus the code length of the constants that a program's author chose, as far as the likelihood
 * depends on their digits. Digits that were searched or copied are charged one by one.
 */
export const literalsJudge: Judge = defineJudge({
  name: "literals",
  version: 2,
  uses: "execution",
  needsLiterals: true,
  judge(execution) {
    const { literals } = scoreOf(execution);
    if (literals === undefined) {
      throw new Error("internal: the judge literals met a score whose constants were not charged");
    }
    return { logReward: literals };
  },
});
