/** Words for the answer of a policy for many data sets: what it says without execution, and how far that holds. */
import type { Terminal } from "../../report/terminal.ts";

/** The detail of the event `policy_answer`. */
export interface PolicyDetail {
  readonly policy: string;
  readonly digest: string;
  readonly passed: boolean;
  readonly distance: number;
  readonly reach: number;
  readonly reasons: readonly string[];
  readonly inclusion: readonly { readonly question: string; readonly probability: number }[];
  readonly likeliest: readonly { readonly in: readonly string[]; readonly probability: number }[];
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
  const percent = (share: number) => `${(100 * share).toFixed(0)} %`;
  terminal.out("\nBy the policy, before any execution:");
  const width = Math.max(...inclusion.map(({ question }) => question.length));
  for (const { question, probability } of inclusion) {
    terminal.out(`  ${question.padEnd(width)}  in ${percent(probability).padStart(5)}`);
  }
  const [best] = likeliest;
  const named = best.in.length === 0 ? "no predictor" : best.in.join(" + ");
  terminal.out(`  likeliest: ${named} (${percent(best.probability)})`);
  const error = (100 * figures.inclusion_error).toFixed(1);
  terminal.out(
    `  On held-out data sets such shares were off by ${error} points on average; total variation ` +
      `${figures.tv_median.toFixed(2)} in the median, ${figures.tv_p90.toFixed(2)} in one of ten.`,
  );
  const far = Math.max(distance, reach).toFixed(1);
  terminal.out(`  These data are like those of its training: ${far} of the way to its bounds.`);
}
