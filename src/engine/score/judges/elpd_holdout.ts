/** The judge `elpd_holdout`: rows that no program has seen. */
import { defineJudge, type Judge, scoreOf } from "./judge.ts";

/**
 * ELPD of rows that no program has seen, of recorded data by their cells. A program that cannot be carried
 * over to other rows predicts nothing there: its log reward is the least that a scored program can have.
 */
export const elpdHoldoutJudge: Judge = defineJudge({
  name: "elpd_holdout",
  version: 1,
  uses: "execution",
  needsHoldout: true,
  byDensity: true,
  judge(execution) {
    const { elpdHoldout, holdoutMcse } = scoreOf(execution);
    if (elpdHoldout === undefined) return { logReward: -Infinity };
    return {
      logReward: elpdHoldout,
      ...(holdoutMcse !== undefined && { components: { mcse: holdoutMcse } }),
    };
  },
});
