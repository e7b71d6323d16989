/** Words for the answer of a policy for many data sets: its prediction, and the range where it holds. */
import type { Terminal } from "../../report/terminal.ts";

/** Probability that a policy gives an answer. */
interface AnswerShare {
  readonly question: string;
  /** `in` of predictors. */
  readonly answer: string;
  readonly probability: number;
}

/** The detail of the event `policy_escalation`. */
interface Escalated {
  readonly by: "none" | "trials" | "surrogate" | "count";
  readonly steps: readonly { readonly said: string; readonly passed: boolean }[];
  readonly inclusion: readonly AnswerShare[];
}

/** The detail of the event `policy_answer`. */
export interface PolicyDetail {
  readonly policy: string;
  readonly digest: string;
  readonly passed: boolean;
  readonly distance: number;
  readonly reach: number;
  readonly reasons: readonly string[];
  readonly inclusion: readonly AnswerShare[];
  readonly likeliest: readonly { readonly in: readonly string[]; readonly probability: number }[];
  /** Steps that were taken once programs were executed. */
  readonly escalation?: Escalated;
  readonly figures: Readonly<Record<string, number>>;
  readonly trained: Readonly<Record<string, number>>;
}

/** Prints what a policy answers, and how near answers of its kind came to counting. */
export function printPolicy(terminal: Terminal, detail: PolicyDetail): void {
  const { inclusion, likeliest, figures, distance, reach, passed, reasons } = detail;
  if (!passed) {
    terminal.out(`\nThe policy does not answer: ${reasons.join("; ")}`);
    return;
  }
  terminal.out("\nBy the policy, before any execution:");
  printShares(terminal, inclusion);
  const [best] = likeliest;
  const named = best.in.length === 0 ? "no predictor" : best.in.join(" + ");
  terminal.out(`  likeliest: ${named} (${percent(best.probability)})`);
  const error = (100 * figures.inclusion_error).toFixed(1);
  terminal.out(
    `  On held-out data sets these erred by ${error} percentage points on average; total ` +
      `variation: median ${figures.tv_median.toFixed(2)}, 90th percentile ${
        figures.tv_p90.toFixed(2)
      }.`,
  );
  const far = Math.max(distance, reach).toFixed(1);
  terminal.out(`  These data lie within the range of its training, at ${far} of its bounds.`);
}

const percent = (share: number) => `${(100 * share).toFixed(0)} %`;

function printShares(terminal: Terminal, inclusion: readonly AnswerShare[]): void {
  const width = Math.max(...inclusion.map(({ question }) => question.length));
  for (const { question, answer, probability } of shown(inclusion)) {
    terminal.out(`  ${question.padEnd(width)}  ${answer} ${percent(probability).padStart(5)}`);
  }
}

/** Answers of a question with several that have less are not shown. */
const leastShown = 0.05;

/** Predictors as they are asked; of other questions the likely answers, likeliest first. */
function shown(inclusion: readonly AnswerShare[]): readonly AnswerShare[] {
  const byQuestion = [...Map.groupBy(inclusion, ({ question }) => question).values()];
  const all = byQuestion.flatMap((some) => {
    if (some.length === 1) return some;
    return some.filter(({ probability }) => probability >= leastShown)
      .sort((a, b) => b.probability - a.probability);
  });
  const longest = Math.max(...all.map(({ answer }) => answer.length));
  return all.map((one) => ({ ...one, answer: one.answer.padEnd(longest) }));
}

/** Prints the steps from the policy's answer to counting, and the answer of the last where not all was executed. */
export function printEscalation(terminal: Terminal, { escalation }: PolicyDetail): void {
  if (!escalation) return;
  terminal.out("\nFrom the policy's answer to counting:");
  for (const { said, passed } of escalation.steps) terminal.out(`  ${passed ? "✓" : "✗"} ${said}`);
  const { by, inclusion } = escalation;
  if (by === "count") return;
  if (by === "none") {
    terminal.out(
      "  No step holds: execute more programs, or leave out --executions to count them all.",
    );
  }
  terminal.out("  With programs that were not executed, by the last step:");
  printShares(terminal, inclusion);
}
