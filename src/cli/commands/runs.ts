/** `sluice runs`: the runs of a project, newest first. */
import type { Command } from "@commander-js/extra-typings";
import { commandLine } from "../command_name.ts";
import type { Session } from "../session.ts";
import { projectHere } from "../project_here.ts";

const sql = `select run_id, name, status, left(started_at::varchar, 19) as started,
  round(epoch(ended_at - started_at), 1) as seconds, seed from run order by run_id desc`;

const example = `
Example:
  sluice runs --json`;

export function addCommand(root: Command, session: Session): void {
  root.command("runs")
    .description("list the finished runs, newest first")
    .option("--json", "as JSON")
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", example)
    .action(async ({ json, project }) => {
      const terminal = session.terminal();
      const { query } = await import("../../pipeline/store/sql/mod.ts");
      const result = await query(projectHere(project), sql);
      for (const note of result.notes) terminal.note(`! ${note}`);
      if (json) terminal.data(result.toJson().trimEnd());
      else terminal.out(result.toTable().trimEnd());
      if (result.rows.length === 0) terminal.note(`next: ${commandLine("run", "PIPELINE.toml")}`);
    });
}
