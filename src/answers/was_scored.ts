/** Answers with a scored program, and questions with rivals. */
import { notAsked } from "../base/not_asked.ts";
import type { AnsweredQuestion } from "./answer_schema.ts";

/** False where no program that answers so has a score: nothing is known of it. */
export function wasScored(
  { scored }: Pick<AnsweredQuestion["answers"][number], "scored">,
): boolean {
  return scored > 0;
}

/** Questions with rival answers; that of one family has none. */
export function openQuestions(questions: readonly AnsweredQuestion[]): AnsweredQuestion[] {
  return questions.filter(({ answers }) =>
    answers.filter(({ answer }) => answer !== notAsked).length > 1
  );
}

/** The probability of an answer; the middle of its bounds where it is no number. */
export function middleOf(
  { target, lo, hi }: Pick<AnsweredQuestion["answers"][number], "target" | "lo" | "hi">,
): number {
  return target ?? ((lo ?? 0) + (hi ?? 1)) / 2;
}

/** Whether programs without a score could change the probabilities of a question. */
export function isOpen({ answers }: AnsweredQuestion): boolean {
  return answers.some(({ target }) => target === null);
}
