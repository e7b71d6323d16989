/** Questions to critics: a question to a language model about a text, and the log rewards of its answers. */
import { digestOf } from "../../../base/digest.ts";

/** A question, the answers that may be given, and their grades. */
export interface CriticQuestion {
  /** Names it among the answers: equal questions have equal keys. */
  readonly key: string;
  /** The oracle as the pipeline names it. */
  readonly oracle: string;
  /** Stands before the text, which follows as quoted data. */
  readonly question: string;
  /** At least two that differ; all answers that a critic may give. */
  readonly answers: readonly string[];
  /** Grade of each answer, 0 … 1. */
  readonly grades: readonly number[];
  /** How often it is asked, each time with the answers in another order. */
  readonly askings: number;
  /** Probability that the answers have together, below which the critic did not answer. */
  readonly leastShare: number;
  /** Whether a summary of the data stands before the text. */
  readonly withData: boolean;
}

/** Outcome of asking a critic about one text. */
export interface CriticAnswer {
  /** Median of the expected grades of those askings that were answered; none if most were not. */
  readonly grade: number | undefined;
  /** Probability of all answers together, of each asking. */
  readonly shares: readonly number[];
  /** Expected grade of each asking that was answered. */
  readonly grades: readonly number[];
}

/** Answers by the keys of questions. */
export type CriticAnswers = ReadonlyMap<string, CriticAnswer>;

/** How a judge has its critics asked. */
export interface CriticSettings {
  /** The stage that answers. */
  readonly oracle: string;
  /** How often it is asked; 3 if left out. */
  readonly askings?: number;
  /** Probability that answers must have together; 0.01 if left out. */
  readonly least_share?: number;
}

/** A question by its settings. */
export function questionOf(
  { oracle, askings = 3, least_share: leastShare = 0.01 }: CriticSettings,
  asked: Pick<CriticQuestion, "question" | "answers" | "grades" | "withData">,
): CriticQuestion {
  const whole = { oracle, askings, leastShare, ...asked };
  return { key: digestOf(whole), ...whole };
}

/**
 * The grade that a question was given.
 *
 * @throws Error, an internal one, if it was not asked.
 */
export function answerTo(
  { key }: CriticQuestion,
  answers: CriticAnswers | undefined,
): CriticAnswer {
  const found = answers?.get(key);
  if (found) return found;
  throw new Error("internal: a judge was asked before its critic");
}
