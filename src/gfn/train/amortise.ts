/** Training a policy for many data sets: a batch of them, their scored programs, one gradient step. */
import { bestAndAny } from "../amortised/best_and_any.ts";
import type { ScoredData } from "../amortised/data_sets.ts";
import { type QuestionSpace, questionSpaces } from "../amortised/question_space.ts";
import type { AnyQuestionsSpec } from "../amortised/questions.ts";
import type { LossName } from "../amortised/loss_names.ts";
import { flowLoss } from "../amortised/losses.ts";
import type { StandardRows } from "../amortised/standard_rows.ts";
import type { Environment, Prompt } from "../environments/environment.ts";
import type { Policy, StepOptions } from "../policies/policy.ts";
import { makeBatch } from "../trajectories/batch.ts";
import type { RandomStream } from "../../base/random.ts";

/** One step's options. */
export interface AmortiseOptions extends StepOptions {
  /** Loss that compares log flows with log rewards. */
  readonly loss: LossName;
  /** Most programs of a data set in a step, drawn among those scored. */
  readonly programs: number;
  /** Draws programs. */
  readonly random: RandomStream;
}

const prompts = new WeakMap<StandardRows, Prompt>();

/**
 * The space kind that an environment of kind `questions` asks about.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { questionsOf } from "../amortised/questions.ts";
 * import { spaceOf } from "./amortise.ts";
 * assert.equal(typeof spaceOf(questionsOf("growth", 1)).prompt, "function");
 * ```
 */
export function spaceOf({ spec }: Pick<Environment, "spec">): QuestionSpace {
  return questionSpaces[(spec as AnyQuestionsSpec).space];
}

/**
 * The prompt of a data set, made once.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { standardRows } from "../amortised/standard_rows.ts";
 * import { promptOf } from "./amortise.ts";
 * const [x, z] = [[1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 4]].map((one) => Float64Array.from(one));
 * const rows = standardRows({ columns: [x, z], y: x.map((one, i) => 2 * one + (i % 2) / 4) });
 * assert.equal(promptOf({ id: "mine", rows }).id, "mine");
 * ```
 */
export function promptOf(
  { rows, id }: Pick<ScoredData, "rows" | "id">,
  space: QuestionSpace = questionSpaces.regression,
): Prompt {
  const known = prompts.get(rows);
  if (known) return known;
  const prompt = space.prompt(rows, id);
  prompts.set(rows, prompt);
  return prompt;
}

/**
 * One gradient step on some data sets: log P of their programs against their log rewards, each data set
 * by itself, so that its log Z is no parameter.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { questionsOf } from "../amortised/questions.ts";
 * import { standardRows } from "../amortised/standard_rows.ts";
 * import { createPolicy } from "../policies/create_policy.ts";
 * import { amortiseStep } from "./amortise.ts";
 * const [x, z] = [[1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 4]].map((one) => Float64Array.from(one));
 * const rows = standardRows({ columns: [x, z], y: x.map((one, i) => 2 * one + (i % 2) / 4) });
 * const programs = Int32Array.of(0, 1, 2, 3); // of no, the first, the second, and both predictors
 * const environment = questionsOf("regression", 2);
 * const policy = await createPolicy({ kind: "amortised" }, environment, "seed 1");
 * const data = { id: "mine", rows, programs, logRewards: Float64Array.of(-9, -2, -8, -3) };
 * const options = {
 *   loss: "cross_entropy", programs: 4, random: new RandomStream("programs"), learningRate: 3e-3, clipNorm: 1,
 * } as const;
 * const first = await amortiseStep(policy, environment, [data], options);
 * const second = await amortiseStep(policy, environment, [data], options);
 * assert(second.loss < first.loss);
 * ```
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
  const space = spaceOf(environment);
  const chosen = some.map(({ logRewards }) =>
    bestAndAny(logRewards, options.programs, options.random)
  );
  const walks = some.flatMap((data, k) => {
    const programs = chosen[k].map((m) => data.programs[m]);
    const prompt = space.among(promptOf(data, space), programs);
    return programs.map((program) => {
      return { actions: space.actions(environment, program, data.rows.columns.length), prompt };
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

/**
 * Log probabilities of the scored programs of a data set, nats, among themselves where only some were
 * scored.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { questionsOf } from "../amortised/questions.ts";
 * import { standardRows } from "../amortised/standard_rows.ts";
 * import { createPolicy } from "../policies/create_policy.ts";
 * import { logAnswers } from "./amortise.ts";
 * const [x, z] = [[1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 4]].map((one) => Float64Array.from(one));
 * const rows = standardRows({ columns: [x, z], y: x.map((one, i) => 2 * one + (i % 2) / 4) });
 * const programs = Int32Array.of(0, 1, 2, 3); // of no, the first, the second, and both predictors
 * const environment = questionsOf("regression", 2);
 * const policy = await createPolicy({ kind: "amortised" }, environment, "seed 1");
 * assert.equal((await logAnswers(policy, environment, { id: "mine", rows, programs })).length, 4);
 * ```
 */
export async function logAnswers(
  policy: Policy,
  environment: Environment,
  data: Pick<ScoredData, "id" | "rows" | "programs">,
): Promise<Float64Array> {
  const space = spaceOf(environment);
  const prompt = promptOf(data, space);
  const walks = Array.from(data.programs, (program) => {
    return { actions: space.actions(environment, program, data.rows.columns.length), prompt };
  });
  const batch = makeBatch(environment, walks, walks.map(() => [0]));
  const { logPf } = await policy.score(batch, { grad: false });
  return Float64Array.from(walks, (_, b) => rowSum(logPf, batch.T, b));
}
