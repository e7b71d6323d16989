/** The report at the end of a run: the answer, then its proof, and what to do next. */
import type { Certificate, CertificateEvaluation } from "../certificate_schema.ts";
import type { Findings } from "../findings.ts";
import type { RunReport, RunWarning } from "../report.ts";
import { plainTable } from "../format.ts";
import { wrapped } from "../wrapped.ts";
import { heading, type Terminal } from "../terminal.ts";
import { answerHead, answerRows, isUnrewarded } from "../answer_rows.ts";
import { printAnswer } from "./answer.ts";
import { printCourse } from "./course.ts";
import { printAttribution, printDivergences } from "./divergences.ts";
import { printPlayed } from "./played.ts";
import { instanceOf, middleOnes } from "../spread.ts";
import { printSpreads } from "./spread.ts";
import { printEstimates } from "./estimates.ts";
import { printInclusion, printPrograms, printReferences } from "./programs.ts";

/** Where the run is, as the last lines name it. */
interface ReportPlace {
  readonly runId: string;
  readonly database: string;
  /** How Sluice is called here: `deno task sluice`, or `npx sluice`. */
  readonly command: string;
}

/** Prints what a run answers and what it proved; a run that did neither gets the last lines only. */
export function printReport(
  { certificate, findings, answer, played = [], warnings = [] }: RunReport,
  place: ReportPlace,
  terminal: Terminal,
): void {
  if (answer) printAnswer(answer, terminal);
  printPlayed(played, terminal);
  if (certificate) printCertificate(certificate, findings, terminal);
  printWarnings(warnings, terminal);
  printNext(place, terminal, {
    files: findings.hasPrograms,
    isCounted: answer !== undefined,
    isPlayed: played.length > 0,
    isUnrewarded: certificate?.evaluations.some(isUnrewarded) ?? false,
  });
}

/** Prints what asks for a decision, or casts a doubt. */
export function printWarnings(warnings: readonly RunWarning[], terminal: Terminal): void {
  if (warnings.length === 0) return;
  terminal.out(`\n${terminal.colour.bold("Warnings")}`);
  for (const { stage, message } of warnings) {
    const where = stage === null ? "" : `${stage}: `;
    terminal.out(terminal.colour.yellow(wrapped(`! ${where}${message}`, terminal.width)));
  }
}

function printCertificate(
  { evaluations: all, course, spread = [] }: Certificate,
  findings: Findings,
  terminal: Terminal,
): void {
  printSpreads(spread, terminal);
  const evaluations = middleOnes(all);
  if (spread.length > 0) {
    terminal.out(`Below, of middle TV: ${evaluations.map(({ stage }) => stage).join(", ")}`);
  }
  for (const evaluation of evaluations.filter(({ exact }) => exact)) {
    const found = findings.stages.find(({ stage }) => stage === evaluation.stage);
    printPrograms(found?.programs ?? [], terminal);
    printReferences(evaluation.references ?? [], terminal);
    printInclusion(found?.productions ?? [], terminal);
    printDivergences(evaluation, terminal);
    printAttribution(evaluation, terminal);
  }
  for (const evaluation of evaluations) printEstimates(evaluation, terminal);
  for (const evaluation of evaluations) printBenchmark(evaluation, terminal);
  const trained = new Set(middleOnes(all).map(({ stage }) => instanceOf(stage).number));
  const isShown = (number: number | undefined) => number === undefined || trained.has(number);
  printCourse(course.filter(({ stage }) => isShown(instanceOf(stage).number)), terminal);
}

/** Answers of a policy, where it was asked to. */
function printBenchmark(evaluation: CertificateEvaluation, terminal: Terminal): void {
  const rows = answerRows(evaluation);
  if (rows.length === 0) return;
  heading(terminal, `Answers, ${evaluation.stage}`);
  terminal.out(plainTable([...answerHead], rows, [1, 2]));
}

/** Contents of a run: programs that can be written as files; every program in `candidate`. */
interface Left {
  readonly files: boolean;
  readonly isCounted: boolean;
  readonly isPlayed: boolean;
  readonly isUnrewarded: boolean;
}

/** How to go on. */
function printNext(
  { runId, database, command }: ReportPlace,
  terminal: Terminal,
  { files, isCounted, isPlayed, isUnrewarded }: Left,
): void {
  const { colour } = terminal;
  terminal.out(`\nRun ${runId}: ${database}`);
  const sql = isPlayed
    ? "select stage, avg(nats), avg(error), avg(skill) from episode group by stage"
    : isCounted
    ? "select log_reward, answers from candidate order by 1 desc limit 5"
    : isUnrewarded
    ? "select stage, program, count(*) from trajectory group by all order by 3 desc limit 5"
    : "select distinct program, log_reward from trajectory order by 2 desc limit 5";
  terminal.out(`Ask it:  ${colour.cyan(`${command} query --run last "${sql}"`)}`);
  const write = `${command} programs last --top 10 --out best/`;
  if (files) terminal.out(`Files:   ${colour.cyan(write)}`);
}
