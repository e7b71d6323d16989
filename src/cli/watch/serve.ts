/** Serves the page of `sluice watch`: a process with the network asks this one, which reads the runs. */
import { join } from "node:path";
import { stampOf } from "../../base/file_stamp.ts";
import { type ListeningProcess, startListening } from "../../base/listening_process.ts";
import { findRuns, isBeingWritten } from "../../pipeline/store/mod.ts";
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
 * @throws InputError `serve/port` if the port is taken; MissingPartError if Deno may not be started.
 */
export async function serveWatch(
  root: string,
  setup: Pick<WatchSetup, "port" | "token" | "every">,
): Promise<Watching> {
  const whole: WatchSetup = { ...setup, page, policy };
  const listening = await startListening(import.meta.url, whole, 1 << 16);
  const url = `http://127.0.0.1:${listening.port}/${setup.token}/`;
  return { url, ended: answerAll(root, listening), close: listening.close };
}

async function answerAll(root: string, { reader, writer }: ListeningProcess): Promise<void> {
  const views = new RunViews(root);
  for (;;) {
    const read = await reader.read();
    if (read.kind !== "frame") return;
    const { id, run } = read.frame.json as WatchRequest;
    await writer.write({ id, view: await viewOf(root, run, views) });
  }
}

async function viewOf(root: string, asked: string, views: RunViews): Promise<WatchView> {
  const run = chosenRun(root, asked);
  const overview = await part(() => overviewOf(root, run ?? ""));
  return { overview, run: run === undefined ? "" : await part(() => views.of(run)) };
}

/** The run of the address, or the newest. */
function chosenRun(root: string, asked: string): string | undefined {
  const all = findRuns(root);
  return asked === "" ? all.at(-1) : all.find((run) => run === asked);
}

/** Views of runs; of one that is closed the last is kept, for as long as its database is the same. */
class RunViews {
  readonly #kept = new Map<string, { readonly stamp: string; readonly view: Html }>();

  constructor(readonly root: string) {}

  async of(run: string): Promise<Html> {
    const stamp = this.#stampOf(run);
    const kept = this.#kept.get(run);
    if (kept && kept.stamp === stamp) return kept.view;
    const view = await queries(this.root, { run }, async (asking) => {
      const ask = async (sql: string) => (await asking(sql)).objects();
      return await runViewOf(join(this.root, "runs", run), run, ask);
    });
    if (stamp !== undefined) this.#kept.set(run, { stamp, view });
    return view;
  }

  #stampOf(run: string): string | undefined {
    if (isBeingWritten(this.root, run)) return undefined;
    try {
      return stampOf(join(this.root, "runs", run, "run.duckdb"));
    } catch {
      return undefined; // there are only segments
    }
  }
}

/** A part that cannot be read is replaced by the reason; the next refresh may read it. */
async function part(make: () => Html | Promise<Html>): Promise<string> {
  try {
    return (await make()).text;
  } catch (error) {
    return markup`<p class="warning">${error instanceof Error ? error.message : `${error}`}</p>`
      .text;
  }
}
