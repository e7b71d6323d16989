/** `sluice compact`: rows of finished runs as compressed files. */
import type { Command } from "@commander-js/extra-typings";
import { bytesText } from "../bytes_text.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";
import { wholeNumber } from "../number_flags.ts";

const example = `
A run keeps its rows twice: in run.duckdb, and as lines from which that can be
rebuilt. Lines of runs that are done become Parquet files, a tenth as large;
queries, reports and the cache go on as before. Runs that may be resumed keep
their lines.

Example:
  sluice compact last
  sluice compact --older-than 30`;

export function addCommand(root: Command, session: Session): void {
  root.command("compact")
    .description("compress the rows of finished runs")
    .argument("[run]", 'run: its id, a prefix of it, or "last" (default: all)')
    .option(
      "--older-than <days>",
      "only runs older than this",
      wholeNumber("--older-than", 0),
    )
    .option("--json", "as JSON")
    .option("--project <dir>", "folder that holds runs/ and .sluice/")
    .addHelpText("after", example)
    .action(async (run, { olderThan = 0, json, project }) => {
      const projectRoot = projectHere(project);
      const terminal = session.terminal({ quiet: json });
      const { findRuns } = await import("../../pipeline/store/mod.ts");
      const { compactRun } = await import("../../pipeline/store/sql/mod.ts");
      const { finishedRuns } = await import("../finished_runs.ts");
      const named = findRuns(projectRoot, run);
      const runs = run === undefined ? finishedRuns(projectRoot, named, olderThan) : named;
      const compacted: { readonly run: string; readonly before: number; readonly after: number }[] =
        [];
      for (const id of runs) {
        const { before, after } = await compactRun(projectRoot, id);
        compacted.push({ run: id, before, after });
        terminal.note(`${id}  ${bytesText(before)} to ${bytesText(after)}`);
      }
      if (json) return terminal.data(JSON.stringify({ runs: compacted }, null, 2));
      const freed = compacted.reduce((sum, one) => sum + one.before - one.after, 0);
      terminal.note(`freed ${bytesText(freed)} in ${compacted.length} runs`);
    });
}
