/** Training a policy for many data sets: a batch of them, their scored programs, one gradient step. */
import { actionsOf } from "../amortised/questions.ts";
import { askedAmong, dataPrompt, dataSummary } from "../amortised/data_prompt.ts";
import type { ScoredData } from "../amortised/data_sets.ts";
import { everyAicc } from "../amortised/program_summaries.ts";
import type { LossName } from "../amortised/loss_names.ts";
import { flowLoss } from "../amortised/losses.ts";
import { summarise } from "../amortised/summary.ts";
import type { Environment, Prompt } from "../environments/environment.ts";
import type { Policy, StepOptions } from "../policies/policy.ts";
import { makeBatch } from "../trajectories/batch.ts";
import type { RandomStream } from "../../base/random.ts";

/** One step's options. */
export interface AmortiseOptions extends StepOptions {
  /** How flows are held against rewards. */
  readonly loss: LossName;
  /** Programs of a data set in a step at most; drawn among those scored. */
  readonly programs: number;
  /** Draws programs. */
  readonly random: RandomStream;
}

const prompts = new WeakMap<ScoredData, Prompt>();

/** The prompt of a data set, made once. */
export function promptOf(data: ScoredData): Prompt {
  const known = prompts.get(data);
  if (known) return known;
  const prompt = dataPrompt(summarise(data.rows), data.id);
  prompts.set(data, prompt);
  return prompt;
}

const best = new WeakMap<ScoredData, number>();

/** The prompt of a data set, given that the program is one of these. */
function among(data: ScoredData, programs: readonly number[]): Prompt {
  const prompt = promptOf(data);
  if (programs.length === 2 ** data.rows.columns.length) return prompt;
  const summary = dataSummary(prompt);
  const highest = best.get(data) ?? everyAicc(summary).reduce((a, b) => Math.max(a, b));
  best.set(data, highest);
  return askedAmong(prompt, summary, programs, highest);
}

/**
 * One gradient step on some data sets: log P of their programs against their log rewards, each data set
 * by itself, so that its log Z is no parameter.
 *
 * @param environment Of kind `questions`.
 * @returns The mean loss, nats, and the norm of the gradient.
 */
export async function amortiseStep(
  policy: Policy,
  environment: Environment,
  some: readonly ScoredData[],
  options: AmortiseOptions,
): Promise<{ readonly loss: number; readonly gradientNorm: number }> {
  const chosen = some.map((data) => chosenPrograms(data, options));
  const walks = some.flatMap((data, k) => {
    const prompt = among(data, chosen[k].map((m) => data.programs[m]));
    return chosen[k].map((m) => {
      return {
        actions: actionsOf(environment, data.programs[m], data.rows.columns.length),
        prompt,
      };
    });
  });
  const batch = makeBatch(environment, walks, walks.map(() => [0]));
  const scores = await policy.score(batch, { grad: true });
  const zeros = () => new Float64Array(batch.B * batch.T);
  const gradients = { logPf: zeros(), logExit: zeros(), logFlow: zeros() };
  let [first, loss] = [0, 0];
  some.forEach((data, k) => {
    const places = chosen[k];
    const logP = Float64Array.from(places, (_, i) => rowSum(scores.logPf, batch.T, first + i));
    const rewards = Float64Array.from(places, (m) => data.logRewards[m]);
    const found = flowLoss(options.loss, logP, rewards);
    loss += found.loss / some.length;
    found.force.forEach((one, i) => {
      const begin = (first + i) * batch.T;
      gradients.logPf.fill(one / some.length, begin, begin + batch.lengths[first + i]);
    });
    first += places.length;
  });
  await policy.backward(scores, gradients);
  const { gradientNorm } = await policy.step(options);
  return { loss, gradientNorm };
}

function rowSum(values: Float64Array, width: number, row: number): number {
  let sum = 0;
  for (let t = 0; t < width; t++) sum += values[row * width + t];
  return sum;
}

/** Places of all scored programs, or of some: half of them the best known, the others any. */
function chosenPrograms(
  { logRewards }: ScoredData,
  { programs, random }: AmortiseOptions,
): number[] {
  const places = [...logRewards.keys()];
  if (places.length <= programs) return places;
  places.sort((a, b) => logRewards[b] - logRewards[a] || a - b);
  for (let i = programs >> 1; i < programs; i++) {
    const j = i + random.below(places.length - i);
    [places[i], places[j]] = [places[j], places[i]];
  }
  return places.slice(0, programs);
}

/**
 * Log probabilities of the scored programs of a data set, nats, among themselves where only some were
 * scored.
 */
export async function logAnswers(
  policy: Policy,
  environment: Environment,
  data: Pick<ScoredData, "id" | "rows" | "programs">,
): Promise<Float64Array> {
  const prompt = promptOf(data as ScoredData);
  const walks = Array.from(data.programs, (bits) => {
    return { actions: actionsOf(environment, bits, data.rows.columns.length), prompt };
  });
  const batch = makeBatch(environment, walks, walks.map(() => [0]));
  const { logPf } = await policy.score(batch, { grad: false });
  return Float64Array.from(walks, (_, b) => rowSum(logPf, batch.T, b));
}
