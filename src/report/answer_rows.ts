/** Measures of a benchmark of answers, in words: the rows that all reports show. */
import type { CertificateEvaluation, CertificateMeasure } from "./certificate_schema.ts";
import { short } from "./markdown_report/table.ts";

const labels = {
  exact_match: "answers with the text of an example",
  program_match: "answers that are the program of one",
  valid_share: "answers that can be scored",
  distinct: "answers that differ",
  mean_log_reward: "mean log reward, nats",
  best_of_n: "best of several, nats",
  log_likelihood: "log p of a right answer, nats",
  log_likelihood_per_token: "log p of a token of one, nats",
} as const;

/** The columns of `answerRows`. */
export const answerHead = ["answers", "value", "interval", "how"] as const;

/** Whether answers were asked for that nothing rewards. */
export function isUnrewarded({ policy }: CertificateEvaluation): boolean {
  return policy.exact_match !== undefined && policy.mean_log_reward === undefined;
}

/** A row for each measure, those of prompts held out last; none where no answers were sampled. */
export function answerRows({ policy }: CertificateEvaluation): string[][] {
  return [["", ""], ["held_out_", ", held out"]].flatMap(([prefix, suffix]) => {
    if (!["best_of_n", "exact_match"].some((name) => policy[prefix + name])) return [];
    return Object.entries(labels).flatMap(([name, label]) => {
      const measure = policy[prefix + name];
      return measure ? [[label + suffix, ...cells(measure)]] : [];
    });
  });
}

function cells({ value, mcse, ci_lo, ci_hi, n, method }: CertificateMeasure): string[] {
  const interval = mcse === 0 ? "" : `${short(ci_lo)} … ${short(ci_hi)}`;
  return [short(value), interval, `${method}, n = ${n}`];
}
