/** `sluice watch`: runs and sweeps of a project in the browser, while they go on. */
import type { Command } from "@commander-js/extra-typings";
import { portNumber } from "../number_flags.ts";
import { projectHere } from "../project_here.ts";
import type { Session } from "../session.ts";

const example = `
One page on 127.0.0.1: runs, sweeps, curves, programs, executions and the end of
the log, new every second. It reads what runs have written, and writes nothing.
Its address ends in a token, without which nothing is answered.

Example:
  sluice watch`;

export function addCommand(root: Command, session: Session): void {
  root.command("watch")
    .description("show runs and sweeps in the browser, live")
    .option("--port <n>", "port (default: a free one)", portNumber("--port"), 0)
    .option("--project <dir>", "folder that holds runs/")
    .addHelpText("after", example)
    .action(async ({ port, project }) => {
      const { serveWatch } = await import("../watch/serve.ts");
      const terminal = session.terminal();
      const setup = { port, token: crypto.randomUUID(), every: 1000 };
      const watching = await serveWatch(projectHere(project), setup);
      terminal.data(watching.url);
      terminal.note("open it in a browser; Ctrl-C ends it");
      const stop = () => void watching.close();
      Deno.addSignalListener("SIGINT", stop);
      await watching.ended;
      Deno.removeSignalListener("SIGINT", stop);
    });
}
