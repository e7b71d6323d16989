/** Exports a run while it goes on, as the table `[export]` of its pipeline asks. */
import { join } from "node:path";
import type { TrackedLog } from "../experiments/trackers/mod.ts";
import type { ResolvedPipeline } from "../pipeline/read/mod.ts";
import type { AskOpenRun, RunOptions } from "../pipeline/run/mod.ts";
import type { Terminal } from "../report/terminal.ts";
import { requireWritable } from "./output_files.ts";

/** Seconds between two exports at least, and seconds of the run for each second that one took. */
const [leastPause, share] = [10, 200];

/** Callbacks of a run while its tables are open. */
type Told = Pick<RunOptions, "opened" | "closing">;

/**
 * Runs with what `[export]` asks: every ten seconds at most, and for a two-hundredth of the time of the
 * run; once more when it ends. A tracker that cannot be written is reported once, and the next export
 * writes the missing rows: the run goes on. `name` is what trackers call the run, its id if left out.
 */
export async function exporting<T>(
  { exportTable }: Pick<ResolvedPipeline, "exportTable">,
  root: string,
  terminal: Terminal,
  run: (told: Told) => Promise<T>,
  name?: string,
): Promise<T> {
  const forms = Object.entries(exportTable ?? {}) as [Form, string][];
  if (forms.length === 0) return await run({});
  const live = new LiveExport(root, forms, terminal, name);
  try {
    return await run({
      opened: (runId, ask) => live.begin(runId, ask),
      closing: () => live.end(),
    });
  } finally {
    live.stop();
  }
}

type Form = keyof NonNullable<ResolvedPipeline["exportTable"]>;

class LiveExport {
  #run = "";
  #ask: AskOpenRun = () => Promise.resolve([]);
  #log: TrackedLog | undefined;
  #fault: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> = Promise.resolve();
  #told = false;

  constructor(
    readonly root: string,
    readonly forms: readonly (readonly [Form, string])[],
    readonly terminal: Terminal,
    readonly name: string | undefined,
  ) {}

  begin(run: string, ask: AskOpenRun): void {
    [this.#run, this.#ask] = [run, ask];
    this.#wait(leastPause);
  }

  async end(): Promise<void> {
    this.stop();
    await this.#writing;
    this.stop();
    await this.#write(true);
    if (this.#fault !== undefined) this.#tell(this.#fault);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #wait(seconds: number): void {
    this.#timer = setTimeout(() => {
      const from = performance.now();
      this.#writing = this.#write(false).then(() => {
        this.#wait(Math.max(leastPause, share * (performance.now() - from) / 1000));
      });
    }, 1000 * seconds);
  }

  async #write(ended: boolean): Promise<void> {
    try {
      const { TrackedLog, writeTracker } = await exporters();
      this.#log ??= new TrackedLog();
      const series = await this.#log.read(this.#ask, ended);
      const nameOf = () => this.name ?? this.#run;
      for (const [to, folder] of this.forms) {
        const place = join(this.root, folder);
        await requireWritable("[export]", place);
        await writeTracker({ to, folder: place, nameOf }, series, this.#ask);
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

/** Deno loads what a literal import may reach, here all trackers, before any run begins: it has no literal. */
async function exporters(): Promise<typeof import("../experiments/trackers/mod.ts")> {
  return await import(
    `../experiments/trackers/mod.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`
  );
}
