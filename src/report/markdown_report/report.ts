/** The report of a run as Markdown: proofs and findings in tables, with figures beside them. */
import type { Certificate, CertificateEvaluation } from "../certificate_schema.ts";
import { fileWord, type Picture } from "../figures/picture.ts";
import type { StageFindings } from "../findings.ts";
import type { RunReport, RunWarning } from "../report.ts";
import { answerSection } from "./answer.ts";
import { baselineTable, courseTable, legend, otherMeasures } from "./measures.ts";
import { verdictLines } from "../verdict_words.ts";
import { explorerTable } from "./explorers.ts";
import { playedSections } from "./played.ts";
import { attributionTable, lengthTable, modeTable, referenceTable } from "./parts.ts";
import { spreadSection } from "./spread.ts";
import { productionTable, programTable } from "./programs.ts";

/** The whole report of a run that evaluated something; figures are linked relative to it. */
export function markdownReport(
  { certificate, findings, answer, played = [], warnings = [] }: RunReport & {
    readonly certificate: Certificate;
  },
  figures: readonly Picture[],
): string {
  const { run, evaluations, course, spread = [], staleness = [] } = certificate;
  const figure = (name: string) => figureOf(figures, name);
  const found = (stage: string) => findings.stages.find((one) => one.stage === stage);
  return [
    `# ${run.name}`,
    `Run \`${run.run_id}\` of \`${run.pipeline}\`, seed ${run.seed}; ` +
    `Sluice ${run.versions.sluice}. Every divergence is in \`certificate.json\`.`,
    ...(answer ? answerSection(answer) : []),
    ...playedSections(played),
    ...warningSection(warnings),
    ...spreadSection(spread, figure),
    ...evaluations.flatMap((one) => evaluationSection(one, found(one.stage), figure)),
    ...staleness.map(({ stage, steps }) =>
      `Trajectories of \`${stage}\` were up to ${steps} steps old when they were learned from.`
    ),
    ...(course.length > 0 ? ["## As training went on", figure("course"), courseTable(course)] : []),
  ].filter((part) => part !== "").join("\n\n") + "\n";
}

/** Warnings: each asks for a decision, or casts a doubt. */
export function warningSection(warnings: readonly RunWarning[]): string[] {
  const lines = warnings.map(({ stage, message }) => `- **${stage}**: ${message}`);
  return lines.length === 0 ? [] : ["## Warnings", lines.join("\n")];
}

function figureOf(figures: readonly Picture[], name: string): string {
  const found = figures.find((one) => one.name === name);
  return found ? `![${found.caption}](${name}.svg)\n\n${found.caption}` : "";
}

function evaluationSection(
  one: CertificateEvaluation,
  found: StageFindings | undefined,
  figure: (name: string) => string,
): string[] {
  const name = fileWord(one.stage);
  return [
    `## ${one.stage}${how(one)}`,
    `${one.trajectories.toLocaleString("en")} trajectories, ` +
    `${one.distinct_evaluations.toLocaleString("en")} distinct evaluations.`,
    ...verdictLines(one).map((line) => `**${line.replace(/: /, ":** ")}`).slice(0, 1),
    ...verdictLines(one).slice(1).map(sentence),
    ...one.remarks.map((remark) => `> **Note:** ${remark}`),
    baselineTable(one),
    legend(one),
    figure(`baselines_${name}`),
    otherMeasures(one),
    ...section("### Explorers", explorerTable(one)),
    ...section("### Programs with the most weight", programTable(found?.programs ?? [])),
    ...section(
      "### Published programs among all",
      referenceTable(one.references ?? [], found?.programs[0]?.unit),
    ),
    ...section(
      "### Productions, by how much the data changed their probability",
      productionTable(found?.productions ?? []),
    ),
    ...section(
      "### Where the divergence arises",
      attributionTable(one),
      figure(`attribution_${name}`),
    ),
    ...section("### By length", lengthTable(one), figure(`lengths_${name}`)),
    ...section("### Objects of largest reward", modeTable(one)),
  ];
}

function sentence(line: string): string {
  return `${line[0].toUpperCase()}${line.slice(1)}.`;
}

/** A part under its heading; nothing if there is no table. */
function section(heading: string, table: string, figure = ""): string[] {
  return table === "" ? [] : [heading, table, figure];
}

function how({ exact, policy }: CertificateEvaluation): string {
  if (exact) return ": divergence from the target, counted over every object";
  return policy.ess ? ": divergence from the target, estimated from samples" : "";
}
