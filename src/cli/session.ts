/** Session that one call of the command line shares with its command. */
import type { ExitStatus } from "./exit.ts";
import type { Terminal } from "../report/terminal.ts";

/** Terminal and exit status of a command. */
export interface Session {
  readonly terminal: (options?: { readonly quiet?: boolean }) => Terminal;
  exit: ExitStatus;
}
