/** `sluice assist`: scores programs that runs of the project wait for, from this machine. */
import type { Command } from "@commander-js/extra-typings";
import { wholeNumber } from "../number_flags.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";

const example = `
A run that needs many programs writes requests into the shared folder. An
assistant on any machine with this folder scores them, the most probable by the
prior first, and the run reads the scores: rows and bits are those of one
machine. Without a run it stays until Ctrl-C or --idle, with a run until that
ends. For a pipeline it scores the whole target, if that can be enumerated,
before its run or during it.

Example:
  sluice assist live --workers 8
  sluice assist pipelines/dugongs.toml`;

export function addCommand(root: Command, session: Session): void {
  root.command("assist")
    .description("score programs for runs on other machines")
    .argument("[what...]", 'run (its id, or "live"), or a pipeline with its @overlays')
    .option(
      "--workers <n>",
      "sandbox workers (default: one per core)",
      wholeNumber("--workers", 1),
    )
    .option("--idle <seconds>", "end after this time without work", wholeNumber("--idle", 1))
    .option("--project <dir>", "folder that holds runs/ and .sluice/")
    .addHelpText("after", example)
    .action(async ([what, ...overlays], { workers, idle, project }) => {
      const isPipeline = what?.endsWith(".toml") ?? false;
      if (!isPipeline && overlays.length > 0) {
        root.error(`error: '${overlays[0]}' is no overlay of a pipeline`);
      }
      const terminal = session.terminal();
      const { assistPipeline, assistRuns } = await import("../assisting.ts");
      session.exit = isPipeline
        ? await assistPipeline({ path: what, overlays, workers }, terminal)
        : await assistRuns(projectHere(project), { run: what, workers, idle }, terminal);
    });
}
