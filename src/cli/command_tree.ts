/** The tree of commands: entries of each group, and the modules that a command line loads. */
import { Command } from "@commander-js/extra-typings";
import { nearest } from "../base/nearest.ts";
import type { Session } from "./session.ts";
import { version } from "./version.ts";

const example = `
Example:
  sluice run pipelines/dugongs.toml`;

/** The commands, as `--help` lists them; each is the file of that name in `commands`. */
const commands = [
  "data",
  "init",
  "run",
  "plan",
  "why",
  "dag",
  "lock",
  "verify",
  "sweep",
  "diff",
  "submit",
  "assist",
  "rank",
  "check",
  "grammar",
  "query",
  "programs",
  "export",
  "evaluate",
  "certify",
  "report",
  "compare",
  "predict",
  "next",
  "simulate",
  "runs",
  "mark",
  "compact",
  "gc",
  "bundle",
  "open",
  "model",
  "install",
  "score",
  "serve",
  "watch",
  "sandbox",
  "schema",
  "kinds",
  "trust",
  "doctor",
];

interface CommandFile {
  readonly addCommand: (root: Command, session: Session) => void;
}

/**
 * The one command that a command line names, or all of them. Only then does Deno look for the
 * modules that a command might import: that alone costs more time than `check` takes.
 */
function commandFiles([name]: readonly string[]): Promise<CommandFile[]> {
  const wanted = commands.includes(name) ? [name] : commands;
  return Promise.all(wanted.map((one) => import(commandFile(one)) as Promise<CommandFile>));
}

function commandFile(name: string): string {
  const own = import.meta.url;
  return new URL(`./commands/${name}${own.slice(own.lastIndexOf("."))}`, own).href;
}

/**
 * The tree of commands. Help has no colours: to learn what a terminal shows, Node's `hasColors`
 * would read a dozen variables of the environment that Sluice has no permission for.
 *
 * @throws CommanderError if the first word is no command, whatever follows it.
 */
export async function program(args: readonly string[], session: Session): Promise<Command> {
  const root = new Command("sluice")
    .description(
      "Trains policies that write probabilistic programs, and proves how close they came.",
    )
    .version(version)
    .enablePositionalOptions() // a flag after the name of a command is that command's
    .showSuggestionAfterError()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      outputError: (text, write) => write(withOwnWord(text)),
    })
    .addHelpText("after", example)
    .showHelpAfterError("(add --help for what is possible)")
    .exitOverride();
  refuseUnknown(root as Command, args);
  for (const { addCommand } of await commandFiles(args)) addCommand(root as Command, session);
  root.commands.forEach((command) => command.exitOverride());
  return root as Command;
}

/** Commander would take `--help` for a wish and not see that the command is none. */
function refuseUnknown(root: Command, [name, asked]: readonly string[]): void {
  const word = name === "help" ? asked : name;
  if (word === undefined || word.startsWith("-") || [...commands, "help"].includes(word)) return;
  const near = nearest(word, commands);
  const hint = near === undefined ? "" : `\n(Did you mean ${near}?)`;
  root.error(`error: unknown command '${word}'${hint}`, { code: "commander.unknownCommand" });
}

/** Words of others for a flag of Sluice's, too far from it for a guess by spelling. */
const ownFlags: Readonly<Record<string, string>> = { "--engine": "--executor" };

/** An error about an unknown flag, with the flag that the user may mean. */
function withOwnWord(text: string): string {
  const own = ownFlags[/^error: unknown option '(.*)'/.exec(text)?.[1] ?? ""];
  return own === undefined ? text : `${text.split("\n")[0]}\n(Did you mean ${own}?)\n`;
}
