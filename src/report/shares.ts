/** Probabilities of an answer as reports print them: numbers, bounds, or that nothing is known. */
import type { Answer, AnsweredQuestion } from "../answers/answer_schema.ts";
import { wasScored } from "../answers/mod.ts";

/** A share of the target, with its bounds where it is no number. */
type Share = Pick<Answer["likeliest"][number], "target" | "lo" | "hi">;

/** Bounds where programs without a score could change the share; the share itself else. */
export function targetText(
  { target, lo, hi }: Share,
  percent: (share: number) => string,
): string {
  if (target !== null) return percent(target);
  return rangeText(lo, hi, percent);
}

/** `41.4 … 99.9 %`, or nothing where there is no interval. */
export function rangeText(
  lo: number | null,
  hi: number | null,
  percent: (share: number) => string,
): string {
  if (lo === null || hi === null) return "";
  return `${percent(lo).replace(/[\s\u00a0]%$/, "")} … ${percent(hi)}`;
}

/** Share of an answer to a question, which may have no scored program. */
export function answerText(
  one: AnsweredQuestion["answers"][number],
  percent: (share: number) => string,
): string {
  return wasScored(one) ? targetText(one, percent) : "not scored";
}

/** In how large a part of the models a term is; `–` where programs without a score could change it. */
export function partText(share: number | null, percent: (share: number) => string): string {
  return share === null ? "–" : percent(share);
}
