/** The command line: entry point of `deno task sluice` and `deno task run`. */
import type { ExitStatus } from "./exit.ts";
import { version } from "./version.ts";

/**
 * Runs one command line and gives its exit status; nothing is thrown. Deno reads a module that a
 * literal `import()` names before the first line runs: the version waits for none.
 */
export async function main(args: readonly string[]): Promise<ExitStatus> {
  if (args[0] === "-V" || args[0] === "--version") {
    console.log(version);
    return 0;
  }
  const own = import.meta.url;
  const rest = new URL(`./run_command${own.slice(own.lastIndexOf("."))}`, own).href;
  const { runCommand }: typeof import("./run_command.ts") = await import(rest);
  return await runCommand(args);
}

if (import.meta.main) Deno.exit(await main(Deno.args));
