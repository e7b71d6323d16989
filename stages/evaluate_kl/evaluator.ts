/** The evaluator: the stage kind `evaluate_kl` compares a policy with its targets and baselines by it. */
import { inputError } from "../../src/base/diagnostic.ts";
import { exp } from "../../src/numerics/math/mod.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import {
  evaluateExactly,
  type ExactEvaluation,
  logPriorOf,
  type PolicyMass,
  policyMass,
} from "../../src/gfn/evaluation/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { baselineMeasures } from "./baselines/mod.ts";
import { enumerateUpTo, type ScoredTarget, scoreEveryObject } from "../evaluation/enumerated.ts";
import { boundsOf, sampledCertificate } from "./certificate.ts";
import { countBudget, defaultCount } from "./count_budget.ts";
import { evaluateBySampling } from "./evaluate_by_sampling.ts";
import { AnswersEvaluator } from "./evaluate_prompts.ts";
import { fromBothSides } from "./from_both_sides.ts";
import type { EvaluateParams } from "./params.ts";
import {
  agreementMeasures,
  attributionRows,
  bounded,
  divergenceMeasures,
  enumerationRows,
  evaluationRows,
  inclusionRows,
  targetMeasures,
} from "../evaluation/evaluation_rows.ts";
import { candidateRow, candidatesOf, ownLogReward, spaceEvent } from "../evaluation/candidates.ts";
import { describeConfirmation } from "../evaluation/confirmation.ts";
import { describeUnits } from "../evaluation/both_units.ts";
import { describeEffects, type ScoredProgram } from "../evaluation/effects.ts";
import { describePriorMoves } from "../evaluation/prior_moves.ts";
import { exactly, type Measure, measuresOf, type Quantities } from "../evaluation/measure.ts";
import { modelMeasures } from "../evaluation/model_measures.ts";
import { describeReferences } from "./references.ts";
import { PromptTargets } from "../common/prompt_targets.ts";
import { subjectOf } from "../common/subject_of.ts";
import { policySubject } from "../evaluation/subjects.ts";
import type {
  Evaluation,
  ProgramTarget,
  Prompts,
  ScoredSet,
  Surrogate,
  Target,
  TrainedPolicy,
} from "../ports/values.ts";
import { requireInformed } from "../target/author.ts";
import { unboundedRemark } from "../target/unbounded_reward.ts";

export type { EvaluateParams } from "./params.ts";

interface EvaluateInputs {
  readonly policy: TrainedPolicy;
  readonly target?: Target;
  /** By the ids of prompts. */
  readonly targets?: Readonly<Record<string, Target>>;
  readonly environment?: Environment;
  readonly compare?: Readonly<Record<string, TrainedPolicy>>;
  readonly scored?: ScoredSet;
  readonly surrogate?: Surrogate;
  readonly prompts?: Prompts;
}

const subjectCalled = { code: "evaluate/subject", cannot: "evaluate against" };

/** Keeps the enumerated target between the steps of a loop. */
export class Evaluator {
  #scored: ScoredTarget | "too large" | undefined;
  #answers: AnswersEvaluator | undefined;

  constructor(readonly params: EvaluateParams) {}

  async run(
    context: StageContext,
    inputs: EvaluateInputs,
  ): Promise<{ readonly evaluation: Evaluation }> {
    if (inputs.prompts) {
      const measures = await this.#ofAnswers(context, { ...inputs, prompts: inputs.prompts });
      return { evaluation: { measures } };
    }
    if (inputs.targets) throw withoutPrompts();
    const environment = subjectOf(inputs, subjectCalled);
    if (inputs.target) requireInformed(inputs.target, inputs.policy.shown);
    const scored = this.#scored ??= await this.#score(context, environment, inputs.target);
    const measures = scored === "too large"
      ? await this.#estimate(context, environment, inputs)
      : await this.#count(context, scored, inputs);
    const { policy, target } = inputs;
    if (context.step === 0) remark(context, policy, target ? [target] : []);
    return { evaluation: { measures } };
  }

  async #ofAnswers(
    context: StageContext,
    inputs: EvaluateInputs & { readonly prompts: Prompts },
  ): Promise<Measure[]> {
    const { target, targets: byPrompt, ...rest } = inputs;
    const isOwn = !target && !byPrompt;
    const targets = isOwn ? undefined : new PromptTargets(inputs, "evaluate");
    const subject = { ...inputs, ...(targets && { target: targets.all[0] }) };
    const environment = subjectOf(subject, subjectCalled);
    const all = targets?.all ?? [];
    for (const one of all) requireInformed(one, inputs.policy.shown);
    const { enumerate_at_most: most, count = defaultCount } = this.params;
    const { limit } = countBudget(most, count, !isOwn);
    this.#answers ??= new AnswersEvaluator(Math.floor(limit / Math.max(1, all.length)));
    const answers = { ...rest, environment, ...(targets && { targets }) };
    const measures = await this.#answers.run(context, answers);
    if (context.step === 0) remark(context, inputs.policy, all);
    return measures;
  }

  async #score(context: StageContext, environment: Environment, target: Target | undefined) {
    const { enumerate_at_most: most, count = defaultCount } = this.params;
    const budget = countBudget(most, count, target !== undefined);
    const objects = enumerateUpTo(environment, budget.limit);
    if (!objects && environment.thoughts) throw unlistedBehindThoughts();
    if (objects) return await scoreEveryObject(context, objects, { environment, target });
    const { message, row } = budget.refusal(environment);
    context.log(message);
    context.rows("event", [row]);
    return "too large" as const;
  }

  async #estimate(context: StageContext, environment: Environment, inputs: EvaluateInputs) {
    const { policy, target, scored, surrogate } = inputs;
    const { sampling } = this.params;
    const rewarded = { environment, target, scored, surrogate };
    const both = context.step === 0
      ? await fromBothSides(context, policy, rewarded, this.params)
      : {};
    const estimates = context.step === 0
      ? await sampledCertificate(context, policy, rewarded, this.params)
      : await evaluateBySampling(context, policy, rewarded, sampling);
    const measures = measuresOf(policySubject, { ...estimates, ...both });
    context.rows("evaluation", evaluationRows(measures, policy, sampling.samples));
    context.progress({ elbo_gap: estimates.elbo_gap.value });
    return measures;
  }

  async #count(
    context: StageContext,
    scored: ScoredTarget,
    { policy, target, compare, scored: given, surrogate }: EvaluateInputs,
  ): Promise<Measure[]> {
    const mass = await policyMass(policy.policy, scored);
    const result = evaluateExactly(scored, mass, this.params.worst_prefixes);
    const measures = [
      ...divergenceMeasures(policySubject, result),
      ...agreementMeasures(scored, mass.logP),
      ...modelMeasures(scored, mass.logP),
      ...targetMeasures(scored, policy, target?.dataset ? target.schedule.targetMcse : 0),
      ...measuresOf(policySubject, countedCertificate(scored, result)),
    ];
    if (context.step === 0) {
      const evaluated = { scored, policy, target, compare, given, surrogate };
      const rewarded = { environment: scored.environment, target };
      const both = await fromBothSides(context, policy, rewarded, this.params);
      measures.push(...measuresOf(policySubject, both));
      measures.push(...await baselineMeasures(context, evaluated, this.params));
      describe(context, scored, mass);
      if (target?.dataset) await describeSpace(context, scored, target);
      describeReferences(context, scored, mass.logP, this.params.references ?? []);
    }
    context.rows("attribution", attributionRows(result));
    context.rows("evaluation", evaluationRows(measures, policy, scored.objects.length));
    context.progress({ kl: result.klTargetPolicy, tv: result.totalVariation });
    return measures;
  }
}

/** Reports causes that move the optimum away from R / Z, and unbounded rewards, in certificate and log. */
function remark(
  context: StageContext,
  { movesOptimum = [] }: TrainedPolicy,
  targets: readonly Target[],
) {
  for (const target of targets) {
    const unbounded = target.dataset &&
      unboundedRemark(target.dataset, target.terms.map(({ judge }) => judge));
    if (!unbounded) continue;
    context.rows("event", [{ level: "warning", kind: "unbounded_reward", message: unbounded }]);
    context.log(unbounded, "warning");
  }
  const about = { level: "warning", kind: "moves_optimum" };
  context.rows("event", movesOptimum.map((message) => ({ ...about, message })));
  for (const message of movesOptimum) context.log(message, "warning");
}

function unlistedBehindThoughts() {
  const message =
    "Cannot evaluate objects behind thoughts: they are too many to count, and bounds on the " +
    "divergence of free texts do not cover thoughts";
  const hint = "lift an environment that can be enumerated, or measure answers by a benchmark";
  return inputError("evaluate/thoughts", message, undefined, hint);
}

function withoutPrompts() {
  const message = "Cannot evaluate against targets of prompts: no prompts are wired";
  const hint = 'wire prompts = "…" as well, or one target = "…" among the inputs';
  return inputError("evaluate/subject", message, undefined, hint);
}

/** Writes the models of the space: a row for each, whose first member with a score represents it. */
async function describeSpace(
  context: StageContext,
  scored: ScoredTarget,
  target: ProgramTarget,
): Promise<void> {
  const space = candidatesOf(scored.environment, scored.objects);
  const places = new Map(scored.objects.map((object, i) => [object, i]));
  context.rows("event", [spaceEvent(space, target)]);
  const programs: ScoredProgram[] = [];
  const rows = space.candidates.map((one) => {
    const tried = one.members.map((object) => {
      const i = places.get(object)!;
      const stands = scored.standing![i].object;
      const judgement = scored.judgements![i];
      return { object: stands, execution: scored.executions![i], judgement };
    });
    const valid = tried.filter(({ execution }) => execution.score);
    const judgements = valid.map(({ judgement }) => judgement);
    const logReward = ownLogReward(judgements);
    if (logReward > -Infinity) {
      programs.push({ index: one.index, object: valid[0].object, logReward });
    }
    return candidateRow(one, { ...valid[0] ?? tried[0], judgements }, target);
  });
  context.rows("candidate", rows);
  await describeEffects(context, target, space.meaning, programs);
  await describePriorMoves(context, target, space, programs);
  await describeUnits(context, target, space.meaning, programs);
  await describeConfirmation(context, target, programs);
}

/** Where everything was counted, bounds are what they bound; thoughts of the policy bound it themselves. */
function countedCertificate(scored: ScoredTarget, of: ExactEvaluation): Quantities {
  return {
    ...boundsOf(bounded([of], "totalVariation")),
    log_z_lower: exactly(scored.logZ),
    log_reward_mcse: exactly(rewardError(scored)),
  };
}

/** Root mean square error of the log rewards, weighed by the target; 0 where they are stated. */
function rewardError({ executions, logTarget }: ScoredTarget): number {
  const square = (executions ?? []).reduce((sum, { score }, x) => {
    return sum + exp(logTarget[x]) * (score?.mcse ?? 0) ** 2;
  }, 0);
  return Math.sqrt(square);
}

function describe(context: StageContext, scored: ScoredTarget, { logP }: PolicyMass): void {
  context.rows("enumeration", enumerationRows(scored, logP));
  context.rows("inclusion", inclusionRows(scored, logPriorOf(scored), logP));
}
