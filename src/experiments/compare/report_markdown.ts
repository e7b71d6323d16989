/** The report of a sweep as Markdown, which a terminal shows as well. */
import { number } from "../../report/format.ts";
import type { ComparedMeasure, PairedDifference, Summary } from "./comparison.ts";
import type { Interval } from "./statistics.ts";
import type { SweepReport } from "./sweep_report.ts";

/** The whole report. */
export function reportMarkdown(report: SweepReport): string {
  const { sweep, pipeline, points, states, settings, measures, sql } = report;
  const counts = Object.entries(states).map(([state, n]) => `${n} ${state}`).join(", ");
  const open = settings.filter(({ done, points }) => done < points);
  return [
    `# Sweep ${sweep}`,
    `${points} points of \`${pipeline}\`: ${counts}. ${settings.length} settings.`,
    ...open.length === 0 ? [] : [
      `Not complete: ${
        open.map((one) => `${one.name} (${one.done} of ${one.points})`).join(", ")
      }.`,
    ],
    ...measures.map(measureMarkdown),
    ...measures.length === 0 ? ["No point has a value of these measures yet."] : [],
    "## How it was computed",
    method,
    `\`\`\`sql\n${sql}\n\`\`\``,
  ].join("\n\n") + "\n";
}

/** Definition of the numbers of the tables. */
export const method =
  `Each value is the last that a run has of the measure. Intervals are of 95 %. Each end
is the wider of Student's and of the expanded percentile bootstrap of 2,000 replicates, over seeds; a
difference uses the seeds that both settings have. IQM is the mean without the lowest and the highest
quarter. A setting is called better where the interval of its difference to every other excludes zero;
one in twenty such intervals does so by chance.`;

/** One measure: its table, and a sentence on the best setting. */
export function measureMarkdown(measure: ComparedMeasure): string {
  const { settings, differences } = measure;
  const head = ["setting", "n", "mean", "95 %", "IQM", "sd", "difference", "95 %", "differs"];
  const rows = settings.map((one) => [
    ...summaryCells(one),
    ...differenceCells(differences.find(({ setting }) => setting === one.setting)),
  ]);
  return `## ${titleOf(measure)}\n\n${table(head, rows)}\n\n${verdictOf(measure)}`;
}

/** `tv of evaluate, lower is better`. */
export function titleOf({ measure, stage, better }: ComparedMeasure): string {
  const way = { "-1": ", lower is better", "0": "", "1": ", higher is better" }[`${better}`];
  return `${measure} of ${stage}${way}`;
}

/** Cells of a setting's own values. */
export function summaryCells(one: Summary): string[] {
  const { setting, n, mean, iqm, sd } = one;
  const spread = n < 2 ? "" : number(sd, 3);
  return [setting, `${n}`, number(mean, 4), range(one), number(iqm, 4), spread];
}

/** Cells of a setting's difference to the baseline, which has none. */
export function differenceCells(one: PairedDifference | undefined): string[] {
  if (!one) return ["baseline", "", ""];
  return [number(one.mean, 4), range(one), one.lo === null ? "one seed" : one.told ? "yes" : "no"];
}

/** `0.11 … 0.19`, nothing of one seed. */
function range({ lo, hi }: Interval): string {
  return lo === null || hi === null ? "" : `${number(lo, 4)} … ${number(hi, 4)}`;
}

/** Sentence on the best setting, where there is one. */
export function verdictOf({ winner, better, settings }: ComparedMeasure): string {
  if (settings.length < 2) return "One setting: nothing to compare.";
  if (better === 0) return "Neither lower nor higher is better: no setting is named.";
  if (settings.some(({ n }) => n < 2)) return "One seed: no setting is named.";
  return winner === null
    ? "No setting is better than all others by intervals that exclude zero."
    : `Better than every other: ${winner}.`;
}

/** A Markdown table whose columns are as wide as their cells. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const clean = (cell: string) => cell.replaceAll("|", "\\|").replaceAll("\n", " ");
  const all = [head, ...rows].map((row) => row.map(clean));
  const widths = head.map((_, i) => Math.max(3, ...all.map((row) => [...row[i]].length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i])).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(all[0]), rule, ...all.slice(1).map(line)].join("\n");
}
