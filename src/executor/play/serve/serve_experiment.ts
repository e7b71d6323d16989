/** Serves an experiment to clients of OpenEnv: a process with the network passes requests to the worlds in this one. */
import type { FrameReader, FrameWriter } from "../../../base/frames.ts";
import { startListening } from "../../../base/listening_process.ts";
import type { PlaySettings } from "../episode.ts";
import type { Experiment } from "../experiment.ts";
import type { Theories } from "../theories.ts";
import { serveError, type ServeRequest, type ServeSetup } from "./messages.ts";
import { ServeSessions } from "./sessions.ts";

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
 * @throws InputError `serve/port` if the port is taken; MissingPartError if Deno may not be started.
 */
export async function serveExperiment(
  experiment: Experiment,
  theories: Theories,
  settings: PlaySettings,
  setup: ServeSetup,
): Promise<Serving> {
  const { port, reader, writer, close } = await startListening(import.meta.url, setup, 16 << 20);
  const sessions = new ServeSessions(experiment, theories, settings);
  const url = `http://127.0.0.1:${port}/${setup.token}`;
  return { url, ended: loop(reader, writer, sessions), close };
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
