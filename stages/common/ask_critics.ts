/** Asks critics: for every text and question the grade that log probabilities of answers give. */
import { digestOf } from "../../src/base/digest.ts";
import { exp, quantile } from "../../src/numerics/math/mod.ts";
import type {
  CriticAnswer,
  CriticAnswers,
  CriticQuestion,
} from "../../src/engine/score/judges/mod.ts";
import { answeredTurn, ChatTemplate, type ScoredText } from "../../src/models/text/mod.ts";
import type { OracleRecord } from "../../src/oracle/oracle.ts";
import type { ScoreByOracle } from "../../src/oracle/service.ts";
import type { StageContext } from "../../src/pipeline/contract/mod.ts";
import type { Target } from "../ports/values.ts";
import { criticPrompt, dataSummary } from "./critic_prompt.ts";
import type { OracleObject } from "./oracle_rewards.ts";

/**
 * Answers of all critics of a target, for each object; of a target that asks none, nothing.
 *
 * Every answer is scored behind the question, so that nothing is drawn: an asking gives the expected
 * grade of the answers, each weighed by its probability. Answers are kept by the oracle's memo.
 */
export async function askCritics(
  context: StageContext,
  target: Target,
  objects: readonly OracleObject[],
  purpose: "training" | "evaluation",
): Promise<(CriticAnswers | undefined)[]> {
  const all = (target.rule?.terms ?? []).flatMap(({ judge }) => judge.questions ?? []);
  const questions = [...new Map(all.map((one) => [one.key, one])).values()];
  if (questions.length === 0 || objects.length === 0) return objects.map(() => undefined);
  const found = objects.map(() => new Map<string, CriticAnswer>());
  for (const question of questions) {
    const answers = await askOne(context, target, question, objects, purpose);
    answers.forEach((answer, i) => found[i].set(question.key, answer));
  }
  return found;
}

/** A question in one order of its answers, and the answer whose probability is asked for. */
interface Asking {
  readonly asking: number;
  readonly place: number;
  readonly prompt: (text: string) => ScoredText;
}

async function askOne(
  context: StageContext,
  target: Target,
  question: CriticQuestion,
  objects: readonly OracleObject[],
  purpose: "training" | "evaluation",
): Promise<CriticAnswer[]> {
  const { grades, leastShare } = question;
  const ask = (some: readonly Asking[], term: number) =>
    context.ask<(readonly number[])[]>(
      "oracle",
      requestOf(target, question, objects, some, { term, purpose }),
    );
  const all = askingsOf(target, question);
  // Together first, so that what answers reads each prompt once for all of its answers; then one by
  // one, which is remembered, for a row of each.
  await ask(all, 0);
  const said: number[][][] = objects.map(() => []);
  for (const [term, one] of all.entries()) {
    const logProbs = await ask([one], term);
    logProbs.forEach((ids, i) => {
      (said[i][one.asking] ??= [])[one.place] = ids.reduce((sum, each) => sum + each, 0);
    });
  }
  return said.map((one) => gradeOf(one, grades, leastShare));
}

function askingsOf(target: Target, question: CriticQuestion): Asking[] {
  const { oracle: name, answers, askings, withData } = question;
  const oracle = target.critics![name];
  const summary = withData && target.dataset ? dataSummary(target.dataset) : undefined;
  return Array.from({ length: askings }, (_, asking) => {
    const order = turned(answers, asking);
    return answers.map((answer, place): Asking => ({
      asking,
      place,
      prompt: (text) =>
        answered(oracle, criticPrompt(question.question, summary, text, order), answer),
    }));
  }).flat();
}

/** Its rows are of weight 0: no log reward is a sum of them. */
function requestOf(
  target: Target,
  { key, oracle: name }: CriticQuestion,
  objects: readonly OracleObject[],
  some: readonly Asking[],
  { term, purpose }: { readonly term: number; readonly purpose: "training" | "evaluation" },
): ScoreByOracle & Record<string, unknown> {
  const oracle = target.critics![name];
  const each = objects.flatMap((object) => some.map((asking) => ({ object, asking })));
  const of = digestOf(["critic", key, oracle.model_sha256]);
  return {
    op: "score",
    oracle,
    purpose,
    programs: each.map(({ object }) => object.text),
    logPriors: each.map(({ object }) => object.logPrior),
    texts: each.map(({ object, asking }) => asking.prompt(object.text)),
    term: { target: of, term, oracle: name, of: "critic", weight: 0 },
  };
}

/** Answers in another order for each asking: turned, and backwards every second time. */
function turned(answers: readonly string[], asking: number): readonly string[] {
  const by = Math.floor(asking / 2) % answers.length;
  const order = [...answers.slice(by), ...answers.slice(0, by)];
  return asking % 2 === 0 ? order : order.reverse();
}

/** A prompt and an answer, as a conversation where the model has them. */
function answered(oracle: OracleRecord, prompt: string, answer: string): ScoredText {
  if (oracle.chat_template === null) return { given: `${prompt}\nAnswer:`, scored: ` ${answer}` };
  const template = new ChatTemplate(oracle.chat_template);
  const turns = [{ role: "user", content: prompt }, { role: "assistant", content: answer }];
  return { ...answeredTurn(template, turns, {}, oracle.end?.token), chat: true };
}

/**
 * @param logProbs `[askings][answers]`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { gradeOf } from "./ask_critics.ts";
 * const half = Math.log(0.5);
 * assert.equal(gradeOf([[half, half]], [0, 1], 0.01).grade, 0.5);
 * assert.equal(gradeOf([[-20, -20]], [0, 1], 0.01).grade, undefined);
 * ```
 */
export function gradeOf(
  logProbs: readonly (readonly number[])[],
  grades: readonly number[],
  leastShare: number,
): CriticAnswer {
  const shares = logProbs.map((row) => row.reduce((sum, one) => sum + exp(one), 0));
  const expected = logProbs.map((row, k) =>
    row.reduce((sum, one, a) => sum + exp(one) * grades[a], 0) / shares[k]
  );
  const given = expected.filter((_, k) => shares[k] >= leastShare);
  const isAnswered = 2 * given.length > logProbs.length;
  return {
    grade: isAnswered ? quantile(given.toSorted((a, b) => a - b), 0.5) : undefined,
    shares,
    grades: given,
  };
}
