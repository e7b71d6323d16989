/** Serves an experiment to clients of OpenEnv: a process with the network passes requests to the worlds in this one. */
import { denoCommand, missingDeno, moduleArgument } from "../../../base/deno_command.ts";
import { FrameReader, FrameWriter } from "../../../base/frames.ts";
import type { PlaySettings } from "../episode.ts";
import type { Experiment } from "../experiment.ts";
import type { Theories } from "../theories.ts";
import { serveError, type ServeRequest, type ServeSetup } from "./messages.ts";
import { ServeSessions } from "./sessions.ts";

const caps = { json: 16 << 20, payload: 0 };

/** A server that listens. */
export interface Serving {
  /** `http://127.0.0.1:PORT/TOKEN`, the base URL of clients. */
  readonly url: string;
  /** Settled when the process with the network has ended. */
  readonly ended: Promise<void>;
  /** Ends it. */
  close(): Promise<void>;
}

/**
 * Begins to serve.
 *
 * @throws MissingPartError if Deno may not be started; Error if the port is taken.
 */
export async function serveExperiment(
  experiment: Experiment,
  theories: Theories,
  settings: PlaySettings,
  setup: ServeSetup,
): Promise<Serving> {
  const child = start();
  const words = new Response(child.stderr).text();
  const reader = new FrameReader(child.stdout, caps);
  const writer = new FrameWriter(child.stdin);
  await writer.write(setup);
  const first = await reader.read();
  if (first.kind !== "frame") {
    await child.status;
    const why = (await words).trim().split("\n")[0] || "it said nothing";
    throw new Error(`Cannot serve on port ${setup.port}: ${why}`);
  }
  const { port } = first.frame.json as { port: number };
  const sessions = new ServeSessions(experiment, theories, settings);
  return {
    url: `http://127.0.0.1:${port}/${setup.token}`,
    ended: loop(reader, writer, sessions),
    async close() {
      await writer.close();
      await child.status;
    },
  };
}

async function loop(
  reader: FrameReader,
  writer: FrameWriter,
  sessions: ServeSessions,
): Promise<void> {
  for (;;) {
    const read = await reader.read();
    if (read.kind !== "frame") return;
    const { id, session, type, data } = read.frame.json as ServeRequest;
    sessions.handle(session, type, data)
      .catch((error) =>
        serveError("EXECUTION_ERROR", error instanceof Error ? error.message : `${error}`)
      )
      .then((answer) => writer.write({ id, answer }));
  }
}

function start(): Deno.ChildProcess {
  const own = import.meta.url;
  const main = new URL(`./http_main${own.slice(own.lastIndexOf("."))}`, own);
  const flags = ["--quiet", "--no-prompt", "--no-remote", "--cached-only", "--allow-net=127.0.0.1"];
  try {
    return denoCommand(["run", ...flags, moduleArgument(main.href)]).spawn();
  } catch (error) {
    throw missingDeno(error);
  }
}
