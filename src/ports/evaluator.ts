/** The evaluator: what the stage kind `evaluate_kl` does with a policy and what it is held against. */
import { inputError } from "../base/diagnostic.ts";
import type { Environment } from "../gfn/environment.ts";
import {
  evaluateExactly,
  logPriorOf,
  logUniform,
  type PolicyMass,
  policyMass,
} from "../gfn/exact.ts";
import type { StageContext } from "../runner/stage.ts";
import { baselineMeasures } from "./baseline_measures.ts";
import { enumerateUpTo, type ScoredTarget, scoreEveryObject } from "./enumerated.ts";
import { evaluateBySampling } from "./evaluate_by_sampling.ts";
import type { EvaluateParams } from "./evaluate_params.ts";
import {
  agreementMeasures,
  attributionRows,
  divergenceMeasures,
  enumerationRows,
  evaluationRows,
  inclusionRows,
  targetMeasures,
} from "./evaluation_rows.ts";
import { capacityFloor, samplerFloor } from "./floors.ts";
import type { Measures } from "./measure.ts";
import { describeReferences } from "./references.ts";
import { rivalMeasures } from "./rival_measures.ts";
import { targetNoise } from "./target_noise.ts";
import type { Evaluation, Target, TrainedPolicy } from "./values.ts";

export type { EvaluateParams } from "./evaluate_params.ts";

interface EvaluateInputs {
  readonly policy: TrainedPolicy;
  readonly target?: Target;
  readonly environment?: Environment;
  readonly compare?: Readonly<Record<string, TrainedPolicy>>;
}

/** Keeps the enumerated target between the steps of a loop. */
export class Evaluator {
  #scored: ScoredTarget | "too large" | undefined;

  constructor(readonly params: EvaluateParams) {}

  async run(
    context: StageContext,
    inputs: EvaluateInputs,
  ): Promise<{ readonly evaluation: Evaluation }> {
    const environment = subjectOf(inputs);
    const scored = this.#scored ??= await this.#score(context, environment, inputs.target);
    const measures = scored === "too large"
      ? await this.#estimate(context, environment, inputs)
      : await this.#count(context, scored, inputs);
    if (context.step === 0) remark(context, inputs.policy);
    return { evaluation: { measures } };
  }

  async #score(context: StageContext, environment: Environment, target: Target | undefined) {
    const limit = this.params.enumerate_at_most;
    const objects = enumerateUpTo(environment, limit);
    if (objects) return await scoreEveryObject(context, objects, { environment, target });
    context.log(`too many objects to count (enumerate_at_most = ${limit}): estimated`);
    return "too large" as const;
  }

  async #estimate(context: StageContext, environment: Environment, inputs: EvaluateInputs) {
    const { policy, target } = inputs;
    const { sampling } = this.params;
    const measures = await evaluateBySampling(context, policy, { environment, target }, sampling);
    context.rows("evaluation", evaluationRows(measures, policy, sampling.samples));
    context.progress({ elbo_gap: measures.elbo_gap.value });
    return measures;
  }

  async #count(
    context: StageContext,
    scored: ScoredTarget,
    { policy, target, compare = {} }: EvaluateInputs,
  ): Promise<Measures> {
    const mass = await policyMass(policy.policy, scored);
    const result = evaluateExactly(scored, mass, this.params.worst_prefixes);
    const measures: Measures = {
      ...divergenceMeasures(result),
      ...agreementMeasures(scored, mass.logP),
      ...targetMeasures(scored, policy, target?.schedule.targetMcse ?? 0),
    };
    if (context.step === 0) {
      Object.assign(measures, await comparisons(scored, compare));
      Object.assign(measures, await this.#beside(context, scored, policy, target));
      describe(context, scored, mass);
      describeReferences(context, scored, mass.logP, this.params.references ?? []);
    }
    context.rows("attribution", attributionRows(result));
    context.rows("evaluation", evaluationRows(measures, policy, scored.objects.length));
    context.progress({ kl: result.klTargetPolicy, tv: result.totalVariation });
    return measures;
  }

  /** Floors, baselines, and the target's own noise. */
  async #beside(
    context: StageContext,
    scored: ScoredTarget,
    policy: TrainedPolicy,
    target: Target | undefined,
  ): Promise<Measures> {
    const { floor_repetitions, baseline_repetitions: repetitions, budget } = this.params;
    const { capacity, rivals, target_noise: noise } = this.params;
    return {
      ...samplerFloor(context, scored, policy, floor_repetitions),
      ...baselineMeasures(context, scored, policy, { repetitions, budget }),
      ...(rivals ? await rivalMeasures(context, scored, policy, rivals, budget) : {}),
      ...(capacity ? await capacityFloor(context, scored, policy, capacity) : {}),
      ...(noise && target ? await targetNoise(context, scored, target, noise) : {}),
    };
  }
}

/** @throws InputError unless exactly one of target and environment is wired. */
function subjectOf({ target, environment }: EvaluateInputs): Environment {
  const given = target?.environment ?? environment;
  if (given && !(target && environment)) return given;
  const what = given ? "both a target and an environment" : "neither a target nor an environment";
  const hint = 'wire target = "…", or environment = "…" if it states its own log reward';
  throw inputError("evaluate/subject", `Cannot evaluate against ${what}`, undefined, hint);
}

/** Says what puts the optimum elsewhere than R / Z, for the certificate and for people. */
function remark(context: StageContext, { movesOptimum = [] }: TrainedPolicy): void {
  const about = { level: "warning", kind: "moves_optimum" };
  context.rows("event", movesOptimum.map((message) => ({ ...about, message })));
  for (const message of movesOptimum) context.log(message, "warning");
}

function describe(context: StageContext, scored: ScoredTarget, { logP }: PolicyMass): void {
  context.rows("enumeration", enumerationRows(scored, logP));
  context.rows("inclusion", inclusionRows(scored, logPriorOf(scored), logP));
}

/** The same measures of uniform choice, of the prior, and of every policy to compare with. */
async function comparisons(
  scored: ScoredTarget,
  compare: Readonly<Record<string, TrainedPolicy>>,
): Promise<Measures> {
  const measures: Measures = {
    ...divergenceMeasures(evaluateExactly(scored, logUniform(scored)), "_uniform"),
    ...divergenceMeasures(evaluateExactly(scored, logPriorOf(scored)), "_prior"),
  };
  for (const [name, { policy }] of Object.entries(compare)) {
    const mass = await policyMass(policy, scored);
    Object.assign(measures, divergenceMeasures(evaluateExactly(scored, mass), `_${name}`));
  }
  return measures;
}
