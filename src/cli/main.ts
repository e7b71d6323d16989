/** The command line: what `deno task sluice` and `deno task run` start. */
import { Command, CommanderError } from "@commander-js/extra-typings";
import { addCheckCommand } from "./commands/check.ts";
import { addCompareCommand } from "./commands/compare.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addEvaluateCommand } from "./commands/evaluate.ts";
import { addPredictCommand } from "./commands/predict.ts";
import { addProgramsCommand } from "./commands/programs.ts";
import { addQueryCommand } from "./commands/query.ts";
import { addReportCommand } from "./commands/report.ts";
import { addRunCommand } from "./commands/run.ts";
import { addRunsCommand } from "./commands/runs.ts";
import { addSchemaCommand } from "./commands/schema.ts";
import { addSandboxCommand } from "./commands/sandbox.ts";
import { addScoreCommand } from "./commands/score.ts";
import { type ExitStatus, reportError } from "./exit.ts";
import type { Session } from "./session.ts";
import { openTerminal } from "./terminal.ts";
import { version } from "./version.ts";

const example = `
Example:
  sluice run pipelines/dugongs.toml`;

function program(session: Session): Command {
  const root = new Command("sluice")
    .description(
      "Trains policies that write probabilistic programs, and proves how close they came.",
    )
    .version(version)
    .showSuggestionAfterError()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .addHelpText("after", example)
    .showHelpAfterError("(add --help for what is possible)")
    .exitOverride();
  for (const add of commands) add(root, session);
  root.commands.forEach((command) => command.exitOverride());
  return root as Command;
}

const commands = [
  addRunCommand,
  addCheckCommand,
  addQueryCommand,
  addProgramsCommand,
  addEvaluateCommand,
  addReportCommand,
  addCompareCommand,
  addPredictCommand,
  addRunsCommand,
  addScoreCommand,
  addSandboxCommand,
  addSchemaCommand,
  addDoctorCommand,
];

/** Runs one command line and gives its exit status; nothing is thrown. */
export async function main(args: readonly string[]): Promise<ExitStatus> {
  const session: Session = { terminal: openTerminal, exit: 0 };
  try {
    await program(session).parseAsync([...args], { from: "user" });
    return session.exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return reportError(error, openTerminal());
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
