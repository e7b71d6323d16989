/** Writes the site's page of commands, each with its arguments and flags as `--help` prints them. */
import type { Command } from "@commander-js/extra-typings";
import { program } from "../src/cli/command_tree.ts";
import { openTerminal } from "../src/report/terminal.ts";

const beginning = `# Commands

Every command with its arguments and flags, as \`sluice COMMAND --help\` prints them.

Exit status: 0 done, 1 failed, 2 the input is wrong, 3 this machine lacks something, 130 interrupted.
`;

/** The page, from the tree of commands. */
export async function commandPageText(): Promise<string> {
  const root = await program([], { terminal: openTerminal, exit: 0 });
  const sections = [root, ...allBelow(root)].map((command) => section(command));
  return [beginning, ...sections].join("\n");
}

/** The commands below a command, each before its own. */
export function allBelow(command: Command): Command[] {
  return command.commands.flatMap((one) => [one as Command, ...allBelow(one as Command)]);
}

function section(command: Command): string {
  return `## \`${nameOf(command)}\`\n\n\`\`\`text\n${helpOf(command).trim()}\n\`\`\`\n`;
}

function nameOf(command: Command): string {
  const parent = command.parent as Command | null;
  return parent ? `${nameOf(parent)} ${command.name()}` : command.name();
}

/** Output of \`--help\`, on 80 columns. */
function helpOf(command: Command): string {
  const written: string[] = [];
  command.configureOutput({
    writeOut: (text) => written.push(text),
    getOutHelpWidth: () => 80,
    getOutHasColors: () => false,
  });
  command.outputHelp();
  return written.join("");
}

if (import.meta.main) await Deno.writeTextFile(Deno.args[0], await commandPageText());
