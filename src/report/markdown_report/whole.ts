/** The report of a run as Markdown, whatever the run was. */
import { proofPictures } from "../figures/proof.ts";
import type { RunReport } from "../report.ts";
import { answerReport } from "./answer.ts";
import { playedSections } from "./played.ts";
import { markdownReport, warningSection } from "./report.ts";

/** Undefined if the run neither answered, nor evaluated, nor played anything. */
export function markdownOf(report: RunReport): string | undefined {
  const { certificate, answer, played = [] } = report;
  if (certificate) return markdownReport({ ...report, certificate }, proofPictures(certificate));
  if (!answer && played.length === 0) return undefined;
  const sections = [...playedSections(played), ...warningSection(report.warnings ?? [])];
  if (!answer) return `${["# Experiments that were played", ...sections].join("\n\n")}\n`;
  return answerReport(answer) + sections.map((part) => `\n${part}\n`).join("");
}
