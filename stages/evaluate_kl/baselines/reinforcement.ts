/** Baselines by reinforcement learning, with as many evaluations as the policy's training had. */
import { inputError } from "../../../src/base/diagnostic.ts";
import { evaluateExactly, policyMass, trainBaseline } from "../../../src/gfn/evaluation/mod.ts";
import { objectiveNamed } from "../../../src/gfn/objectives/mod.ts";
import { freshPolicy } from "../../../src/gfn/policies/built_in/mod.ts";
import type { StageContext } from "../../../src/pipeline/contract/mod.ts";
import type { ScoredTarget } from "../../evaluation/enumerated.ts";
import type { TrainedBaselineParams } from "../params.ts";
import { divergenceMeasures } from "../../evaluation/evaluation_rows.ts";
import { exactly, type Measure, measuresOf } from "../../evaluation/measure.ts";
import { trainedBaselineSubject } from "../../evaluation/subjects.ts";
import type { TrainedPolicy } from "../../ports/values.ts";

/**
 * Exact divergences of fresh networks, each trained by one objective of reinforcement learning.
 *
 * @param asked The budget, where it is not that of training.
 * @throws InputError if that budget fills no batch.
 */
export async function reinforcementMeasures(
  context: StageContext,
  target: ScoredTarget,
  { policy, distinctEvaluations, trajectories }: TrainedPolicy,
  { objectives, batch_size: batchSize, learning_rate: learningRate }: TrainedBaselineParams,
  asked: number | undefined,
): Promise<Measure[]> {
  const budget = asked ?? distinctEvaluations;
  if (budget < batchSize) return withoutBatch(context, asked, budget, batchSize);
  const measures: Measure[] = [];
  for (const name of objectives) {
    const baseline = await freshPolicy(policy, context.random(`parameters of rival ${name}`));
    if (!baseline) {
      context.log("no rivals: a policy of one's own cannot be created again here", "warning");
      return [];
    }
    const objective = objectiveNamed(name);
    const random = context.random(`rival ${name}`);
    const limits = { trajectories: Math.max(trajectories, budget), budget };
    const options = { objective, ...limits, batchSize, learningRate, random };
    const spent = await trainBaseline(baseline, target, options);
    const result = evaluateExactly(target, await policyMass(baseline, target));
    baseline.dispose();
    const subject = trainedBaselineSubject(name);
    measures.push(...divergenceMeasures(subject, result));
    measures.push(...measuresOf(subject, { distinct: exactly(spent) }));
  }
  return measures;
}

/** A batch may hold as many objects as trajectories, so fewer evaluations may not pay for one. */
function withoutBatch(
  context: StageContext,
  asked: number | undefined,
  budget: number,
  batchSize: number,
): Measure[] {
  const what = `${budget} distinct evaluations fill no batch of ${batchSize}`;
  const hint = "raise budget, or lower rivals.batch_size";
  if (asked !== undefined) {
    throw inputError("evaluate/budget", `Cannot train rivals: ${what}`, undefined, hint);
  }
  context.log(`no rivals: ${what}`);
  return [];
}
