/** `sluice runs`: the runs of a project, newest first. */
import type { Command } from "@commander-js/extra-typings";
import { commandLine } from "../../base/command_name.ts";
import type { Session } from "../session.ts";
import { projectHere } from "../project_here.ts";
import { number, plainTable } from "../../report/format.ts";
import { stageNames } from "../selection_flags.ts";

const example = `
--with names measures (tv), or the last part of paths (learning_rate).

Example:
  sluice runs --with tv,learning_rate`;

export function addCommand(root: Command, session: Session): void {
  root.command("runs")
    .description("list the finished runs, newest first")
    .option("--with <columns>", "measures and parameters to show", stageNames)
    .option("--tag <word>", "only runs with this tag")
    .option("--json", "as JSON")
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", example)
    .action(async ({ json, project, with: columns, tag }) => {
      const terminal = session.terminal();
      const root = projectHere(project);
      const { query } = await import("../../pipeline/store/sql/mod.ts");
      const { listRuns } = await import("../run_list.ts");
      const said = new Set<string>();
      const ask = async (sql: string) => {
        const result = await query(root, sql);
        for (const note of result.notes) if (!said.has(note)) terminal.note(`! ${note}`);
        result.notes.forEach((note) => said.add(note));
        return result.objects();
      };
      const runs = await listRuns(root, ask, { columns, tag });
      if (json) terminal.data(JSON.stringify(runs, null, 2));
      else terminal.out(tableOf(runs));
      if (runs.length === 0) terminal.note(`next: ${commandLine("run", "PIPELINE.toml")}`);
    });
}

/** Columns of a list without marks. */
const plainColumns = ["run_id", "name", "status", "started", "seconds", "seed"];

function tableOf(runs: readonly Readonly<Record<string, unknown>>[]): string {
  const head = runs.length > 0 ? Object.keys(runs[0]) : plainColumns;
  const isNumber = (name: string) => runs.some((run) => typeof run[name] === "number");
  const cell = (value: unknown) =>
    typeof value === "number" && !Number.isInteger(value) ? number(value, 4) : `${value ?? ""}`;
  const rows = runs.map((run) => head.map((name) => cell(run[name])));
  return plainTable(head, rows, head.flatMap((name, i) => isNumber(name) ? [i] : []));
}
