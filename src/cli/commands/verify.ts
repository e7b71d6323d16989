/** `sluice verify`: hashes the artifacts of a run again; computes a stage again and compares. */
import type { Command } from "@commander-js/extra-typings";
import { wholeNumber } from "../number_flags.ts";
import { collect } from "../pipeline_arguments.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";

const example = `
Every artifact and every row that the run names is read and hashed again. Exit
status 1 if one is missing or changed.

Example:
  sluice verify last
  sluice verify stage train --times 3`;

export function addCommand(root: Command, session: Session): void {
  const parent = root.command("verify")
    .description("hash the artifacts and rows of a run again, or recompute a stage")
    .enablePositionalOptions()
    .argument("[run]", 'run: its id, a prefix of it, or "last"', "last")
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
The stage runs again on its inputs, each time as a run of its own; its outputs
are compared byte by byte with those of the run. Exit status 1 if they differ.

Example:
  sluice verify stage train --times 3`;

function addStage(parent: Command, session: Session): void {
  parent.command("stage")
    .description("recompute a stage of a run, and compare its bytes")
    .argument("<stage>", "the stage")
    .option("--run <id>", "run that it belongs to", "last")
    .option("--times <n>", "number of repetitions", wholeNumber("--times", 1), 1)
    .option("--allow-stage <name=what>", "permit a stage what it asks for", collect)
    .option("--project <dir>", "folder that holds runs/ and .sluice/")
    .addHelpText("after", stageExample)
    .action(async (stage, { run, times, allowStage, project }) => {
      const { verifyStage } = await import("../verify_run.ts");
      const asked = { root: projectHere(project), run, stage, times, allowStage };
      session.exit = await verifyStage(asked, session.terminal());
    });
}
