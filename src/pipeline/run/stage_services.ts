/** Serves one attempt at a stage: its rows, log, progress, requests and checkpoints. */
import { join } from "node:path";
import type { StageServices } from "../process/attempt.ts";
import type { EncodedRow, FromStage, ToStage } from "../process/messages.ts";
import { decodeCell } from "../process/messages.ts";
import { AttemptRequests } from "./attempt_requests.ts";
import type { RunContext } from "./run_context.ts";
import type { Row } from "../contract/stage.ts";

type Message<T extends FromStage["type"]> = Extract<FromStage, { type: T }>;

/** Where an attempt belongs. */
interface AttemptPlace {
  readonly stage: string;
  /** The name that the run has for this stage, or an inner one, of which the process speaks. */
  readonly inRun: (stage: string) => string;
  /** Under which its checkpoints are published. */
  readonly checkpoint: string;
  readonly attempt: number;
  /** Path of the log, relative to the run's folder. */
  readonly logPath: string;
  readonly steps: number;
  /** Checkpoints of these multiples stay. */
  readonly keepEvery?: number;
  /** Services that the kinds of the stage declare. */
  readonly uses: ReadonlySet<string>;
}

/** Bytes that the log of an attempt has at most, so that a stage that speaks for ever fills no disk. */
const mostLogBytes = 64 * 1024 ** 2;

/** The services of one attempt. */
export class AttemptServices implements StageServices {
  readonly #run: RunContext;
  readonly #place: AttemptPlace;
  readonly #log: Deno.FsFile;
  #logBytes = 0;
  readonly #requests: AttemptRequests;
  readonly #started = performance.now();
  #progress: Message<"progress"> | undefined;

  constructor(run: RunContext, place: AttemptPlace) {
    [this.#run, this.#place] = [run, place];
    const path = join(run.record.folder, place.logPath);
    this.#log = Deno.openSync(path, { append: true, create: true });
    const append = (table: string, rows: readonly Row[]) => this.#append(table, rows);
    const caller = { append, onProgress: () => this.#report() };
    this.#requests = new AttemptRequests(run.services, place.uses, caller);
  }

  rows({ table, rows }: Message<"rows">): void {
    const wall = new Date();
    const clock = table === "metric" ? { wall } : {};
    const filled = (row: EncodedRow) => ({ ...clock, ...this.#named(decodeCell(row) as Row) });
    this.#append(table, rows.map(filled));
  }

  #named(row: Row): Row {
    return typeof row.stage === "string" ? { ...row, stage: this.#place.inRun(row.stage) } : row;
  }

  log({ stage: inner, step, message, level }: Message<"log">): void {
    const stage = this.#place.inRun(inner);
    this.line(
      `${level === "warning" ? "warning: " : ""}${step > 0 ? `step ${step}: ` : ""}${message}`,
    );
    if (level === "warning") {
      this.#append("event", [{ stage, step, wall: new Date(), level, kind: "log", message }]);
      this.#run.observer.warning?.({ stage, message });
    } else this.#run.observer.log?.({ stage, step, message });
  }

  progress(message: Message<"progress">): void {
    this.#progress = message;
    this.#report();
    if (message.steps > 1) this.#run.stepChecks.observe(this.#place.stage, message.step);
  }

  shared(message: Message<"shared">): void {
    this.#requests.share(message);
  }

  ask(message: Message<"ask">, signal: AbortSignal): Promise<ToStage> {
    return this.#requests.answer(message, signal);
  }

  async checkpoint({ step, parts }: Message<"checkpoint">, payload: Uint8Array): Promise<void> {
    const { record, plan, observer } = this.#run;
    const { stage, checkpoint: fingerprint } = this.#place;
    const segment = await record.store.cut(stage);
    plan.checkpoints.publish(
      { fingerprint, step, runId: record.runId, segment, parts, payload },
      this.#place.keepEvery,
    );
    observer.checkpointed?.({ stage, step });
  }

  /** Adds a line to the log of the stage, and notes where it has become too long. */
  line(text: string): void {
    if (this.#logBytes > mostLogBytes) return;
    const bytes = new TextEncoder().encode(`${text}\n`);
    this.#logBytes += bytes.length;
    const full = this.#logBytes > mostLogBytes;
    this.#write(full ? new TextEncoder().encode(`the log ends here, at 64 MiB\n`) : bytes);
  }

  #write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length;) at += this.#log.writeSync(bytes.subarray(at));
  }

  close(): void {
    this.#log.close();
  }

  #append(table: string, rows: readonly Row[]): void {
    const { stage, attempt } = this.#place;
    this.#run.record.store.append(table, rows, { stage, attempt });
  }

  #report(): void {
    const { executed, recalled, batch } = this.#requests.counts;
    const secondsElapsed = (performance.now() - this.#started) / 1000;
    this.#run.observer.progress?.({
      stage: this.#place.stage,
      step: this.#progress?.step ?? 0,
      steps: this.#progress?.steps ?? this.#place.steps,
      status: decodeCell(this.#progress?.status ?? {}) as Record<string, number | string>,
      executed,
      recalled,
      batch,
      distinctPrograms: this.#progress?.distinct ?? 0,
      executionsPerSecond: (executed + (batch?.done ?? 0)) / secondsElapsed,
      secondsElapsed,
    });
  }
}
