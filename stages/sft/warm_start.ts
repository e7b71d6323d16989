/** Maximum likelihood on known derivations: the work of the stage kind `sft`. */
import { InputError, inputError } from "../../src/base/diagnostic.ts";
import {
  type Environment,
  makeBatch,
  type Prompt,
  type Walked,
} from "../../src/gfn/environments/mod.ts";
import { trainingPrompts } from "../common/asked_prompts.ts";
import type { Prompts } from "../ports/values.ts";
import { actionsOfDerivation } from "../../src/gfn/grammar/mod.ts";
import { maximumLikelihood } from "../../src/gfn/objectives/mod.ts";
import { type Policy, requireDecay } from "../../src/gfn/policies/mod.ts";
import { type LearningRate, rateAt } from "../../src/gfn/train/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";

/** Steps where none are given. */
const defaultSteps = 60;

/** Parameters of a warm start. */
export interface WarmStartParams {
  readonly examples: readonly {
    readonly name: string;
    readonly derivation: readonly string[];
    readonly prompt?: string;
  }[];
  readonly prompts?: Prompts;
  readonly steps?: number | undefined;
  readonly learning_rate: LearningRate;
  readonly clip_norm: number;
  readonly weight_decay?: number;
}

/**
 * @returns Every example under what it answers.
 * @throws InputError naming every example that the environment cannot derive.
 */
export async function warmStart(
  context: StageContext,
  policy: Policy,
  environment: Environment,
  params: WarmStartParams,
): Promise<readonly Walked[]> {
  const walks = answers(policy, environment, params);
  if (walks.length === 0) return walks;
  requireDecay(policy, params.weight_decay);
  const batch = makeBatch(environment, walks);
  const { steps = defaultSteps } = params;
  for (let step = 1; step <= steps; step++) {
    const scores = await policy.score(batch, { grad: true });
    const state = { logZ: 0, parameters: {} };
    const { loss, gradients } = maximumLikelihood.evaluate(scores, batch, state);
    await policy.backward(scores, gradients);
    const learningRate = rateAt(params.learning_rate, (step - 1) / steps);
    const { clip_norm: clipNorm, weight_decay: weightDecay } = params;
    const decay = weightDecay === undefined ? {} : { weightDecay };
    await policy.step({ learningRate, clipNorm, ...decay });
    context.metric("loss", loss);
    context.progress({ step: `${step}/${steps}`, loss });
  }
  return walks;
}

/** Every example under the prompt that it answers, or under each. @throws InputError as below. */
function answers(
  policy: Policy,
  environment: Environment,
  { examples, prompts: written }: WarmStartParams,
): Walked[] {
  const plain = exampleActions(environment, { examples });
  if (!written) {
    const asking = examples.find(({ prompt }) => prompt !== undefined);
    if (asking) throw unknownPrompt(asking.prompt!, []);
    return plain;
  }
  const prompts = trainingPrompts(policy, environment, written);
  return examples.flatMap(({ prompt: id }, i) => {
    const asked = prompts.filter((one) => id === undefined || one.id === id);
    if (asked.length === 0) throw unknownPrompt(id!, prompts);
    return asked.map((prompt) => ({ ...plain[i], prompt }));
  });
}

function unknownPrompt(id: string, prompts: readonly Prompt[]) {
  const message = `Cannot learn an answer to prompt "${id}": it is not among those to learn by`;
  const names = prompts.map((one) => `"${one.id}"`).join(", ");
  const hint = prompts.length > 0 ? `known are ${names}` : "wire prompts into the stage";
  return inputError("sft/prompt", message, undefined, hint);
}

/** The actions of every example. @throws InputError naming those that cannot be derived. */
export function exampleActions(
  environment: Environment,
  { examples }: Pick<WarmStartParams, "examples">,
) {
  const derived = examples.map(({ name, derivation }) =>
    actionsOfDerivation(environment, derivation, name)
  );
  const findings = derived.flatMap((one, i) =>
    one.ok ? [] : [{ ...one.diagnostic, param: ["examples", i, "derivation"] }]
  );
  if (findings.length > 0) throw new InputError(findings);
  return derived.flatMap((one) => one.ok ? [{ actions: one.actions }] : []);
}
