/** `sluice verify`: hashes the artifacts of a run again; computes a stage again and compares. */
import type { Command } from "@commander-js/extra-typings";
import { wholeNumber } from "../number_flags.ts";
import { collect } from "../pipeline_arguments.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";

const example = `
Every artifact and every row that the run names is read and hashed again. Exit
status 1 if one is missing or is not what it was.

Example:
  sluice verify last
  sluice verify stage train --times 3`;

export function addCommand(root: Command, session: Session): void {
  const parent = root.command("verify")
    .description("hash again what a run left behind, or compute a stage again")
    .enablePositionalOptions()
    .argument("[run]", 'a run: its id, the beginning of it, or "last"', "last")
    .option("--json", "as JSON")
    .option("--project <dir>", "folder that holds runs/ and .sluice/")
    .addHelpText("after", example)
    .action(async (run, { json, project }) => {
      const { verifyRun } = await import("../verify_run.ts");
      session.exit = await verifyRun(projectHere(project), run, json === true, session.terminal());
    });
  addStage(parent as unknown as Command, session);
  parent.commands.forEach((command) => command.exitOverride());
}

const stageExample = `
The stage runs anew from the inputs that it had, each time as a run of its own;
its outputs are compared byte by byte with those of the run. Exit status 1 if
they differ.

Example:
  sluice verify stage train --times 3`;

function addStage(parent: Command, session: Session): void {
  parent.command("stage")
    .description("compute a stage of a run again, and compare its bytes")
    .argument("<stage>", "the stage")
    .option("--run <id>", "run that it belongs to", "last")
    .option("--times <n>", "how often; 1", wholeNumber("--times", 1), 1)
    .option("--allow-stage <name=what>", "let a stage touch what it asks for", collect)
    .option("--project <dir>", "folder that holds runs/ and .sluice/")
    .addHelpText("after", stageExample)
    .action(async (stage, { run, times, allowStage, project }) => {
      const { verifyStage } = await import("../verify_run.ts");
      const asked = { root: projectHere(project), run, stage, times, allowStage };
      session.exit = await verifyStage(asked, session.terminal());
    });
}
