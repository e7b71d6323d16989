/** From objects to judgements: by judges of executions, by oracles, or by both. */
import type { Execution } from "../../src/engine/score/execution/mod.ts";
import {
  type JudgedProgram,
  type Judgement,
  logRewardOf,
  logRewardOfText,
} from "../../src/engine/score/judges/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { Target } from "../ports/values.ts";
import { askCritics } from "./ask_critics.ts";
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
  const scored = objects.map((_, i) => executions?.[i].score !== undefined || !target.dataset);
  const asked = objects.filter((_, i) => scored[i]);
  const said = (await askCritics(context, target, asked, purpose)).values();
  const silent = new Map<string, number>();
  const judgements = objects.map((object, i) => {
    const answers = scored[i] ? said.next().value : undefined;
    const judged = judgedBy(target, { ...object, ...(answers && { answers }) }, executions?.[i]);
    const { unanswered } = judged;
    if (unanswered) silent.set(unanswered, (silent.get(unanswered) ?? 0) + 1);
    if (opinions.length === 0) return judged;
    const more = opinions[i].logReward;
    const { logReward, unraised } = judged;
    const own = unraised !== undefined && { unraised: unraised + more };
    return { ...judged, logReward: logReward + more, ...own, oracles: opinions[i] };
  });
  for (const [judge, count] of silent) {
    const of = `${count} of ${objects.length} texts`;
    context.log(`${judge}: its critic gave no answer on ${of}, which have no score`, "warning");
  }
  return judgements;
}

function judgedBy(
  target: Target,
  object: JudgedProgram,
  execution: Execution | undefined,
): Judgement {
  if (!target.dataset) return target.rule ? logRewardOfText(target.rule, object) : untouched;
  return execution ? logRewardOf(target.rule, execution, object, target.dataset) : untouched;
}

/** Judgement where there are no judges. */
const untouched: Judgement = { logReward: 0, raised: false, failed: false, components: {} };
