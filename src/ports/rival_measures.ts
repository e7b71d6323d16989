/** What reinforcement learning reaches with as many evaluations as the policy's training had. */
import { inputError } from "../base/diagnostic.ts";
import { trainRival } from "../gfn/baselines/rival.ts";
import { evaluateExactly, policyMass } from "../gfn/exact.ts";
import { builtInObjectives } from "../gfn/objectives/mod.ts";
import { freshPolicy } from "../gfn/policies/mod.ts";
import type { StageContext } from "../runner/stage.ts";
import type { ScoredTarget } from "./enumerated.ts";
import type { RivalParams } from "./evaluate_params.ts";
import { divergenceMeasures } from "./evaluation_rows.ts";
import { exactly, type Measures } from "./measure.ts";
import type { TrainedPolicy } from "./values.ts";

/**
 * Exact divergences of each rival, whose name is the suffix.
 *
 * @param asked The budget, where it is not that of training.
 * @throws InputError if that budget fills no batch.
 */
export async function rivalMeasures(
  context: StageContext,
  target: ScoredTarget,
  { policy, distinctEvaluations, trajectories }: TrainedPolicy,
  { objectives, batch_size: batchSize, learning_rate: learningRate }: RivalParams,
  asked: number | undefined,
): Promise<Measures> {
  const budget = asked ?? distinctEvaluations;
  if (budget < batchSize) return withoutBatch(context, asked, budget, batchSize);
  const measures: Measures = {};
  for (const name of objectives) {
    const rival = await freshPolicy(policy, context.random(`parameters of rival ${name}`));
    if (!rival) {
      context.log("no rivals: a policy of one's own cannot be made anew here", "warning");
      return {};
    }
    const objective = builtInObjectives.get(name)!;
    const random = context.random(`rival ${name}`);
    const limits = { trajectories: Math.max(trajectories, budget), budget };
    const options = { objective, ...limits, batchSize, learningRate, random };
    const spent = await trainRival(rival, target, options);
    const result = evaluateExactly(target, await policyMass(rival, target));
    rival.dispose();
    Object.assign(measures, divergenceMeasures(result, `_${name}`));
    measures[`distinct_${name}`] = exactly(spent);
  }
  return measures;
}

/** A batch may hold as many objects as trajectories, so fewer evaluations may not pay for one. */
function withoutBatch(
  context: StageContext,
  asked: number | undefined,
  budget: number,
  batchSize: number,
): Measures {
  const what = `${budget} distinct evaluations fill no batch of ${batchSize}`;
  const hint = "raise budget, or lower rivals.batch_size";
  if (asked !== undefined) {
    throw inputError("evaluate/budget", `Cannot train rivals: ${what}`, undefined, hint);
  }
  context.log(`no rivals: ${what}`);
  return {};
}
