/** `sluice diff`: parameters in which two runs differ, and their measures paired by seed. */
import type { Command } from "@commander-js/extra-typings";
import type { RunDiff } from "../../experiments/mod.ts";
import type { Terminal } from "../../report/terminal.ts";
import { projectHere } from "../project_here.ts";
import { stageNames } from "../selection_flags.ts";
import type { Session } from "../session.ts";

const example = `
Measures of several seeds (seeds = N) are paired by seed, with intervals of
95 %.
Settings of a sweep are compared by sluice sweep report, reasons by sluice why.

Example:
  sluice diff 01JD last --measure tv`;

export function addCommand(root: Command, session: Session): void {
  root.command("diff")
    .description("compare two runs: values that differ, measures paired by seed")
    .argument("<first>", 'run: its id, a prefix of it, or "last"')
    .argument("<second>", "run to compare it with")
    .option("--measure <names>", "measures or metrics, separated by commas", stageNames)
    .option("--json", "as JSON")
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", example)
    .action(async (first, second, { measure, json, project }) => {
      const terminal = session.terminal();
      const root = projectHere(project);
      const { findRuns } = await import("../../pipeline/store/mod.ts");
      const { readRecordedRun } = await import("../../pipeline/plan/mod.ts");
      const { diffRuns } = await import("../../experiments/mod.ts");
      const { askRuns } = await import("../ask_runs.ts");
      const ids = [first, second].map((run) => findRuns(root, run)[0]);
      const [a, b] = ids.map((id) => readRecordedRun(root, id));
      const found = await askRuns(root, ids, (ask) => diffRuns([a, b], ask, measure));
      if (json) terminal.data(JSON.stringify(found, null, 2));
      else await printDiff(found, terminal);
    });
}

async function printDiff({ first, second, parameters, measures }: RunDiff, terminal: Terminal) {
  const { measureMarkdown, table } = await import("../../experiments/mod.ts");
  terminal.out(`# ${second} against ${first}\n`);
  if (parameters.length === 0) terminal.out("They set the same values.");
  else {
    const rows = parameters.map(({ path, first, second, where }) => [
      path,
      first ?? "(absent)",
      second ?? "(absent)",
      where ?? "",
    ]);
    terminal.out(table(["value", "first", "second", "where"], rows));
  }
  for (const one of measures) terminal.out(`\n${measureMarkdown(one)}`);
}
