/** The part of a run's report about divergences: of the policy, of its baselines, and where from. */
import type { CertificateEvaluation, CertificateMeasure } from "../certificate_schema.ts";
import { clip, labelledTable, number, percent } from "../format.ts";
import { histogramFloor, isHistogramFloor } from "../histogram_floor.ts";
import { subjectLabels } from "../subjects.ts";
import { heading, type Terminal } from "../terminal.ts";
import { verdictLines } from "../verdict_words.ts";

type Measures = Readonly<Record<string, CertificateMeasure>>;

const columns = [
  ["tv", "TV"],
  ["kl_target_policy", "KL(target‖policy)"],
  ["kl_policy_target", "KL(policy‖target)"],
  ["jsd", "JSD"],
  ["lost_mass", "lost mass"],
] as const;

/** Divergences of the policy, and below it of its baselines. */
export function printDivergences(evaluation: CertificateEvaluation, terminal: Terminal): void {
  const { policy, baselines, remarks } = evaluation;
  const rows = [
    { kind: "policy" as const, name: "policy", measures: policy },
    ...baselines.filter((one) =>
      !isHistogramFloor(one) && columns.some(([name]) => one.measures[name])
    ),
  ];
  const labels = subjectLabels(rows, "short");
  const table = rows.map(({ measures }, i) => [
    labels[i],
    ...columns.map(([name]) => small(valueOf(measures, name))),
  ]);
  heading(terminal, "Divergence from the target, counted over every program (KL, JSD in nats)");
  const head = ["", ...columns.map(([, label]) => label)];
  terminal.out(labelledTable(head, table, terminal.width));
  for (const line of verdictLines(evaluation)) terminal.out(line);
  const floor = histogramFloor(evaluation);
  if (floor) terminal.out(floor);
  for (const message of remarks) terminal.out(`Note: ${message}`);
  for (const line of summary(policy)) terminal.out(line);
}

/** How many programs there are, log Z, and how many programs failed. */
function summary(policy: Measures): string[] {
  const value = (name: string) => valueOf(policy, name) ?? NaN;
  const error = policy.log_z_error ? `, learned off by ${signed(value("log_z_error"))}` : "";
  const size = `${value("programs")} programs, ` +
    `${number(value("effective_programs_target"), 3)} effective; ` +
    `log Z ${number(value("log_z"), 4)}${error}`;
  if (!policy.failed_programs) return [size];
  const failed = `${value("failed_programs")} failed, ${value("raised_programs")} raised ` +
    `(${percent(value("raised_share"))} of the target), ` +
    `${value("above_target_mcse")} above target_mcse`;
  return [
    ...[size, failed],
    ...countedApart(policy, "unreliable", "without a reliable estimate"),
    ...countedApart(policy, "undecided", "undecided: their workers were ended"),
  ];
}

/** Programs of a kind that is counted apart from failures, and their share; nothing if there are none. */
function countedApart(policy: Measures, kind: "unreliable" | "undecided", what: string): string[] {
  const programs = valueOf(policy, `${kind}_programs`) ?? 0;
  if (programs === 0) return [];
  const share = percent(valueOf(policy, `${kind}_share`) ?? NaN);
  return [`${programs} ${what} (${share} of the target)`];
}

/** The three places from which most of KL(target‖policy) comes. */
export function printAttribution(
  { attribution }: CertificateEvaluation,
  terminal: Terminal,
): void {
  if (attribution.length === 0) return;
  heading(terminal, "Where KL(target‖policy) arises");
  for (const { text, share } of attribution.slice(0, 3)) {
    const place = text === "" ? "(at the start)" : text;
    terminal.out(clip(`${percent(Number(share)).padStart(7)}  after ${place}`, terminal.width));
  }
}

function valueOf(measures: Measures, name: string): number | undefined {
  return measures[name] && Number(measures[name].value);
}

/** A divergence; values below rounding error are zero. */
function small(value: number | undefined): string {
  return value !== undefined && Math.abs(value) < 1e-9 ? "0" : number(value, 3);
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${number(Math.abs(value), 2)}`;
}
