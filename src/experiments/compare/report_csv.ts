/** Values behind the report of a sweep, one a line: for tables of one's own. */
import type { SweepReport } from "./sweep_report.ts";

/** Setting, seed, stage, measure, value; with a head. */
export function reportCsv({ measures }: SweepReport): string {
  const rows = measures.flatMap(({ stage, measure, settings }) =>
    settings.flatMap(({ setting, values }) =>
      Object.entries(values).map(([seed, value]) => [setting, seed, stage, measure, `${value}`])
    )
  );
  const head = ["setting", "seed", "stage", "measure", "value"];
  return [head, ...rows].map((row) => row.map(cell).join(",") + "\n").join("");
}

/** Quoted where it must be (RFC 4180); text that a spreadsheet would read as a formula is escaped. */
function cell(text: string): string {
  const safe = /^[=+@]|^-(?![\d.])/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
