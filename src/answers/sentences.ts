/** The answer in words: a sentence for each question, and for each thing that it hangs on. */
import { notAsked } from "../base/not_asked.ts";
import type { Answer, AnsweredQuestion } from "./answer_schema.ts";
import { openQuestions, wasScored } from "./was_scored.ts";

/** Points of probability below which the data have said nothing of an answer. */
const nothing = 0.05;
/** Total variation above which it is worth a sentence. */
const noteworthy = 0.05;

/** Sentences for people: whole, with their intervals. */
export function sentencesOf(answer: Omit<Answer, "sentences">): string[] {
  return [
    ...scoredPart(answer),
    ...openQuestions(answer.questions).map((question) => aboutQuestion(question, answer)),
    ...aboutData(answer),
    ...aboutWinner(answer),
    ...aboutPrior(answer),
    ...aboutEngine(answer),
  ];
}

/** What was not executed, not scored, or raised, if anything. */
function scoredPart(answer: Omit<Answer, "sentences">): string[] {
  const { complete, programs, scored, failed, unscored_prior: left } = answer;
  const unfinished = `Only ${counted(scored + failed)} of ${counted(programs)} programs were ` +
    `executed, the likeliest before the data first; ${percent(left)} of the prior is not in this ` +
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
    : `: had ${they} predicted as well as the best, ${they} would hold ${percent(most)}`;
  return [
    `${counted(failed)} of ${counted(programs)} programs could not be scored${held}${bound}.`,
  ];
}

function aboutRaised({ raised, programs, raised_at_floor: floor }: Omit<Answer, "sentences">) {
  if (raised === 0) return [];
  return [
    `${counted(raised)} of ${counted(programs)} programs predict worse than the floor of rewards ` +
    `that policies learn from; here they count by their own score (at the floor: ${
      percent(floor)
    }).`,
  ];
}

function counted(n: number): string {
  return n.toLocaleString("en");
}

function aboutQuestion(question: AnsweredQuestion, { unit }: Pick<Answer, "unit">): string {
  const scored = question.answers.filter(wasScored);
  const [first, second] = scored;
  const lacking = lackingPart(question);
  if (scored.length < 2 && lacking !== "") {
    return `${question.question}: nothing is known. ${lacking}`;
  }
  const head = `${question.question}: ${shown(first)}, ${percent(first.prior)} before the data`;
  const next = second ? `; then ${shown(second)}` : "";
  return [`${head}${next}.`, verdictOf(question, unit), lacking].filter(Boolean).join(" ");
}

/** Answers none of whose programs was scored: what the others have is not theirs. */
function lackingPart({ answers }: AnsweredQuestion): string {
  const lacking = answers.filter((one) => !wasScored(one) && one.answer !== notAsked);
  if (lacking.length === 0) return "";
  const held = lacking.reduce((sum, { prior }) => sum + prior, 0);
  return `No program that answers ${
    lacking.map(({ answer }) => answer).join(" or ")
  } was scored; ` +
    `they held ${percent(held)} of the prior.`;
}

function shown(
  { answer, target, whole_lo: lo, whole_hi: hi }: AnsweredQuestion["answers"][number],
): string {
  const interval = lo === null || hi === null || percent(lo) === percent(hi)
    ? ""
    : ` (interval ${range(lo, hi)})`;
  return `${answer} ${percent(target)}${interval}`;
}

/** Whether the data can tell the two likeliest answers apart. */
function verdictOf(
  { answers, difference }: AnsweredQuestion,
  unit: Answer["unit"],
): string {
  const silent = answers.every(({ prior, target }) => Math.abs(target - prior) < nothing);
  if (!difference) return silent ? "The data say nothing about it." : "";
  const { answer, other, elpd_difference, error, verdict, reliable } = difference;
  const size = `ΔELPD ${signed(elpd_difference)} ± ${error.toFixed(1)}`;
  if (silent) return `The data say nothing about it (${size}).`;
  if (verdict === "small") {
    return `The data cannot tell ${answer} from ${other}: ${size}; standard errors of ` +
      "differences below 4 nats are unreliable.";
  }
  const few = reliable ? "" : `, an error that is likely too small with so few ${unit}s`;
  if (verdict === "alike") return `The data do not tell ${answer} from ${other}: ${size}${few}.`;
  return elpd_difference > 0
    ? `The data prefer ${answer} to ${other}: ${size}${few}.`
    : `The data prefer ${other} to ${answer}, which its prior carries: ${size}${few}.`;
}

function aboutData(
  { bootstrap_tv: tv, rows, unit }: Pick<Answer, "bootstrap_tv" | "rows" | "unit">,
) {
  if (!tv) return [`Without several ${unit}s nothing says how far other data would move this.`];
  return [
    `Bootstraps of the ${rows} ${unit}s move the target by a total variation of ` +
    `${tv.median.toFixed(2)} (${tv.lo.toFixed(2)} to ${tv.hi.toFixed(2)}).`,
  ];
}

/**
 * Programs below which the lead of the best says nothing: ten candidates and the worst, as
 * `loo_compare` of the R package loo has it.
 */
const fewPrograms = 12;

function aboutWinner(
  { winner, scored, questions }: Pick<Answer, "winner" | "scored" | "questions">,
): string[] {
  if (!winner || scored < 2) return [];
  const { same_in_bootstraps: same, expected_bias: bias, lead, lead_by_chance: chance } = winner;
  if (percent(same) === "100 %") {
    return ["The likeliest program is the likeliest in all bootstraps."];
  }
  // Where an answer is preferred, programs differ by more than chance, and their spread is no noise.
  const isDecided = questions.some(({ difference }) => difference?.verdict === "apart");
  const luck = lead <= chance && scored >= fewPrograms && !isDecided
    ? `; its lead of ${lead.toFixed(1)} over the median is below what chance alone would ` +
      `give (${chance.toFixed(1)})`
    : "";
  return [
    `The likeliest program stays the likeliest in ${percent(same)} of bootstraps; selection ` +
    `bias of its ELPD: about ${bias.toFixed(1)} nats${luck}.`,
  ];
}

/** What a flat prior over programs would change, and for which answer most. */
function aboutPrior({ prior_scaling, questions }: Pick<Answer, "prior_scaling" | "questions">) {
  const tv = prior_scaling.find(({ power }) => power === 0)!.tv;
  if (tv < noteworthy) return [];
  const moved =
    questions.flatMap(({ question, answers, flat_prior }) =>
      answers.map((one) => ({ question, ...one, flat: flat_prior[one.answer] }))
    ).sort((a, b) => Math.abs(b.flat - b.target) - Math.abs(a.flat - a.target))[0];
  const most = moved
    ? `, and ${moved.question} ${moved.answer} from ${percent(moved.target)} to ` +
      `${percent(moved.flat)}`
    : "";
  return [`A flat prior over programs would move the target by ${tv.toFixed(2)}${most}.`];
}

function aboutEngine({ engine_tv: { median, hi } }: Pick<Answer, "engine_tv">): string[] {
  if (hi < noteworthy) return [];
  return [
    `The engine's own Monte Carlo errors move it by ${median.toFixed(2)}, at most about ` +
    `${hi.toFixed(2)}.`,
  ];
}

/** Whole percents, but for what is close to 0 or 1. */
function percent(share: number): string {
  const points = 100 * share;
  if (points > 0 && points < 0.05) return "less than 0.1 %";
  if (points > 99.95 && points < 100) return "more than 99.9 %";
  const digits = points < 9.95 || points > 90.05 ? 1 : 0;
  return `${points.toFixed(digits).replace(/\.0$/, "")} %`;
}

function range(lo: number, hi: number): string {
  const from = lo > 0 && lo < 0.0005 ? "0" : percent(lo).replace(" %", "");
  return `${from} to ${percent(hi)}`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(1)}`;
}
