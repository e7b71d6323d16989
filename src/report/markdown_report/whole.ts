/** The report of a run as Markdown, whatever the run was. */
import { proofPictures } from "../figures/proof.ts";
import type { RunReport } from "../report.ts";
import { answerReport } from "./answer.ts";
import { markdownReport, warningSection } from "./report.ts";

/** Undefined if the run neither answered nor evaluated anything. */
export function markdownOf(report: RunReport): string | undefined {
  const { certificate, answer } = report;
  if (certificate) return markdownReport({ ...report, certificate }, proofPictures(certificate));
  if (!answer) return undefined;
  const more = warningSection(report.warnings ?? []).map((part) => `\n${part}\n`);
  return answerReport(answer) + more.join("");
}
