/** The answer in words: a sentence for each question, and for each thing that it hangs on. */
import { notAsked } from "../base/not_asked.ts";
import { aboutConfirmation } from "./confirmation.ts";
import { aboutWiderPriors } from "./wider_priors.ts";
import type { Answer, AnsweredQuestion } from "./answer_schema.ts";
import { percent, range } from "./percent.ts";
import { verdictOf } from "./verdict.ts";
import { isOpen, openQuestions, wasScored } from "./was_scored.ts";

/** Least total variation for a sentence. */
const noteworthy = 0.05;

/** Sentences for people: whole, with their intervals. */
export function sentencesOf(answer: Omit<Answer, "sentences">): string[] {
  return [
    ...scoredPart(answer),
    ...openQuestions(answer.questions).map((question) => aboutQuestion(question, answer)),
    ...aboutData(answer),
    ...aboutWinner(answer),
    ...(answer.confirmation ? [aboutConfirmation(answer.confirmation)] : []),
    ...aboutLiterals(answer),
    ...aboutWiderPriors(answer),
    ...aboutPrior(answer),
    ...aboutEngine(answer),
  ];
}

/** Sentences on programs that were not executed, not scored, or raised. */
function scoredPart(answer: Omit<Answer, "sentences">): string[] {
  const { complete, programs, scored, failed, unscored_prior: left } = answer;
  const unfinished = `Only ${counted(scored + failed)} of ${counted(programs)} programs were ` +
    `executed; ${percent(left)} of the prior is not in this ` +
    "answer.";
  return [...(complete ? [] : [unfinished]), ...aboutFailed(answer), ...aboutRaised(answer)];
}

function aboutFailed(
  { complete, programs, failed, failed_at_most: most, unscored_prior: left }: Omit<
    Answer,
    "sentences"
  >,
): string[] {
  if (failed === 0) return [];
  const [are, they] = failed === 1 ? ["is", "it"] : ["are", "they"];
  const held = complete ? `; ${they} held ${percent(left)} of the prior and ${are} left out` : "";
  const bound = most === null
    ? ""
    : `; predicting like the best, ${they} would hold ${percent(most)} of the target`;
  return [
    `${counted(failed)} of ${counted(programs)} programs could not be scored${held}${bound}.`,
  ];
}

function aboutRaised({ raised, programs, raised_at_floor: floor }: Omit<Answer, "sentences">) {
  if (raised === 0) return [];
  return [
    `${counted(raised)} of ${counted(programs)} programs score below the floor of rewards that ` +
    `policies learn from; the answer uses their own scores (at the floor: ${
      percent(floor)
    } of the target).`,
  ];
}

function counted(n: number): string {
  return n.toLocaleString("en");
}

function aboutQuestion(
  question: AnsweredQuestion,
  answer: Pick<Answer, "unit" | "rows">,
): string {
  const [first, second] = question.answers.filter(wasScored);
  const lacking = lackingPart(question);
  if (!second && lacking !== "") {
    return `${question.question}: nothing is known: ${lacking}`;
  }
  const head = `${question.question}: ${shown(first, "90 % interval ")}, prior ${
    percent(first.prior)
  }`;
  const next = second ? `; next: ${shown(second)}` : "";
  const open = isOpen(question) ? openPart(lacking) : "";
  return [`${head}${next}.`, verdictOf(question, answer), open].filter(Boolean).join(" ");
}

/** The condition under which bounds hold. */
function openPart(lacking: string): string {
  const why = lacking === "" ? "some programs have no score." : lacking;
  return `Bounds: ${why} They hold if no unscored program predicts better than the best scored one.`;
}

/** Clause on answers none of whose programs was scored, and on the prior that they held. */
function lackingPart({ answers }: AnsweredQuestion): string {
  const lacking = answers.filter((one) => !wasScored(one) && one.answer !== notAsked);
  if (lacking.length === 0) return "";
  const held = lacking.reduce((sum, { prior }) => sum + prior, 0);
  return `no program that answers ${
    lacking.map(({ answer }) => answer).join(" or ")
  } was scored; ` +
    `they held ${percent(held)} of the prior.`;
}

/** @param called name of the interval. */
function shown(one: AnsweredQuestion["answers"][number], called = ""): string {
  const { answer, target, lo: least, hi: most, whole_lo: lo, whole_hi: hi } = one;
  if (target === null) return `${answer} ${range(least ?? 0, most ?? 1)}`;
  const interval = lo === null || hi === null || percent(lo) === percent(hi)
    ? ""
    : ` (${called}${range(lo, hi)})`;
  return `${answer} ${percent(target)}${interval}`;
}

function aboutData(
  { bootstrap_tv: tv, rows, unit }: Pick<Answer, "bootstrap_tv" | "rows" | "unit">,
) {
  if (rows === 0) {
    return ["The reward is no sum over rows: no bootstrap says what other data would do."];
  }
  if (!tv) return [`One ${unit} has no bootstrap: how far other data would move this is unknown.`];
  return [
    `Bootstraps of the ${rows} ${unit}s move the target by total variation ` +
    `${tv.median.toFixed(2)} (90 % interval ${tv.lo.toFixed(2)} to ${tv.hi.toFixed(2)}).`,
  ];
}

/**
 * Least programs for a sentence on the lead of the best: ten candidates and the worst, as in
 * `loo_compare` of the R package loo.
 */
const fewPrograms = 12;

function aboutWinner(
  { winner, scored, questions }: Pick<Answer, "winner" | "scored" | "questions">,
): string[] {
  if (!winner || scored < 2) return [];
  const { same_in_bootstraps: same, expected_bias: bias, lead, lead_by_chance: chance } = winner;
  if (percent(same) === "100 %") {
    return ["The likeliest program stays the likeliest in all bootstraps."];
  }
  // Where an answer is preferred, programs differ by more than chance, and their spread is no noise.
  const isDecided = questions.some(({ difference }) => difference?.verdict === "apart");
  const luck = lead <= chance && scored >= fewPrograms && !isDecided
    ? `; its lead over the median program (${lead.toFixed(1)} nats) is below what chance alone ` +
      `gives (${chance.toFixed(1)})`
    : "";
  return [
    `The likeliest program stays the likeliest in ${percent(same)} of bootstraps; selection ` +
    `bias of its ELPD: about ${bias.toFixed(1)} nats${luck}.`,
    ...aboutSearch(winner, scored),
  ];
}

/** Sentence on programs that were tried and are not listed: the best of many gains by chance alone. */
function aboutSearch(
  { searched, search_bias: bias }: NonNullable<Answer["winner"]>,
  scored: number,
): string[] {
  if (searched <= scored) return [];
  return [
    `Searched: ${
      searched.toLocaleString("en")
    } programs. The best of so many, each with one parameter ` +
    `more, gains about ${bias.toFixed(1)} nats by chance alone.`,
  ];
}

/** Models whose constants are charged that a sentence names. */
const mostCharged = 3;
/** Least charge in nats for a sentence. */
const leastCharge = 0.05;

function aboutLiterals({ likeliest }: Pick<Answer, "likeliest">): string[] {
  const charged = likeliest.filter(({ literals }) => literals !== null && literals < -leastCharge);
  if (charged.length === 0) return [];
  const named = charged.slice(0, mostCharged)
    .map(({ model, literals }) => `${model} ${literals!.toFixed(1)}`);
  const more = charged.length > mostCharged ? ` and ${charged.length - mostCharged} more` : "";
  return [`Digits of constants are charged, in nats: ${named.join(", ")}${more}.`];
}

/** Sentence on the effect of a flat prior over programs, and on the answer that it changes most. */
function aboutPrior({ prior_scaling, questions }: Pick<Answer, "prior_scaling" | "questions">) {
  const tv = prior_scaling.find(({ power }) => power === 0)!.tv;
  if (tv < noteworthy) return [];
  const moved =
    questions.flatMap(({ question, answers, flat_prior }) =>
      answers.flatMap(({ answer, target }) => {
        const flat = flat_prior[answer];
        return target === null || flat === null ? [] : [{ question, answer, target, flat }];
      })
    ).sort((a, b) => Math.abs(b.flat - b.target) - Math.abs(a.flat - a.target))[0];
  const most = moved
    ? `, and ${moved.question}: ${moved.answer} from ${percent(moved.target)} to ` +
      `${percent(moved.flat)}`
    : "";
  return [
    `A flat prior over programs would move the target by total variation ${tv.toFixed(2)}${most}.`,
  ];
}

function aboutEngine({ engine_tv: { median, hi } }: Pick<Answer, "engine_tv">): string[] {
  if (hi < noteworthy) return [];
  return [
    `The engine's Monte Carlo errors move the target by total variation ${median.toFixed(2)}, ` +
    `at most about ${hi.toFixed(2)}.`,
  ];
}
