/** `sluice serve`: an experiment for clients of OpenEnv. */
import { type Command, Option } from "@commander-js/extra-typings";
import { portNumber, wholeNumber } from "../number_flags.ts";
import type { Session } from "../session.ts";

const example = `
The base URL that is printed ends in a token, without which nothing is
answered; it is of this machine alone. Clients send {"query": {…}}, at the end
{"answer": […]} or {"submit": "a program"}: docs/play.md.

Example:
  sluice serve experiments/dugongs.toml --port 8000`;

export function addCommand(root: Command, session: Session): void {
  root.command("serve")
    .description("serve an experiment to clients of OpenEnv, on 127.0.0.1")
    .argument("<experiment>", "a file such as experiments/dugongs.toml, or a module")
    .option("--port <n>", "port (default: a free one)", portNumber("--port"), 0)
    .option("--budget <n>", "queries of an episode", wholeNumber("--budget", 0), 10)
    .option("--sessions <n>", "sessions at once", wholeNumber("--sessions", 1), 16)
    .option(
      "--idle <minutes>",
      "minutes of silence after which a session is closed",
      wholeNumber("--idle", 1),
      60,
    )
    .addOption(new Option("--token <text>", "first part of the path (default: random)"))
    .addHelpText("after", example)
    .action(async (file, { port, budget, sessions, idle, token }) => {
      const { openExperiment } = await import("../opened_experiment.ts");
      const { TheoryWorkers } = await import("../../executor/play/theory_workers.ts");
      const { requireEntries } = await import("../../executor/play/draw_rows.ts");
      const { serveExperiment } = await import("../../executor/play/serve/serve_experiment.ts");
      const terminal = session.terminal();
      const workers = new TheoryWorkers(navigator.hardwareConcurrency);
      const { experiment, theories, close } = await openExperiment(file, workers);
      const settings = { budget, particles: 1000, draws: 128, candidates: 0, fresh: 200 };
      try {
        requireEntries(experiment, budget);
        const setup = { token: token ?? crypto.randomUUID(), port, sessions, idle };
        const serving = await serveExperiment(experiment, theories, settings, setup);
        terminal.data(serving.url);
        terminal.note(`serving ${experiment.name}; Ctrl-C ends it`);
        const stop = () => void serving.close();
        Deno.addSignalListener("SIGINT", stop);
        await serving.ended;
        Deno.removeSignalListener("SIGINT", stop);
      } finally {
        await Promise.all([close(), workers.close()]);
      }
    });
}
