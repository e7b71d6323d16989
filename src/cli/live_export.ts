/** Exports a run while it goes on, as the table `[export]` of its pipeline asks. */
import { join } from "node:path";
import type { ResolvedPipeline } from "../pipeline/read/mod.ts";
import type { Terminal } from "../report/terminal.ts";

/** Seconds between two exports at least, and seconds of the run for each second that one took. */
const [leastPause, share] = [10, 100];

/**
 * Runs with what `[export]` asks: every ten seconds at most, and for a hundredth of the time of the
 * run; once more when it has ended. A tracker that cannot be written is told once, and what it lacks
 * is written by the next export: the run goes on.
 */
export async function exporting<T>(
  { exportTable }: Pick<ResolvedPipeline, "exportTable">,
  root: string,
  terminal: Terminal,
  run: (opened?: (runId: string) => void) => Promise<T>,
): Promise<T> {
  const forms = Object.entries(exportTable ?? {}) as [Form, string][];
  if (forms.length === 0) return await run();
  const live = new LiveExport(root, forms, terminal);
  try {
    return await run((runId) => live.begin(runId));
  } finally {
    await live.end();
  }
}

type Form = keyof NonNullable<ResolvedPipeline["exportTable"]>;

class LiveExport {
  #run: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #told = false;

  constructor(
    readonly root: string,
    readonly forms: readonly (readonly [Form, string])[],
    readonly terminal: Terminal,
  ) {}

  begin(run: string): void {
    this.#run = run;
    this.#wait(leastPause);
  }

  async end(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#writing;
    clearTimeout(this.#timer);
    await this.#write();
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
        await exportRuns(this.root, this.#run, { to, out: join(this.root, folder) }, quiet);
      }
    } catch (error) {
      this.#tell(error instanceof Error ? error.message : String(error));
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
