/** Whether a learner can be made of its parameters, before anything is learnt. */
import { checkObjective } from "../../src/gfn/evaluation/mod.ts";
import { builtInObjectives } from "../../src/gfn/objectives/mod.ts";
import { Learning, requireFresh, requireReplay } from "../../src/gfn/train/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { atParameter } from "../common/at_parameter.ts";
import { findObjective, type LearnParams, objectiveParameters } from "./params.ts";

/**
 * @param begins Whether it is to begin with known rewards.
 * @throws InputError about the objective or its parameters, and where one that is named by path breaks
 *   a rule of objectives.
 */
export async function checkLearner(
  context: StageContext,
  params: LearnParams,
  begins = false,
): Promise<void> {
  if (begins) await atParameter(["replay"], () => requireReplay(params));
  await atParameter(["objective"], () => {
    const objective = findObjective(params.objective, context);
    const parameters = objectiveParameters(objective, params);
    new Learning(objective, parameters, params);
    if (!builtInObjectives.has(params.objective)) checkObjective(objective, { parameters });
    requireFresh(objective, params, context.staleness);
  });
}
