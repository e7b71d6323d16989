/** The evaluator: what the stage kind `evaluate_kl` does with a policy and a target. */
import { evaluateExactly, logPolicy, logPriorOf, logUniform } from "../gfn/exact.ts";
import { perfectSamplerFloor } from "../gfn/perfect_sampler.ts";
import type { StageContext } from "../runner/stage.ts";
import { type ScoredTarget, scoreEveryProgram } from "./enumerated.ts";
import {
  attributionRows,
  divergenceMeasures,
  enumerationRows,
  evaluationRows,
  inclusionRows,
  type Measure,
  targetMeasures,
} from "./evaluation_rows.ts";
import type { Evaluation, Target, TrainedPolicy } from "./values.ts";

/** Parameters of `evaluate_kl`, as its schema gives them. */
export interface EvaluateParams {
  readonly worst_prefixes: number;
  readonly floor_repetitions: number;
}

interface EvaluateInputs {
  readonly policy: TrainedPolicy;
  readonly target: Target;
  readonly compare?: Readonly<Record<string, TrainedPolicy>>;
}

/** Keeps the enumerated target between the steps of a loop. */
export class Evaluator {
  #scored: ScoredTarget | undefined;

  constructor(readonly params: EvaluateParams) {}

  async run(
    context: StageContext,
    { policy, target, compare = {} }: EvaluateInputs,
  ): Promise<{ readonly evaluation: Evaluation }> {
    const scored = this.#scored ??= await scoreEveryProgram(context, target);
    const logP = await logPolicy(policy.policy, scored);
    const result = evaluateExactly(scored, logP, this.params.worst_prefixes);
    const measures: Record<string, Measure> = {
      ...divergenceMeasures(result),
      ...targetMeasures(scored, policy, target.schedule.targetMcse),
    };
    if (context.step === 0) {
      Object.assign(measures, await comparisons(scored, compare));
      Object.assign(measures, this.#floor(context, scored, policy));
      context.rows("enumeration", enumerationRows(scored, logP));
      context.rows("inclusion", inclusionRows(scored, logPriorOf(scored), logP));
    }
    context.rows("attribution", attributionRows(result));
    context.rows("evaluation", evaluationRows(measures, policy, scored.objects.length));
    context.progress({ kl: result.klTargetPolicy, tv: result.totalVariation });
    return { evaluation: { measures } };
  }

  /** What a perfect sampler shows after as many trajectories as the policy learned from. */
  #floor(context: StageContext, scored: ScoredTarget, policy: TrainedPolicy) {
    const { floor_repetitions: repetitions } = this.params;
    if (repetitions === 0 || policy.trajectories === 0) return {};
    const random = context.random("perfect sampler");
    const floor = perfectSamplerFloor(scored.logTarget, policy.trajectories, repetitions, random);
    return {
      tv_floor: floor.totalVariation,
      kl_policy_target_floor: floor.klEmpiricalTarget,
      distinct_floor: floor.distinct,
    };
  }
}

/** The same measures of uniform choice, of the prior, and of every policy to compare with. */
async function comparisons(
  scored: ScoredTarget,
  compare: Readonly<Record<string, TrainedPolicy>>,
): Promise<Record<string, Measure>> {
  const measures = {
    ...divergenceMeasures(evaluateExactly(scored, logUniform(scored)), "_uniform"),
    ...divergenceMeasures(evaluateExactly(scored, logPriorOf(scored)), "_prior"),
  };
  for (const [name, { policy }] of Object.entries(compare)) {
    const logP = await logPolicy(policy, scored);
    Object.assign(measures, divergenceMeasures(evaluateExactly(scored, logP), `_${name}`));
  }
  return measures;
}
