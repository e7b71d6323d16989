/** Oracle terms of log rewards: the log probability of each, and their sum by weights. */
import { inputError } from "../../src/base/diagnostic.ts";
import { digestOf, sha256 } from "../../src/base/digest.ts";
import {
  answeredTurn,
  type ChatMessage,
  ChatTemplate,
  PromptTemplate,
  type ScoredText,
} from "../../src/models/text/mod.ts";
import type { ScoreByOracle } from "../../src/oracle/service.ts";
import type { Row, StageContext } from "../../src/pipeline/contract/mod.ts";
import type { OracleTerm } from "../ports/values.ts";
import { chatSettings } from "./chat_settings.ts";

/** Object to reward. */
export interface OracleObject {
  readonly text: string;
  readonly logPrior: number;
}

/** Sum of all oracle terms of a target for one object. */
export interface OracleOpinion {
  /** Σ weight · log p, nats. */
  readonly logReward: number;
  /** log p of each term, nats, in their order. */
  readonly terms: readonly number[];
}

/**
 * Asks the service `oracle` for every term of every object. Each answer is a row of `oracle_call`, and
 * the log reward is the sum of these rows: weight times the sum of `log_probs`.
 *
 * @param purpose `evaluation` if it is asked to measure, not to train.
 * @throws InputError if an object is empty, a template raises, or an oracle gives no log probability.
 */
export async function oracleOpinions(
  context: StageContext,
  terms: readonly OracleTerm[],
  objects: readonly OracleObject[],
  purpose: "training" | "evaluation" = "training",
): Promise<OracleOpinion[]> {
  if (objects.length === 0) return [];
  const target = digestOfTerms(terms);
  const columns: number[][] = [];
  for (const [term, one] of terms.entries()) {
    const { name, oracle, of, weight } = one;
    const texts = prompts(one);
    const generate = generated(context, one, objects.length, purpose);
    const answers = await context.ask<(readonly number[])[]>(
      "oracle",
      {
        op: "score",
        oracle,
        purpose,
        programs: objects.map(({ text }) => text),
        logPriors: objects.map(({ logPrior }) => logPrior),
        texts: objects.map(({ text }) => texts(text)),
        term: { target, term, oracle: name, of, weight },
        ...(generate && { generate }),
      } satisfies ScoreByOracle,
    );
    columns.push(answers.map((logProbs) => logProbs.reduce((sum, one) => sum + one, 0)));
  }
  return objects.map((_, i) => {
    const said = columns.map((column) => column[i]);
    const logReward = said.reduce((sum, one, t) => sum + terms[t].weight * one, 0);
    return { logReward, terms: said };
  });
}

/**
 * How an oracle is to write answers; undefined where they are given. One that is kept is drawn under one
 * name, so that R is a function of the object; a fresh one under the step's and the object's place.
 */
function generated(
  { step, stage }: StageContext,
  { answer }: OracleTerm,
  count: number,
  purpose: string,
): ScoreByOracle["generate"] {
  if (typeof answer !== "object") return undefined;
  const { temperature, most_tokens, fresh } = answer;
  const nameOf = (i: number) => fresh ? `${purpose} ${stage} ${step} ${i}` : "kept";
  return { temperature, most_tokens, draws: Array.from({ length: count }, (_, i) => nameOf(i)) };
}

/** Names the terms of a target in the table `oracle_call`: equal terms, equal names. */
function digestOfTerms(terms: readonly OracleTerm[]): string {
  return digestOf(terms.map((one) => ({ ...one, oracle: one.oracle.model_sha256 })));
}

/**
 * Scored text of an object, by the term. Templates are read here, so make it once.
 *
 * @throws InputError if a template is wrong, lacks `x`, or the model has no chat template.
 */
export function prompts(term: OracleTerm): (text: string) => ScoredText {
  const asked = askedBy(term);
  if (term.of === "x") {
    const before = term.given === undefined ? {} : asked(term.given);
    return (x) => ({ ...before, scored: nonEmpty(x) });
  }
  const template = new PromptTemplate(term.template!, { known: ["x"], required: ["x"] });
  if (typeof term.answer === "object") {
    const asked = askedBy(term);
    return (x) => ({ scored: "", isDrawn: true, ...asked(template.render({ x: nonEmpty(x) })) });
  }
  const answered = answeredBy(term, term.answer!);
  return (x) => answered(template.render({ x: nonEmpty(x) }));
}

/** Text before the scored part: as it is, or as a turn of a conversation. */
function askedBy(term: OracleTerm): (text: string) => Omit<ScoredText, "scored"> {
  if (!term.chat) return (given) => ({ given });
  const { template, turns } = conversationOf(term);
  return (content) => {
    return { given: template.render(turns(content), chatSettings(term)), chat: true };
  };
}

/** A prompt and the answer of the term: as texts, or as a conversation that the template writes whole. */
function answeredBy(term: OracleTerm, answer: string): (prompt: string) => ScoredText {
  if (!term.chat) return (given) => ({ given, scored: answer });
  const { template, turns } = conversationOf(term);
  const end = term.oracle.end?.token;
  return (content) => {
    const all = [...turns(content), { role: "assistant", content: answer }];
    return { ...answeredTurn(template, all, chatSettings(term), end), chat: true };
  };
}

function conversationOf({ oracle: { chat_template: chat, model }, system }: OracleTerm) {
  if (chat === null) throw withoutTemplate(model);
  const before = system === undefined ? [] : [{ role: "system", content: system }];
  const turns = (content: string): ChatMessage[] => [...before, { role: "user", content }];
  return { template: new ChatTemplate(chat), turns };
}

/** Rows of `judgement`: one for each term. */
export function oracleJudgementRows(
  terms: readonly OracleTerm[],
  text: string,
  index: number,
  { terms: said }: OracleOpinion,
): Row[] {
  return terms.map(({ name, of, oracle, weight }, t) => ({
    idx: index,
    program: sha256(text),
    judge: `${name}: ${of}`,
    version: oracle.model_sha256.slice(0, 12),
    score: said[t],
    components: { term: t, weight },
  }));
}

function nonEmpty(text: string): string {
  if (text !== "") return text;
  const message = "Cannot ask an oracle: an object of the environment is the empty text";
  throw inputError("oracle/empty", message, undefined, "leave it out of the environment");
}

function withoutTemplate(model: string) {
  const message = `Cannot ask "${model}" in a conversation: it has no chat template`;
  return inputError("oracle/no-chat", message, undefined, "leave out chat = true");
}
