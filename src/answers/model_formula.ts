/** Writes models as formulas: the terms of every program of a space, and those of the model. */
import { notAsked } from "../base/not_asked.ts";

/** A question and a model's answer to it. */
interface Given {
  readonly question: string;
  readonly answer: string;
}

/**
 * A model in the notation of its formula, `mpg ~ 1 + wt + wt:am, normal`; answers that are no terms
 * stand behind it. Without a formula, its answers.
 *
 * @param formula left side and terms that all programs have: `mpg ~ 1`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { modelFormula } from "./model_formula.ts";
 * const questions = ["y | log(y)", "x", "z | log(z)", "sigma: x", "family"];
 * const answers = ["log(y)", "out", "log(z)", "in", "normal"];
 * assert.equal(
 *   modelFormula("y | log(y) ~ 1", questions, answers),
 *   "log(y) ~ 1 + log(z); sigma ~ x, normal",
 * );
 * ```
 */
export function modelFormula(
  formula: string | null | undefined,
  questions: readonly string[],
  answers: readonly string[],
): string {
  const given = questions.map((question, q) => ({ question, answer: answers[q] }));
  if (formula === null || formula === undefined) return given.map(plainAnswer).join(", ");
  const at = formula.indexOf(" ~ ");
  const [left, right] = [formula.slice(0, at), formula.slice(at + " ~ ".length)];
  const [asked, rest] = parted(given, ({ question }) => question === left);
  const [others, own] = parted(rest, isRest);
  const byParameter = Map.groupBy(own.flatMap(termOf), ({ parameter }) => parameter);
  const sides = [...byParameter].filter(([parameter]) => parameter !== "").map((
    [parameter, terms],
  ) => `; ${parameter} ~ ${terms.map(({ term }) => term).join(" + ")}`);
  const terms = (byParameter.get("") ?? []).map(({ term }) => term);
  const mean = `${asked[0]?.answer ?? left} ~ ${[right, ...terms].join(" + ")}`;
  return [mean + sides.join(""), ...others.map(({ answer }) => answer)].join(", ");
}

/** Questions whose answers are no terms: families, links. A term stands in its question. */
function isRest({ question, answer }: Given): boolean {
  return !["in", "out", notAsked].includes(answer) && !question.includes(answer);
}

/** A term, and the parameter that it is of; nothing before the colon for the mean. */
function termOf({ question, answer }: Given): { parameter: string; term: string }[] {
  if (answer === "out" || answer === notAsked) return [];
  const [, parameter = "", own] = /^(?:(\w+): )?(.*)$/s.exec(question)!;
  return [{ parameter, term: answer === "in" ? own : answer }];
}

function plainAnswer({ question, answer }: Given): string {
  if (answer === "in") return question;
  return answer === "out" ? `no ${question}` : answer;
}

function parted(given: readonly Given[], is: (one: Given) => boolean): [Given[], Given[]] {
  return [given.filter(is), given.filter((one) => !is(one))];
}
