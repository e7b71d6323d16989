/** Runs the command that a command line names, and makes an exit status of how it ended. */
import { CommanderError } from "@commander-js/extra-typings";
import { openTerminal } from "../report/terminal.ts";
import { program } from "./command_tree.ts";
import { type ExitStatus, reportError } from "./exit.ts";
import type { Session } from "./session.ts";

/** Runs one command line and gives its exit status; nothing is thrown. */
export async function runCommand(args: readonly string[]): Promise<ExitStatus> {
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
