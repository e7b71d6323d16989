/** From objects to judgements: by judges of executions, by oracles, or by both. */
import type { Execution } from "../../src/engine/score/execution/mod.ts";
import { type Judgement, logRewardOf } from "../../src/engine/score/judges/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { Target } from "../ports/values.ts";
import { type OracleObject, type OracleOpinion, oracleOpinions } from "./oracle_rewards.ts";

/** A judgement, and what oracles had to do with it. */
export interface ObjectJudgement extends Judgement {
  readonly oracles?: OracleOpinion;
}

/**
 * Judges every object. Oracles are asked of failed programs, too, as judges of the prior are.
 *
 * @param executions Those of the objects; none of a target that has no data.
 */
export async function judgeObjects(
  context: StageContext,
  target: Target,
  objects: readonly OracleObject[],
  executions: readonly Execution[] | undefined,
  purpose: "training" | "evaluation" = "evaluation",
): Promise<ObjectJudgement[]> {
  const { oracles = [] } = target;
  const opinions = oracles.length === 0
    ? []
    : await oracleOpinions(context, oracles, objects, purpose);
  return objects.map((object, i) => {
    const judged = executions && target.dataset
      ? logRewardOf(target.rule, executions[i], object, target.dataset)
      : untouched;
    if (opinions.length === 0) return judged;
    const more = opinions[i].logReward;
    const { logReward, unraised } = judged;
    const own = unraised !== undefined && { unraised: unraised + more };
    return { ...judged, logReward: logReward + more, ...own, oracles: opinions[i] };
  });
}

/** What judges say where there are none. */
const untouched: Judgement = { logReward: 0, raised: false, failed: false, components: {} };
