/** Live progress of a run: one redrawn line in a terminal, plain lines elsewhere. */
import type {
  CheckOutcome,
  PlannedStage,
  RunObserver,
  StageOutcome,
  StageProgress,
} from "../pipeline/plan/mod.ts";
import { largeRequest, RemainingTime } from "./eta.ts";
import { printable } from "../base/printable.ts";
import { clip, duration, number } from "../report/format.ts";
import type { Terminal } from "../report/terminal.ts";

/** Seconds between two plain lines of one stage, where no terminal can redraw one. */
const plainPeriod = 10;

/** An observer that prints the progress of a run for people. */
export function progressObserver(terminal: Terminal): RunObserver {
  return new ProgressView(terminal);
}

class ProgressView implements RunObserver {
  readonly #terminal: Terminal;
  #drawn = false;
  #lastPlain = new Map<string, number>();
  #remaining = new Map<string, RemainingTime>();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  planned(stages: readonly PlannedStage[]): void {
    const { colour } = this.#terminal;
    const width = Math.max(...stages.map(({ stage }) => stage.length));
    const paint = {
      cached: colour.green,
      run: colour.cyan,
      resume: colour.yellow,
      blocked: colour.dim,
    };
    this.#line(colour.bold("Plan"));
    for (const { stage, kind, state, reason, touches } of stages) {
      const why = reason === "" ? "" : `  ${reason}`;
      const text = `  ${stage.padEnd(width)}  ${state.padEnd(7)} ${kind.padEnd(12)}${why}`;
      this.#line(paint[state](clip(text, this.#terminal.width)));
      if (touches) this.#line(colour.yellow(`  ${" ".repeat(width)}  may touch ${touches}`));
    }
    this.#line("");
  }

  runOpened({ runId, resumed }: { runId: string; resumed: boolean }): void {
    this.#line(`${resumed ? "Run reopened" : "Run"} ${runId}`);
  }

  unchanged({ runId }: { runId: string }): void {
    this.#line(`Nothing changed: as run ${runId}; --record writes one of its own`);
  }

  progress(progress: StageProgress): void {
    const remaining = this.#remaining.get(progress.stage) ?? new RemainingTime();
    this.#remaining.set(progress.stage, remaining);
    const text = `  ${progressText(progress, remaining.observe(progress))}`;
    if (this.#terminal.live) this.#redraw(text);
    else this.#plain(progress, text);
  }

  stageFinished(outcome: StageOutcome): void {
    if (outcome.status === "cached") return;
    const { colour } = this.#terminal;
    const mark = { done: colour.green("✓"), failed: colour.red("✗"), blocked: colour.dim("–") };
    const sign = mark[outcome.status as keyof typeof mark] ?? colour.yellow("‖");
    const why = outcome.status === "blocked" ? `: ${outcome.reason}` : "";
    const last = outcome.status === "done" ? "" : `  ${outcome.status}${why}`;
    this.#line(
      `${sign} ${outcome.stage.padEnd(12)} ${duration(outcome.seconds).padStart(8)}${last}`,
    );
  }

  warning({ stage, message }: { stage?: string; message: string }): void {
    const where = stage ? `${stage}: ` : "";
    this.#line(this.#terminal.colour.yellow(`! ${where}${message}`));
  }

  resumed({ stage, step, steps }: { stage: string; step: number; steps: number }): void {
    this.#line(`  ${stage} goes on after step ${step} of ${steps}`);
  }

  checkFinished({ passed, name, found, warns }: CheckOutcome): void {
    const { colour } = this.#terminal;
    const fails = warns
      ? colour.yellow(`! does not hold (${found}), a warning`)
      : colour.red(`✗ does not hold (${found})`);
    const result = passed ? colour.green("✓ holds") : fails;
    const line = name.trim().replace(/\s+/g, " "); // a check without a name is its SQL
    const text = `${result}  ${clip(line, this.#terminal.width - 12)}`;
    if (passed) this.#line(text);
    else this.#terminal.problem(text);
  }

  #redraw(text: string): void {
    this.#terminal.draw(`\r\x1b[2K${clip(printable(text), this.#terminal.width - 1)}`);
    this.#drawn = true;
  }

  #plain(progress: StageProgress, text: string): void {
    const last = this.#lastPlain.get(progress.stage) ?? 0;
    if (progress.secondsElapsed - last < plainPeriod) return;
    this.#lastPlain.set(progress.stage, progress.secondsElapsed);
    this.#line(text);
  }

  #line(text: string): void {
    if (this.#drawn) this.#terminal.draw("\r\x1b[2K");
    this.#drawn = false;
    this.#terminal.note(text);
  }
}

/** `train 240/800  ETA 1 m 05 s  loss 0.12  log_z 22.4  1,310 programs scored  48/s`. */
function progressText(progress: StageProgress, secondsLeft: number): string {
  const { stage, step, steps, status, executionsPerSecond } = progress;
  const done = steps > 1 ? `${step}/${steps}  ETA ${duration(secondsLeft)}` : "";
  const known = Object.entries(status).filter(([, value]) => value !== "");
  const numbers = known.map(([name, value]) =>
    `${name} ${typeof value === "number" ? number(value, 3) : value}`
  );
  const programs = [programsText(progress)].filter((text) => text !== "");
  const speed = executionsPerSecond > 0 ? [`${number(executionsPerSecond, 2)}/s`] : [];
  return [stage, done, ...numbers, ...programs, ...speed].filter((part) => part !== "").join("  ");
}

/** How many programs were asked for; in a large request, or one of a stage without steps, how far it is. */
function programsText({ batch, distinctPrograms, steps }: StageProgress): string {
  const count = (n: number) => n.toLocaleString("en");
  if (batch && (batch.total > largeRequest || steps <= 1)) {
    return `scoring ${count(batch.done)}/${count(batch.total)} programs`;
  }
  return distinctPrograms > 0 ? `${count(distinctPrograms)} programs` : "";
}
