/** Assists runs: with what they wait for, or with all of a pipeline's target beforehand. */
import { assist } from "../executor/assist/assist.ts";
import { findRuns, isBeingWritten } from "../pipeline/store/mod.ts";
import { count } from "../report/format.ts";
import type { Terminal } from "../report/terminal.ts";
import type { ExitStatus } from "./exit.ts";
import { rankedPipeline } from "./rank/ranked_pipeline.ts";
import { countPrograms, requireCountable } from "./rank/space_size.ts";
import { listen, runWithProgress } from "./run_and_report.ts";

/** Milliseconds between two looks at whether the run has ended. */
const lookEvery = 1000;

/** Scores what runs of the project wait for, until `run` has ended; 130 after Ctrl-C. */
export async function assistRuns(
  root: string,
  { run, workers, idle }: Readonly<{ run?: string; workers?: number; idle?: number }>,
  terminal: Terminal,
): Promise<ExitStatus> {
  const [id] = run === undefined ? [] : findRuns(root, run);
  const { control, release } = listen(terminal, "Stopping");
  const ended = new AbortController();
  const timer = id === undefined ? undefined : setInterval(() => {
    if (!isBeingWritten(root, id)) ended.abort();
  }, lookEvery);
  try {
    const onNote = (line: string) => terminal.note(`! ${line}`);
    const { executed, elsewhere } = await assist({
      root,
      workers,
      idleSeconds: idle,
      stop: AbortSignal.any([control.stop, ended.signal]),
      onBatch: (programs) => terminal.note(`a run waits for ${count(programs, "program")}`),
      onShortfall: onNote,
      onNote,
    });
    terminal.note(`${count(executed, "program")} scored here, ${elsewhere} elsewhere`);
    return control.stop.aborted ? 130 : 0;
  } finally {
    clearInterval(timer);
    release();
  }
}

/** Scores all of a target, likeliest first, sharing the work with all that do the same. */
export async function assistPipeline(
  { path, overlays, workers }: Readonly<
    { path: string; overlays: readonly string[]; workers?: number }
  >,
  terminal: Terminal,
): Promise<ExitStatus> {
  const pipeline = await rankedPipeline({ path, overlays, sets: [], budget: {} });
  requireCountable(await countPrograms(pipeline), path, undefined, false);
  const { outcome } = await runWithProgress(pipeline, terminal, {
    workers,
    overlaid: true,
    marks: { label: "assist" },
  });
  return outcome.exitCode;
}
