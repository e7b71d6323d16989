/** Whether a learner can be made of its parameters, before anything is learnt. */
import { Learning, requireFresh, requireReplay } from "../../src/gfn/train/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { atParameter } from "../common/at_parameter.ts";
import { findObjective, type LearnParams, objectiveParameters } from "./params.ts";

/**
 * @param begins Whether it is to begin with known rewards.
 * @throws InputError about the objective or its parameters.
 */
export async function checkLearner(
  context: StageContext,
  params: LearnParams,
  begins = false,
): Promise<void> {
  if (begins) await atParameter(["replay"], () => requireReplay(params));
  await atParameter(["objective"], () => {
    const objective = findObjective(params.objective, context);
    new Learning(objective, objectiveParameters(objective, params), params);
    requireFresh(objective, params, context.staleness);
  });
}
