/** Stage kind `sft`: fine-tunes a policy on examples, and has a target reward them. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { ServiceProcess } from "../../src/base/service_process.ts";
import type { z } from "../../src/base/zod.ts";
import type { Environment } from "../../src/gfn/environments/mod.ts";
import type { LanguageModelConfig } from "../../src/gfn/policies/built_in/mod.ts";
import type { Policy } from "../../src/gfn/policies/mod.ts";
import { readsTokens } from "../../src/gfn/settings/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { askedPrompts, shownBy } from "../common/asked_prompts.ts";
import { PromptTargets, type Rewarding } from "../common/prompt_targets.ts";
import { makePolicy } from "../policy/make_policy.ts";
import type { Prompts, ScoredSet, Target, TrainedPolicy } from "../ports/values.ts";
import { learnExamples, type LearntExamples } from "./learn_examples.ts";
import type { sftParams } from "./params.ts";
import { rewardExamples } from "./reward_examples.ts";
import { warmStart } from "./warm_start.ts";

/** Wires of the stage. */
export interface SftInputs extends Rewarding {
  readonly environment: Environment;
  readonly prompts?: Prompts | undefined;
  readonly service?: ServiceProcess | undefined;
}

type SftParams = z.output<typeof sftParams>;

/**
 * Learns examples, and has them rewarded where something rewards them.
 *
 * @throws InputError if targets and prompts are not those of one another: before anything is learnt.
 */
export async function fineTune(context: StageContext, inputs: SftInputs, params: SftParams) {
  const { environment, prompts, service } = inputs;
  const policy = await makePolicy(context, params.policy, environment, service);
  const initial = await policy.clone();
  const targets = targetsOf(inputs, policy);
  const { policy: best, walks } = await learnt(context, policy, inputs, params);
  const shown = prompts && shownBy(prompts);
  const untrained = { trajectories: 0, distinctEvaluations: 0 };
  const { states, log_clamp: clamp } = params;
  const rewarded = { environment, targets, policy: best, states, clamp };
  const trained: TrainedPolicy = {
    policy: best,
    ...untrained,
    ...(shown !== undefined && { shown }),
  };
  const scored: ScoredSet = await rewardExamples(context, walks, rewarded);
  return { policy: trained, initial: { policy: initial, ...untrained }, scored };
}

/** Targets that reward the examples; undefined if none is wired. */
function targetsOf(
  { environment, prompts, target, targets: byPrompt }: SftInputs,
  policy: Policy,
): PromptTargets | undefined {
  if (!target && Object.keys(byPrompt ?? {}).length === 0) return undefined;
  const targets = new PromptTargets({ target, targets: byPrompt }, "reward", "this stage");
  const isOther = (one: Target) => one.environment.digest !== environment.digest;
  if (targets.all.some(isOther)) throw ofAnother();
  targets.requireInformed(prompts && shownBy(prompts));
  const { training, heldOut } = prompts
    ? askedPrompts(policy, environment, prompts)
    : { training: [], heldOut: [] };
  if (!prompts && targets.areByPrompt) targets.of(undefined);
  targets.requireFor(training, heldOut);
  return targets;
}

async function learnt(
  context: StageContext,
  policy: Policy,
  { environment, prompts }: SftInputs,
  params: SftParams,
): Promise<LearntExamples> {
  const { file, policy: config } = params;
  if (file === undefined || !readsTokens(config.kind) || !("model" in config)) {
    const given = { ...params, ...(prompts && { prompts }) };
    return { policy, walks: await warmStart(context, policy, environment, given) };
  }
  const { model, context: most } = config as LanguageModelConfig; // with its defaults
  const of = { environment, model, context: most, ...(prompts && { prompts }) };
  return await learnExamples(context, policy, of, { ...params, file });
}

function ofAnother() {
  const message = "Cannot reward examples: the target is of another environment than the policy's";
  const hint = "wire the target that was made of the same environment";
  return inputError("sft/target", message, undefined, hint);
}
