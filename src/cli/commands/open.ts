/** `sluice open`: a bundled run among those of this project. */
import type { Command } from "@commander-js/extra-typings";
import { commandLine } from "../../base/command_name.ts";
import { readInput } from "../input_file.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";

const example = `
Each file of the bundle is checked against its digest first. The run is then one
of this project's: sluice query, report, programs and compare read it.

Example:
  sluice open dugongs.sluice.tgz
  sluice query --run last "select * from evaluation"`;

/** Bytes of a bundle at most. */
const mostBytes = 2 ** 31;

export function addCommand(root: Command, session: Session): void {
  root.command("open")
    .description("add a bundled run to this project")
    .argument("<bundle>", "file written by sluice bundle")
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", example)
    .action(async (bundle, { project }) => {
      const { openBundle } = await import("../../experiments/mod.ts");
      const run = openBundle(projectHere(project), readInput(bundle, mostBytes));
      session.terminal().note(`run ${run} is here\nnext: ${commandLine("report", run)}`);
    });
}
