/** Exports a run while it goes on, as the table `[export]` of its pipeline asks. */
import { join } from "node:path";
import type { ResolvedPipeline } from "../pipeline/read/mod.ts";
import type { AskOpenRun } from "../pipeline/run/mod.ts";
import type { Terminal } from "../report/terminal.ts";

/** Seconds between two exports at least, and seconds of the run for each second that one took. */
const [leastPause, share] = [10, 200];

/**
 * Runs with what `[export]` asks: every ten seconds at most, and for a two-hundredth of the time of
 * the run; once more when it has ended. A tracker that cannot be written is told once, and what it lacks
 * is written by the next export: the run goes on.
 */
export async function exporting<T>(
  { exportTable }: Pick<ResolvedPipeline, "exportTable">,
  root: string,
  terminal: Terminal,
  run: (opened?: (runId: string, ask: AskOpenRun) => void) => Promise<T>,
): Promise<T> {
  const forms = Object.entries(exportTable ?? {}) as [Form, string][];
  if (forms.length === 0) return await run();
  const live = new LiveExport(root, forms, terminal);
  try {
    return await run((runId, ask) => live.begin(runId, ask));
  } finally {
    await live.end();
  }
}

type Form = keyof NonNullable<ResolvedPipeline["exportTable"]>;

class LiveExport {
  #run: string | undefined;
  #ask: AskOpenRun | undefined;
  #fault: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #told = false;

  constructor(
    readonly root: string,
    readonly forms: readonly (readonly [Form, string])[],
    readonly terminal: Terminal,
  ) {}

  begin(run: string, ask: AskOpenRun): void {
    [this.#run, this.#ask] = [run, ask];
    this.#wait(leastPause);
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    clearTimeout(this.#timer);
    this.#ask = undefined; // the run is closed
    await this.#write();
    if (this.#fault !== undefined) this.#tell(this.#fault);
  }

  #wait(seconds: number): void {
    this.#timer = setTimeout(() => {
      const from = performance.now();
      this.#writing = this.#write().then(() => {
        this.#wait(Math.max(leastPause, share * (performance.now() - from) / 1000));
      });
    }, 1000 * seconds);
  }

  async #write(): Promise<void> {
    if (this.#run === undefined) return;
    try {
      const { exportRuns } = await exporters();
      const quiet = { ...this.terminal, note: () => {} };
      for (const [to, folder] of this.forms) {
        const asked = { to, out: join(this.root, folder) };
        await exportRuns(this.root, this.#run, asked, quiet, this.#ask);
      }
      this.#fault = undefined;
    } catch (error) {
      if (this.#fault !== undefined) this.#tell(this.#fault); // twice in a row
      this.#fault = error instanceof Error ? error.message : String(error);
    }
  }

  #tell(fault: string): void {
    if (!this.#told) {
      this.terminal.note(`! [export] could not be written, and is tried again: ${fault}`);
    }
    this.#told = true;
  }
}

/** Deno loads what a literal import may reach, here all exporters, before any run begins: it has no literal. */
async function exporters(): Promise<typeof import("./export_runs.ts")> {
  return await import(`./export_runs.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`);
}
