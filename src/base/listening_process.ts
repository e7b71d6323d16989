/** Starts a process that listens on 127.0.0.1: it may read no file, and passes requests on as frames. */
import { denoCommand, missingDeno, moduleArgument } from "./deno_command.ts";
import { inputError } from "./diagnostic.ts";
import { FrameReader, FrameWriter } from "./frames.ts";

/** A process that listens. */
export interface ListeningProcess {
  /** Port on 127.0.0.1. */
  readonly port: number;
  /** Frames that it sends; ends with it. */
  readonly reader: FrameReader;
  /** Writer of frames that it receives. */
  readonly writer: FrameWriter;
  /** Ends it. */
  close(): Promise<void>;
}

/**
 * Starts `http_main` beside a module. Its first frame is the setup, which it answers by the port.
 *
 * @param beside URL of a module of the same folder.
 * @param mostJson Bytes of a frame.
 * @throws InputError `serve/port` if the port is taken; MissingPartError if Deno may not be started.
 */
export async function startListening(
  beside: string,
  setup: { readonly port: number },
  mostJson: number,
): Promise<ListeningProcess> {
  const child = start(beside);
  const words = new Response(child.stderr).text();
  const reader = new FrameReader(child.stdout, { json: mostJson, payload: 0 });
  const writer = new FrameWriter(child.stdin);
  await writer.write(setup);
  const first = await reader.read();
  if (first.kind !== "frame") {
    await child.status;
    throw unheard(setup.port, await words);
  }
  const { port } = first.frame.json as { port: number };
  const close = async () => {
    await writer.close();
    await child.status;
  };
  return { port, reader, writer, close };
}

function start(beside: string): Deno.ChildProcess {
  const main = new URL(`./http_main${beside.slice(beside.lastIndexOf("."))}`, beside);
  const flags = ["--quiet", "--no-prompt", "--no-remote", "--cached-only", "--allow-net=127.0.0.1"];
  try {
    return denoCommand(["run", ...flags, moduleArgument(main.href)]).spawn();
  } catch (error) {
    throw missingDeno(error);
  }
}

function unheard(port: number, words: string): Error {
  const said = words.trim().split("\n")[0] || "it said nothing";
  const why = said.replace(/^error: Uncaught \(in promise\) \w+: /, "");
  const message = `Cannot serve on port ${port}: ${why}`;
  return inputError("serve/port", message, undefined, "leave --port out for one that is free");
}
