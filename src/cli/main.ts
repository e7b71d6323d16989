/** The command line: what `deno task sluice` and `deno task run` start. */
import { Command, CommanderError } from "@commander-js/extra-typings";
import { type ExitStatus, reportError } from "./exit.ts";
import type { Session } from "./session.ts";
import { openTerminal } from "../report/terminal.ts";
import { version } from "./version.ts";

const example = `
Example:
  sluice run pipelines/dugongs.toml`;

/** The commands, as `--help` lists them; each is the file of that name in `commands`. */
const commands = [
  "data",
  "init",
  "run",
  "rank",
  "check",
  "grammar",
  "query",
  "programs",
  "export",
  "evaluate",
  "report",
  "compare",
  "predict",
  "runs",
  "model",
  "score",
  "sandbox",
  "schema",
  "trust",
  "doctor",
];

const versionFlags = ["-V", "--version"];

interface CommandFile {
  readonly addCommand: (root: Command, session: Session) => void;
}

/**
 * The one command that a command line names, none for the version, or all of them. Only then does
 * Deno look for the modules that a command might import: that alone costs more time than `check`
 * takes.
 */
function commandFiles([name]: readonly string[]): Promise<CommandFile[]> {
  const one = commands.includes(name) ? [name] : undefined;
  const wanted = one ?? (versionFlags.includes(name) ? [] : commands);
  return Promise.all(wanted.map((one) => import(commandFile(one)) as Promise<CommandFile>));
}

function commandFile(name: string): string {
  const own = import.meta.url;
  return new URL(`./commands/${name}${own.slice(own.lastIndexOf("."))}`, own).href;
}

/**
 * The tree of commands. Help has no colours: to learn what a terminal shows, Node's `hasColors`
 * would read a dozen variables of the environment that Sluice has no permission for.
 */
async function program(args: readonly string[], session: Session): Promise<Command> {
  const root = new Command("sluice")
    .description(
      "Trains policies that write probabilistic programs, and proves how close they came.",
    )
    .version(version)
    .showSuggestionAfterError()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({ getOutHasColors: () => false, getErrHasColors: () => false })
    .addHelpText("after", example)
    .showHelpAfterError("(add --help for what is possible)")
    .exitOverride();
  for (const { addCommand } of await commandFiles(args)) addCommand(root as Command, session);
  root.commands.forEach((command) => command.exitOverride());
  return root as Command;
}

/** Runs one command line and gives its exit status; nothing is thrown. */
export async function main(args: readonly string[]): Promise<ExitStatus> {
  const session: Session = { terminal: openTerminal, exit: 0 };
  try {
    const root = await program(args, session);
    await root.parseAsync([...args], { from: "user" });
    return session.exit;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    return reportError(error, openTerminal());
  }
}

if (import.meta.main) Deno.exit(await main(Deno.args));
