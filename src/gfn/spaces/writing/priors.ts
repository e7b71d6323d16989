/** Prior probabilities of answers, and widths of priors, as a pipeline gives them by question. */
import { inputError } from "../../../base/diagnostic.ts";
import { nearest } from "../../../base/nearest.ts";

/** Prior of one question: the probability of `in`, or of each answer, and widths. */
export type QuestionPrior =
  | number
  | readonly number[]
  | Readonly<Record<string, number | readonly number[]>>;

/**
 * By question: the probability of `in`, or of each answer. A list is of widths, factors of the
 * default widths of priors of parameters: under `width` for the whole space, under a question's name,
 * or beside its answers as `width`, for its terms. A text is the prior of one parameter: under `b[age]`,
 * `intercept`, `sigma`, as `Normal(0, 1)`.
 */
export type SpacePriors = Readonly<Record<string, QuestionPrior | string>>;

/** Priors of answers and widths alone. */
export type AnswerPriors = Readonly<Record<string, QuestionPrior>>;

/** The key under which widths stand. */
const widthKey = "width";

/** Widths of all terms without widths of their own; `[1]` by default. */
export function widthsOfSpace(priors: AnswerPriors | undefined): readonly number[] {
  const said = ownOf(priors, widthKey);
  return isList(said) ? checkedWidths(widthKey, said) : [1];
}

/** Widths of the terms of a question; undefined if the pipeline gives none. */
export function widthsOfQuestion(
  priors: AnswerPriors | undefined,
  question: string,
): readonly number[] | undefined {
  if (question === widthKey) return undefined;
  const said = ownOf(priors, question);
  const own = isList(said) || typeof said !== "object" ? said : said[widthKey];
  return isList(own) ? checkedWidths(question, own) : undefined;
}

/**
 * Prior probabilities of the answers of a question, in their order.
 *
 * @param usual priors where the pipeline gives none; equal ones, if left out.
 * @throws InputError `space/prior` if the given prior is no distribution over these answers.
 */
export function priorsOf(
  priors: AnswerPriors | undefined,
  question: string,
  answers: readonly string[],
  usual: readonly number[] = answers.map(() => 1 / answers.length),
): readonly number[] {
  const said = ownOf(priors, question);
  if (said === undefined || isList(said)) return usual;
  if (typeof said === "number" && answers.includes("in") && answers.length === 2) {
    return checked(question, answers.map((answer) => answer === "in" ? said : 1 - said));
  }
  const table = typeof said === "number" ? {} : probabilities(said);
  if (typeof said === "object" && Object.keys(table).length === 0) return usual;
  const full = table.in !== undefined && table.out === undefined && answers.includes("out")
    ? { ...table, out: 1 - table.in }
    : table;
  const missing = answers.find((answer) => ownOf(full, answer) === undefined);
  const strange = Object.keys(full).find((answer) => !answers.includes(answer));
  if (missing === undefined && strange === undefined) {
    return checked(question, answers.map((answer) => full[answer]));
  }
  const message = `Cannot read the prior of "${question}": ` +
    (strange === undefined ? `"${missing}" has none` : `it has no answer "${strange}"`);
  throw inputError("space/prior", message, undefined, `answers: ${answers.join(", ")}`);
}

/** @throws InputError `space/prior` for a prior that names no question of the space. */
export function checkAsked(
  priors: AnswerPriors | undefined,
  questions: readonly string[],
  terms: readonly string[] = [],
): void {
  for (const [name, said] of Object.entries(priors ?? {})) {
    if (questions.includes(name)) continue;
    if (isList(said) && (name === widthKey || terms.includes(name))) continue;
    const meant = nearest(name, questions);
    const message = `Cannot read the prior of "${name}": the space has no such question`;
    const hint = `${meant ? `did you mean "${meant}"? ` : ""}questions: ${questions.join(", ")}`;
    throw inputError("space/prior", message, undefined, hint);
  }
}

/** An own field of an object: a column may be called like an inherited one. */
function ownOf<T>(table: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return table && Object.hasOwn(table, name) ? table[name] : undefined;
}

function isList(said: unknown): said is readonly number[] {
  return Array.isArray(said);
}

/** Error for a question with widths and no prior that could be wider. */
export function withoutWidths(question: string): Error {
  const message =
    `Cannot read the widths of "${question}": none of its answers has a prior whose ` +
    "width could be another";
  return inputError("space/width", message, undefined, "leave its widths out");
}

/** The answers of a table, without its widths. */
function probabilities(said: Readonly<Record<string, number | readonly number[]>>) {
  const own = Object.entries(said).filter(([, value]) => !isList(value));
  return Object.fromEntries(own) as Record<string, number>;
}

function checked(question: string, priors: readonly number[]): readonly number[] {
  const sum = priors.reduce((total, prior) => total + prior, 0);
  if (priors.every((prior) => prior > 0) && Math.abs(sum - 1) < 1e-6) return priors;
  const message = `Cannot read the prior of "${question}": ${priors.join(" and ")} are no ` +
    "probabilities above 0 whose sum is 1";
  const hint = "take a term out of its brackets to have it always, or out of the formula";
  throw inputError("space/prior", message, undefined, hint);
}

function checkedWidths(question: string, widths: readonly number[]): readonly number[] {
  const isDistinct = new Set(widths).size === widths.length && widths.length > 0;
  if (isDistinct && widths.every((width) => width > 0 && Number.isFinite(width))) return widths;
  const message = `Cannot read the widths of "${question}": ${JSON.stringify(widths)} are no ` +
    "different numbers above 0";
  const hint = "factors of the default widths, such as [0.5, 1, 2]";
  throw inputError("space/width", message, undefined, hint);
}
