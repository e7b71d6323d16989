/** The report of a sweep in one of its forms. */
import {
  readSweep,
  reportCsv,
  reportHtml,
  reportMarkdown,
  sweepReport,
  sweepStatus,
} from "../experiments/mod.ts";
import { inputError } from "../base/diagnostic.ts";
import { askRuns } from "./ask_runs.ts";

/** Options of a report from the command line. */
interface AskedReport {
  readonly format: "markdown" | "html" | "json" | "csv";
  readonly measures?: readonly string[];
  readonly against?: string;
}

/** The text of the report. @throws InputError if the sweep is unknown, or no setting is so called. */
export async function sweepReportText(
  root: string,
  name: string,
  { format, ...asked }: AskedReport,
): Promise<string> {
  const sweep = readSweep(root, name);
  const status = sweepStatus(root, sweep);
  const runs = status.flatMap(({ state, run }) => state === "done" && run !== null ? [run] : []);
  const report = await askRuns(root, runs, (ask) => {
    return sweepReport({ sweep, status, ask, ...asked });
  });
  const names = report.settings.map((one) => one.name);
  if (asked.against !== undefined && !report.baseline.startsWith(asked.against)) {
    const message = `Cannot hold settings against "${asked.against}": no setting begins so`;
    const hint = `settings: ${names.join("; ")}`;
    throw inputError("sweep/unknown-setting", message, undefined, hint);
  }
  if (format === "json") return JSON.stringify(report, null, 2) + "\n";
  if (format === "csv") return reportCsv(report);
  return format === "html" ? reportHtml(report) : reportMarkdown(report);
}
