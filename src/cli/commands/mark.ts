/** `sluice mark`: gives a finished run a label, tags or a note. */
import type { Command } from "@commander-js/extra-typings";
import { inputError } from "../../base/diagnostic.ts";
import { collect } from "../pipeline_arguments.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";

const example = `
sluice run takes --label, --tag and --note too; sluice runs lists them.

Example:
  sluice mark last --label baseline --tag paper --note "before the new prior"`;

export function addCommand(root: Command, session: Session): void {
  root.command("mark")
    .description("give a run a label, tags or a note")
    .argument("<run>", 'run: its id, a prefix of it, or "last"')
    .option("--label <name>", "short name")
    .option("--tag <word>", "tag; repeatable", collect)
    .option("--note <text>", "a sentence")
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", example)
    .action(async (run, { label, tag: tags, note, project }) => {
      if (label === undefined && !tags && note === undefined) {
        throw inputError(
          "mark/nothing",
          "Cannot mark a run with nothing: give --label, --tag or --note",
        );
      }
      const projectRoot = projectHere(project);
      const { findRuns, isBeingWritten } = await import("../../pipeline/store/mod.ts");
      const { markRun } = await import("../../pipeline/plan/mod.ts");
      const [runId] = findRuns(projectRoot, run);
      if (isBeingWritten(projectRoot, runId)) throw live(runId);
      const marks = { ...(label !== undefined && { label }), ...(note !== undefined && { note }) };
      const now = markRun(projectRoot, runId, { ...marks, ...(tags && { tags }) });
      session.terminal().note(`run ${runId}: ${JSON.stringify(now)}`);
    });
}

function live(runId: string): Error {
  const message = `Cannot mark run ${runId}: it is still being written`;
  return inputError(
    "mark/live",
    message,
    undefined,
    "wait until it ends, or mark it by sluice run",
  );
}
