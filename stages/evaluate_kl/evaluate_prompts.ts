/** How near the answers to prompts come to their targets: exactly for each prompt, and on average. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { Subject } from "../../src/base/measure_subject.ts";
import type { Environment, Prompt, TerminalObject } from "../../src/gfn/environments/mod.ts";
import {
  effectiveNumber,
  type EnumeratedTarget,
  enumeratedTarget,
  evaluateExactly,
  type ExactEvaluation,
  logPriorOf,
  logUniform,
  ownLogRewards,
  type PolicyMass,
  policyMass,
  type ThoughtfulBounds,
  withLogRewards,
} from "../../src/gfn/evaluation/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { type AskedPrompts, askedPrompts, shownBy } from "../common/asked_prompts.ts";
import { programRow } from "../common/trajectory_rows.ts";
import { enumerateUpTo, scoreEveryObject } from "../evaluation/enumerated.ts";
import { bounded, divergenceMeasures, evaluationRows } from "../evaluation/evaluation_rows.ts";
import { exactly, type Measure, measuresOf } from "../evaluation/measure.ts";
import {
  comparedSubject,
  policySubject,
  priorSubject,
  uniformSubject,
} from "../evaluation/subjects.ts";
import type { PromptTargets } from "../common/prompt_targets.ts";
import type { Prompts, Target, TrainedPolicy } from "../ports/values.ts";
import { boundsOf } from "./certificate.ts";

/** Policy, prompts and targets of the evaluation. */
interface AnswersInputs {
  readonly environment: Environment;
  readonly policy: TrainedPolicy;
  readonly prompts: Prompts;
  /** Left out where the environment states its rewards. */
  readonly targets?: PromptTargets;
  readonly compare?: Readonly<Record<string, TrainedPolicy>>;
}

/** Policy that answers prompts: log probabilities of all objects under each. */
interface Answering {
  readonly subject: Subject;
  logP(target: EnumeratedTarget, prompt: Prompt): Promise<PolicyMass | Float64Array>;
}

/** Keeps the targets of all prompts between the steps of a loop. */
export class AnswersEvaluator {
  readonly #targets = new Map<string, EnumeratedTarget>();

  /** @param limit Most objects that are counted. */
  constructor(readonly limit: number) {}

  /**
   * Measures of every prompt, each with its `group`, and their means: over prompts that were learned
   * by, and `held_out_…` over the others. The baselines are there after training alone.
   *
   * @throws InputError if objects cannot be counted, or the response was shown to a blind author.
   */
  async run(context: StageContext, inputs: AnswersInputs): Promise<Measure[]> {
    const { policy, environment, prompts, targets } = inputs;
    targets?.requireInformed(shownBy(prompts));
    const asked = askedPrompts(policy.policy, environment, prompts);
    const all = [...asked.training, ...asked.heldOut];
    if (targets?.areByPrompt) targets.requireFor(all);
    await this.#score(context, inputs, all);
    const subjects = [
      policyAnswers(policySubject, policy),
      ...context.step > 0 ? [] : beside(inputs),
    ];
    const measures: Measure[] = [];
    for (const subject of subjects) measures.push(...await this.#measure(subject, asked));
    const own = [...asked.training, ...asked.heldOut].flatMap((one) => this.#about(one, policy));
    measures.push(...own, ...this.#whole(measures, asked));
    const [any] = this.#targets.values();
    context.rows("evaluation", evaluationRows(measures, policy, any.objects.length));
    const kl = measures.find((one) => one.measure === "kl_target_policy" && !one.group);
    if (kl) context.progress({ kl: kl.value });
    return measures;
  }

  /** Rewards every object under every prompt; one target's are the same under all of its prompts. */
  async #score(
    context: StageContext,
    { environment, targets }: AnswersInputs,
    prompts: readonly Prompt[],
  ): Promise<void> {
    if (this.#targets.size > 0) return;
    const objects = enumerateUpTo(environment, this.limit);
    if (!objects) throw uncounted(environment, this.limit);
    if (!targets) return this.#state(context, objects, environment, prompts);
    const scored = new Map<Target, EnumeratedTarget>();
    for (const prompt of prompts) {
      const target = targets.of(prompt);
      const known = scored.get(target) ??
        await scoreEveryObject(context, objects, { environment, target });
      scored.set(target, known);
      this.#targets.set(prompt.id, known);
    }
  }

  /** Rewards that the environment states by prompt. */
  #state(
    context: StageContext,
    objects: readonly TerminalObject[],
    environment: Environment,
    prompts: readonly Prompt[],
  ): void {
    context.rows("program", objects.map(programRow));
    const logReward = (prompt: Prompt) => ownLogRewards(environment, objects, prompt);
    const first = enumeratedTarget(environment, objects, logReward(prompts[0]));
    for (const prompt of prompts) {
      this.#targets.set(prompt.id, withLogRewards(first, logReward(prompt)));
    }
  }

  async #measure(
    { subject, logP }: Answering,
    { training, heldOut }: AskedPrompts,
  ): Promise<Measure[]> {
    const found = new Map<string, ExactEvaluation>();
    for (const prompt of [...training, ...heldOut]) {
      const target = this.#targets.get(prompt.id)!;
      found.set(prompt.id, evaluateExactly(target, await logP(target, prompt), 0));
    }
    const each = [...found].flatMap(([group, one]) => {
      return divergenceMeasures(subject, one).map((measure) => ({ ...measure, group }));
    });
    const of = (some: readonly Prompt[]) => some.map(({ id }) => found.get(id)!);
    return [
      ...each,
      ...meansOf(subject, of(training), ""),
      ...meansOf(subject, of(heldOut), "held_out_"),
    ];
  }

  /** Measures of the target of one prompt. */
  #about({ id: group }: Prompt, { logZs = {} }: TrainedPolicy): Measure[] {
    const { logZ, logTarget } = this.#targets.get(group)!;
    const learned = Object.hasOwn(logZs, group) ? logZs[group] : undefined;
    return measuresOf(policySubject, {
      log_z: exactly(logZ),
      ...(learned === undefined ? {} : { log_z_error: exactly(learned - logZ) }),
      effective_programs_target: exactly(effectiveNumber(logTarget)),
    }).map((measure) => ({ ...measure, group }));
  }

  /** Measures of all targets; where all objects were enumerated, bounds equal the values that they bound. */
  #whole(measures: readonly Measure[], { training, heldOut }: AskedPrompts): Measure[] {
    const [any] = this.#targets.values();
    const targets = (training.length > 0 ? training : heldOut)
      .map(({ id }) => this.#targets.get(id)!);
    const tv = measures.find(({ measure, subject, group }) => {
      return measure === "tv" && subject === policySubject && group === undefined;
    });
    return measuresOf(policySubject, {
      programs: exactly(any.objects.length),
      prompts: exactly(training.length),
      held_out_prompts: exactly(heldOut.length),
      log_z: exactly(meanOf(targets.map(({ logZ }) => logZ))),
      effective_programs_target: exactly(
        meanOf(targets.map(({ logTarget }) => effectiveNumber(logTarget))),
      ),
      ...(tv && boundsOf(tv)),
    });
  }
}

function policyAnswers(subject: Subject, { policy }: TrainedPolicy): Answering {
  return {
    subject,
    logP: (target, prompt) => policyMass(policy, target, prompt),
  };
}

/** Uniform choice and the prior, which do not read, and the policies of `compare`. */
function beside({ compare = {} }: AnswersInputs): Answering[] {
  return [
    { subject: uniformSubject, logP: (target) => Promise.resolve(logUniform(target)) },
    { subject: priorSubject, logP: (target) => Promise.resolve(logPriorOf(target)) },
    ...Object.entries(compare).map(([key, one]) => policyAnswers(comparedSubject(key), one)),
  ];
}

/** Means over prompts; nothing over none. */
function meansOf(
  subject: Subject,
  found: readonly ExactEvaluation[],
  prefix: "" | "held_out_",
): Measure[] {
  if (found.length === 0) return [];
  const mean = (value: (one: ExactEvaluation) => number) => exactly(meanOf(found.map(value)));
  const bounds = (name: keyof ThoughtfulBounds) => bounded(found, name);
  return measuresOf(subject, {
    [`${prefix}tv` as const]: bounds("totalVariation"),
    [`${prefix}kl_target_policy` as const]: bounds("klTargetPolicy"),
    [`${prefix}kl_policy_target` as const]: bounds("klPolicyTarget"),
    [`${prefix}jsd` as const]: mean((one) => one.jensenShannon),
    ...(prefix === "" && { effective_programs: mean((one) => one.effectiveNumber) }),
  });
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

function uncounted({ count }: Environment, limit: number) {
  const objects = count === undefined || !Number.isFinite(count) ? "all" : `${count}`;
  const message = `Cannot evaluate answers to prompts: ${objects} objects are more than the ` +
    `${limit} that are counted`;
  const hint = 'raise enumerate_at_most and count.seconds, or lift with mask = "trie"';
  return inputError("evaluate/prompts", message, undefined, hint);
}
