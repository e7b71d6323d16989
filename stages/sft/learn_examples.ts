/** Fine-tuning on a file of examples: batches of completions, a validation part, the best parameters. */
import { inputError } from "../../src/base/diagnostic.ts";
import type { RandomStream } from "../../src/base/random.ts";
import { lineSpan } from "../../src/base/span.ts";
import { readRegularText } from "../../src/base/regular_file.ts";
import {
  type Environment,
  legalIn,
  makeBatch,
  placeIn,
  type Prompt,
  tokensKind,
  type Walked,
} from "../../src/gfn/environments/mod.ts";
import { maximumLikelihood } from "../../src/gfn/objectives/mod.ts";
import type { Policy } from "../../src/gfn/policies/mod.ts";
import { type LearningRate, rateAt } from "../../src/gfn/train/mod.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import { modelSource } from "../environment/model_source.ts";
import { trainingPrompts } from "../common/asked_prompts.ts";
import { namedPrompts } from "../common/named_prompts.ts";
import type { Prompts } from "../ports/values.ts";
import { ModelStore, openTokens } from "../../src/models/store/mod.ts";
import { readSft, type SftExample, type SftExamples } from "../../src/models/sft/mod.ts";
import { ChatTemplate } from "../../src/models/text/mod.ts";

/** What fine-tuning on a file is told. */
interface FileParams {
  readonly file: string;
  readonly steps: number;
  readonly batch_size: number;
  readonly validation: number;
  readonly validate_every: number;
  readonly thinking: "kept" | "stripped";
  readonly learning_rate: LearningRate;
  readonly clip_norm: number;
  readonly weight_decay?: number;
}

/** What learns, beside its parameters. */
interface LearntPolicy {
  readonly environment: Environment;
  readonly model: string;
  /** Most tokens of a text, what begins it and the prompt included. */
  readonly context: number;
  /** Those that lines may ask; left out: whatever they ask, without a name. */
  readonly prompts?: Prompts;
}

/** What came of it. */
export interface LearntExamples {
  readonly policy: Policy;
  /** What was learnt and can be rewarded: answers to prompts that have a name, or to none. */
  readonly walks: readonly Walked[];
}

/** Bytes of a file of examples. */
const mostBytes = 256 << 20;

/**
 * Learns the completions of a file and gives the policy that did best on what was kept from training,
 * or the last one where nothing was. The loss is of completions alone: prompts are read and not learnt.
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
  const walks = [training, validation].map((part) => {
    return walksOf(environment, part, { file: params.file, ...naming });
  });
  const [toLearn, toValidate] = walks;
  const order = new ExampleOrder(toLearn, context.random("examples"));
  let best: { readonly policy: Policy; readonly loss: number } | undefined;
  for (let step = 1; step <= params.steps; step++) {
    const loss = await learn(policy, environment, order.next(params.batch_size), step, params);
    context.metric("loss", loss);
    context.progress({ step: `${step}/${params.steps}`, loss });
    if (!isValidated(step, toValidate.length, params)) continue;
    const validated = await lossOf(policy, environment, toValidate, params.batch_size);
    context.metric("validation_loss", validated);
    if (best && best.loss <= validated) continue;
    best?.policy.dispose();
    best = { policy: await policy.clone(), loss: validated };
  }
  const learnt = of.prompts ? toLearn : toLearn.filter(({ prompt }) => !prompt);
  if (!best) return { policy, walks: learnt };
  context.log(`best validation loss: ${best.loss.toFixed(4)} nats for each example`);
  return { policy: best.policy, walks: learnt };
}

function isValidated(step: number, count: number, { steps, validate_every }: FileParams): boolean {
  return count > 0 && (step % validate_every === 0 || step === steps);
}

function readExamples(
  { environment, model, context }: LearntPolicy,
  params: FileParams,
): SftExamples {
  if (environment.kind !== tokensKind) throw noTokens();
  const { entry } = modelSource(model);
  const { tokenizer } = openTokens(new ModelStore("."), model);
  const { chat_template: chat } = entry;
  const texts = {
    tokenizer,
    ends: entry,
    ...(chat !== null && { template: new ChatTemplate(chat) }),
  };
  const { thinking, validation } = params;
  const text = readRegularText(params.file, mostBytes);
  return readSft(text, params.file, texts, { context, thinking, validation });
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
 * Prompts and completions as walks.
 *
 * @throws InputError with the line whose tokens are not legal, or that asks what is no prompt.
 */
function walksOf(
  environment: Environment,
  examples: readonly SftExample[],
  { file, named }: { readonly file: string; readonly named?: Naming },
): Walked[] {
  return examples.map(({ ids, from, line }) => {
    const tokens = ids.slice(0, from);
    const own: Prompt = { id: tokens.join(" "), tokens, begins: true };
    const prompt = named ? named({ file, line, tokens }) : from > 1 ? own : undefined;
    const walked = { actions: ids.slice(from), ...(prompt && { prompt }) };
    requireLegal(environment, walked, { file, line });
    return walked;
  });
}

function requireLegal(
  environment: Environment,
  { actions, prompt }: Walked,
  { file, line }: { readonly file: string; readonly line: number },
): void {
  let state = environment.initialState(prompt);
  actions.forEach((action, t) => {
    if (placeIn(legalIn(environment, state), action) < 0) {
      const message = `Cannot learn ${file}:${line}: the environment does not go on with ` +
        `${JSON.stringify(environment.actionNames[action])} after ${t} tokens of the completion`;
      const hint = 'write what its objects write, or lift it with mask = "none" or "language"';
      throw inputError("sft/illegal", message, lineSpan(file, line, 1), hint);
    }
    if (action !== environment.exitAction) state = environment.step(state, action);
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

async function learn(
  policy: Policy,
  environment: Environment,
  walks: readonly Walked[],
  step: number,
  { steps, learning_rate: rate, clip_norm: clipNorm, weight_decay: weightDecay }: FileParams,
): Promise<number> {
  const batch = makeBatch(environment, walks);
  const scores = await policy.score(batch, { grad: true });
  const result = maximumLikelihood.evaluate(scores, batch, { logZ: 0, parameters: {} });
  await policy.backward(scores, result.gradients);
  const learningRate = rateAt(rate, (step - 1) / steps);
  await policy.step({ learningRate, clipNorm, ...(weightDecay !== undefined && { weightDecay }) });
  return result.loss;
}

/** Mean loss of all examples in nats, without a gradient. */
async function lossOf(
  policy: Policy,
  environment: Environment,
  walks: readonly Walked[],
  batchSize: number,
): Promise<number> {
  let total = 0;
  for (let begin = 0; begin < walks.length; begin += batchSize) {
    const part = walks.slice(begin, begin + batchSize);
    const batch = makeBatch(environment, part);
    const scores = await policy.score(batch, { grad: false });
    const { loss } = maximumLikelihood.evaluate(scores, batch, { logZ: 0, parameters: {} });
    total += loss * part.length;
  }
  return total / walks.length;
}

function noTokens() {
  const message = "Cannot learn from a file of examples: the environment is not in tokens";
  const hint = 'lift it by a stage of kind = "tokens", or give examples = [{ name, derivation }]';
  return inputError("sft/environment", message, undefined, hint);
}
