/** One verdict on a question: how likely its answers are and whether the data separate them. */
import type { Answer, AnsweredQuestion } from "./answer_schema.ts";
import { middleOf } from "./was_scored.ts";

/** Change in probability below which the data do not inform on an answer. */
const nothing = 0.05;
/** Probability from which an answer is likely. */
export const likely = 0.9;

/**
 * The sentence that a report has for the two likeliest answers; empty where there is one alone. A
 * probability near 1 whose difference is within its error rests on few rows, or on little evidence:
 * the sentence says which, and never that the data cannot separate them.
 */
export function verdictOf(
  question: AnsweredQuestion,
  { unit, rows }: Pick<Answer, "unit" | "rows">,
): string {
  const { answers, difference } = question;
  const silent = answers.every((one) => Math.abs(middleOf(one) - one.prior) < nothing);
  if (!difference) return silent ? "The data say nothing about it." : "";
  const { answer, other, elpd_difference: elpd, error, verdict, reliable } = difference;
  const size = `ΔELPD ${signed(elpd)} ± ${error.toFixed(1)}`;
  if (silent) return `The data say nothing about it (${size}).`;
  if (verdict !== "apart") {
    return isLikely(question)
      ? unsettled(difference, size, unit, rows)
      : untold(difference, size, unit);
  }
  const few = reliable ? "" : `, an error that is likely too small with so few ${unit}s`;
  return elpd > 0
    ? `The data prefer ${answer} to ${other}: ${size}${few}.`
    : `The data prefer ${other} to ${answer}, which its prior favours: ${size}${few}.`;
}

type Difference = NonNullable<AnsweredQuestion["difference"]>;

function isLikely({ answers: [first] }: AnsweredQuestion): boolean {
  return (first.target ?? first.lo ?? 0) >= likely;
}

const unreliable = "standard errors of differences below 4 nats are unreliable";

/** Two answers of which neither is likely enough to speak of. */
function untold({ answer, other, verdict, reliable }: Difference, size: string, unit: string) {
  if (verdict === "small") {
    return `The data cannot tell ${answer} from ${other}: ${size}; ${unreliable}.`;
  }
  const few = reliable ? "" : `, an error that is likely too small with so few ${unit}s`;
  return `The data do not tell ${answer} from ${other}: ${size}${few}.`;
}

/** A likely answer that other data of the same kind could take back. */
function unsettled(
  { answer, other, verdict, deciding }: Difference,
  size: string,
  unit: string,
  count: number,
) {
  const named = `${answer} is likely and not settled against ${other}`;
  const lead = `${
    answer === "in" || answer === "out" ? "That is likely and not settled" : named
  }: ${size}`;
  if (verdict === "small") return `${lead}; ${unreliable}.`;
  if (!deciding) return `${lead}; the ${unit}s disagree.`;
  const { rows, elpd_difference: without } = deciding;
  const [which, decide, them] = rows.length === 1
    ? [unit, "decides", "it"]
    : [`${unit}s`, "decide", "them"];
  return `${lead}; ${which} ${rows.join(", ")} of the ${count} scored ${decide} it, ` +
    `without ${them} ΔELPD is ${signed(without)}.`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : ""}${Math.abs(value).toFixed(1)}`;
}
