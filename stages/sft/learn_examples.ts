/** Fine-tuning on a file of examples: batches of completions, a validation part, the best parameters. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { RandomStream } from "../../src/base/random.ts";
import { lineSpan } from "../../src/base/span.ts";
import {
  type Environment,
  makeBatch,
  type Prompt,
  tokensKind,
  type Walked,
} from "../../src/gfn/environments/mod.ts";
import { maximumLikelihood } from "../../src/gfn/objectives/mod.ts";
import type { Policy } from "../../src/gfn/policies/mod.ts";
import { type LearningRate, rateAt } from "../../src/gfn/train/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { modelSource } from "../environment/model_source.ts";
import { actionsBehindThought } from "../environment/thinking.ts";
import { trainingPrompts } from "../common/asked_prompts.ts";
import type { ChatParams } from "../common/chat_settings.ts";
import { namedPrompts } from "../common/named_prompts.ts";
import { sftReader } from "../common/sft_reader.ts";
import type { Prompts } from "../ports/values.ts";
import type { SftExample, SftExamples } from "../../src/models/sft/mod.ts";
import { requireLegal } from "./require_legal.ts";

/** Parameters of fine-tuning on a file. */
interface FileParams extends ChatParams {
  readonly file: string;
  readonly max_examples?: number | undefined;
  readonly learn: "all" | "last";
  readonly steps?: number | undefined;
  readonly epochs?: number | undefined;
  readonly batch_size: number;
  readonly accumulate: number;
  readonly validation?: number | undefined;
  readonly validation_file?: string | undefined;
  readonly validate_every: number;
  readonly save_best: "validation_loss" | "validation_loss_per_token" | "none";
  readonly thinking: "kept" | "stripped";
  readonly learning_rate: LearningRate;
  readonly clip_norm: number;
  readonly weight_decay?: number | undefined;
}

/** Steps where neither they nor epochs are given. */
const defaultSteps = 60;
/** Share of the lines that is kept from training where nothing is said of it. */
const defaultValidation = 0.1;

/** Policy that learns, beside its parameters. */
interface LearntPolicy {
  readonly environment: Environment;
  readonly model: string;
  /** Most tokens of a text, what begins it and the prompt included. */
  readonly context: number;
  /** Prompts that lines may have; left out: any, without a name. */
  readonly prompts?: Prompts;
}

/** Result of fine-tuning. */
export interface LearntExamples {
  readonly policy: Policy;
  /** Learnt examples that can be rewarded: answers to prompts that have a name, or to none. */
  readonly walks: readonly Walked[];
}

/**
 * Learns the completions of a file and returns the policy of least held-out loss, or the last one where nothing
 * was held out, or `save_best` asks for it. The loss is of completions alone: prompts are read and not learnt.
 *
 * @param of Its environment, the model that it is made of, and the tokens that it reads at most.
 * @throws InputError with the lines that are no examples, or that the environment does not write.
 */
export async function learnExamples(
  context: StageContext,
  policy: Policy,
  of: LearntPolicy,
  params: FileParams,
): Promise<LearntExamples> {
  const { environment } = of;
  const { training, validation, duplicates } = readExamples(of, params);
  const counts = `${training.length} examples, ${validation.length} kept to validate`;
  context.log(`${counts}, ${duplicates} left out as equal to others`);
  const naming = namesFor(policy, of);
  const files = [params.file, params.validation_file ?? params.file];
  const walks = [training, validation].map((part, i) => {
    return walksOf(of, part, { file: files[i], ...naming });
  });
  const [toLearn, toValidate] = walks;
  const steps = stepsOf(toLearn.length, params);
  const order = new ExampleOrder(toLearn, context.random("examples"));
  let best: { readonly policy: Policy; readonly loss: number } | undefined;
  for (let step = 1; step <= steps; step++) {
    const loss = await learn(policy, environment, order, { ...params, step, steps });
    context.metric("loss", loss);
    context.progress({ step: `${step}/${steps}`, loss });
    if (!isValidated(step, toValidate.length, { ...params, steps })) continue;
    const losses = await lossOf(policy, environment, toValidate, params.batch_size);
    for (const [name, value] of Object.entries(losses)) context.metric(name, value);
    if (params.save_best === "none" || (best && best.loss <= losses[params.save_best])) continue;
    best?.policy.dispose();
    best = { policy: await policy.clone(), loss: losses[params.save_best] };
  }
  const learnt = of.prompts ? toLearn : toLearn.filter(({ prompt }) => !prompt);
  if (!best) return { policy, walks: learnt };
  context.log(`best ${params.save_best}: ${best.loss.toFixed(4)} nats`);
  return { policy: best.policy, walks: learnt };
}

/** Steps in which every example is met so often, or as many as are given. */
function stepsOf(count: number, { steps, epochs, batch_size, accumulate }: FileParams): number {
  if (epochs === undefined) return steps ?? defaultSteps;
  return Math.ceil(epochs * count / (Math.min(batch_size, count) * accumulate));
}

function isValidated(
  step: number,
  count: number,
  { steps, validate_every }: { readonly steps: number; readonly validate_every: number },
): boolean {
  return count > 0 && (step % validate_every === 0 || step === steps);
}

/** The examples of the file, and those to validate by, which may have a file of their own. */
function readExamples(of: LearntPolicy, params: FileParams): SftExamples {
  const { environment, model, context } = of;
  if (environment.kind !== tokensKind) throw noTokens();
  const read = sftReader(model, { ...params, context });
  const { file, validation_file: other, max_examples: most } = params;
  const validation = params.validation ?? (other === undefined ? defaultValidation : 0);
  const own = read(file, { validation, most });
  return other === undefined ? own : { ...own, validation: read(other, {}).training };
}

/** How lines ask by name, where prompts are wired: none that is held out. */
function namesFor(
  policy: Policy,
  { environment, model, prompts: written }: LearntPolicy,
): { readonly named?: Naming } {
  if (!written) return {};
  const prompts = trainingPrompts(policy, environment, written);
  return { named: namedPrompts(prompts, modelSource(model).entry.begin?.id) };
}

type Naming = ReturnType<typeof namedPrompts>;

/**
 * Prompts and completions as trajectories.
 *
 * @throws InputError with the line whose tokens are not legal, or that asks what is no prompt.
 */
function walksOf(
  { environment, model }: LearntPolicy,
  examples: readonly SftExample[],
  { file, named }: { readonly file: string; readonly named?: Naming },
): Walked[] {
  return examples.map(({ ids, from, line }) => {
    const tokens = ids.slice(0, from);
    const own: Prompt = { id: tokens.join(" "), tokens, begins: true };
    const prompt = named ? named({ file, line, tokens }) : from > 1 ? own : undefined;
    const { source } = modelSource(model);
    const span = lineSpan(file, line, 1);
    const actions = actionsBehindThought(environment, source, ids.slice(from), span);
    const walked = { actions, ...(prompt && { prompt }) };
    requireLegal(environment, source, walked, span);
    return walked;
  });
}

/** Examples in random order, each once before any comes again. */
class ExampleOrder {
  #left: Walked[] = [];

  constructor(readonly all: readonly Walked[], readonly random: RandomStream) {}

  next(count: number): Walked[] {
    return Array.from({ length: Math.min(count, this.all.length) }, () => {
      if (this.#left.length === 0) this.#left = [...this.all];
      const place = Math.floor(this.random.uniform() * this.#left.length);
      return this.#left.splice(place, 1)[0];
    });
  }
}

/** One step by the mean loss of its passes. */
async function learn(
  policy: Policy,
  environment: Environment,
  order: ExampleOrder,
  { step, steps, batch_size: size, accumulate, ...params }: FileParams & {
    readonly step: number;
    readonly steps: number;
  },
): Promise<number> {
  let total = 0;
  for (let pass = 0; pass < accumulate; pass++) {
    const batch = makeBatch(environment, order.next(size));
    const scores = await policy.score(batch, { grad: true });
    const { loss, gradients } = maximumLikelihood.evaluate(scores, batch, unrewarded);
    gradients.logPf.forEach((one, i) => gradients.logPf[i] = one / accumulate);
    await policy.backward(scores, gradients);
    total += loss / accumulate;
  }
  const { learning_rate: rate, clip_norm: clipNorm, weight_decay: weightDecay } = params;
  const learningRate = rateAt(rate, (step - 1) / steps);
  await policy.step({ learningRate, clipNorm, ...(weightDecay !== undefined && { weightDecay }) });
  return total;
}

/** Settings of a learner that maximum likelihood does not read. */
const unrewarded = { logZ: 0, parameters: {} };

/** Mean losses in nats of an example, and of a token, without a gradient. */
async function lossOf(
  policy: Policy,
  environment: Environment,
  walks: readonly Walked[],
  batchSize: number,
): Promise<Readonly<Record<"validation_loss" | "validation_loss_per_token", number>>> {
  let total = 0;
  for (let begin = 0; begin < walks.length; begin += batchSize) {
    const part = walks.slice(begin, begin + batchSize);
    const batch = makeBatch(environment, part);
    const scores = await policy.score(batch, { grad: false });
    total += maximumLikelihood.evaluate(scores, batch, unrewarded).loss * part.length;
  }
  const tokens = walks.reduce((sum, { actions }) => sum + actions.length, 0);
  return { validation_loss: total / walks.length, validation_loss_per_token: total / tokens };
}

function noTokens() {
  const message = "Cannot learn from a file of examples: the environment is not in tokens";
  const hint = 'lift it by a stage of kind = "tokens", or give examples = [{ name, derivation }]';
  return inputError("sft/environment", message, undefined, hint);
}
