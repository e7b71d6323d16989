/** Serves the page of `sluice watch`: a process with the network asks this one, which reads the runs. */
import { join } from "node:path";
import { denoCommand, missingDeno, moduleArgument } from "../../base/deno_command.ts";
import { FrameReader, FrameWriter } from "../../base/frames.ts";
import { inputError } from "../../base/diagnostic.ts";
import { findRuns } from "../../pipeline/store/mod.ts";
import { queries } from "../../pipeline/store/sql/mod.ts";
import { type Html, markup } from "../../report/html_report/html.ts";
import type { WatchRequest, WatchSetup, WatchView } from "./messages.ts";
import { overviewOf } from "./overview.ts";
import { page, policy } from "./page.ts";
import { runViewOf } from "./run_view.ts";

/** A page that is served. */
export interface Watching {
  /** `http://127.0.0.1:PORT/TOKEN/`. */
  readonly url: string;
  /** Settled when the process with the network has ended. */
  readonly ended: Promise<void>;
  /** Ends it. */
  close(): Promise<void>;
}

/**
 * Begins to serve the runs of a project; nothing of it is written.
 *
 * @param every milliseconds between two looks.
 * @throws InputError `watch/port` if the port is taken; MissingPartError if Deno may not be started.
 */
export async function serveWatch(
  root: string,
  setup: Pick<WatchSetup, "port" | "token" | "every">,
): Promise<Watching> {
  const child = start();
  const words = new Response(child.stderr).text();
  const reader = new FrameReader(child.stdout, { json: 1 << 16, payload: 0 });
  const writer = new FrameWriter(child.stdin);
  await writer.write({ ...setup, page, policy } satisfies WatchSetup);
  const first = await reader.read();
  if (first.kind !== "frame") {
    await child.status;
    const said = (await words).trim().split("\n")[0] || "it said nothing";
    const why = said.replace(/^error: Uncaught \(in promise\) \w+: /, "");
    const message = `Cannot serve on port ${setup.port}: ${why}`;
    throw inputError("watch/port", message, undefined, "leave --port out for one that is free");
  }
  const { port } = first.frame.json as { port: number };
  return {
    url: `http://127.0.0.1:${port}/${setup.token}/`,
    ended: answerAll(root, reader, writer),
    async close() {
      await writer.close();
      await child.status;
    },
  };
}

async function answerAll(root: string, reader: FrameReader, writer: FrameWriter): Promise<void> {
  for (;;) {
    const read = await reader.read();
    if (read.kind !== "frame") return;
    const { id, run } = read.frame.json as WatchRequest;
    await writer.write({ id, view: await viewOf(root, run) });
  }
}

async function viewOf(root: string, asked: string): Promise<WatchView> {
  const run = chosenRun(root, asked);
  const parts = [part(() => overviewOf(root, run ?? "")), part(() => ofRun(root, run))];
  const [overview, one] = await Promise.all(parts);
  return { overview, run: one };
}

/** The run of the address, or the newest. */
function chosenRun(root: string, asked: string): string | undefined {
  const all = findRuns(root);
  return asked === "" ? all.at(-1) : all.find((run) => run === asked);
}

async function ofRun(root: string, run: string | undefined): Promise<Html> {
  if (run === undefined) return markup``;
  return await queries(root, { run }, async (asking) => {
    const ask = async (sql: string) => (await asking(sql)).objects();
    return await runViewOf(join(root, "runs", run), run, ask);
  });
}

/** A part that cannot be read says why; the next look may find it whole. */
async function part(make: () => Html | Promise<Html>): Promise<string> {
  try {
    return (await make()).text;
  } catch (error) {
    return markup`<p class="warning">${error instanceof Error ? error.message : `${error}`}</p>`
      .text;
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
