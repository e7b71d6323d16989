/** One attempt at a stage: starts its process, serves its requests, reports how it ended. */
import type { FromStage, StageFault, StageJob, ToStage } from "./messages.ts";
import { MachineFailure } from "../contract/service.ts";
import type { ProcessEnd, Received, StageProcessOptions } from "./process.ts";
import { StageProcess } from "./process.ts";

/** Handlers of a stage's messages, called in the order in which the stage sent them. */
export interface StageServices {
  rows(message: FromStage & { type: "rows" }): void;
  log(message: FromStage & { type: "log" }): void;
  progress(message: FromStage & { type: "progress" }): void;
  shared(message: FromStage & { type: "shared" }): void;
  /** Answers a request to a service; several may be under way at once. The signal ends it. */
  ask(message: FromStage & { type: "ask" }, signal: AbortSignal): Promise<ToStage>;
  /** Returns when the checkpoint is safe. */
  checkpoint(message: FromStage & { type: "checkpoint" }, payload: Uint8Array): Promise<void>;
}

/** First signal: finish the step, write a checkpoint, end. Second: end now. */
export interface RunControl {
  /** Aborted: finish the step, write a checkpoint. */
  readonly stop: AbortSignal;
  /** Aborted: end at once, without a checkpoint. */
  readonly kill: AbortSignal;
}

interface AttemptOptions extends StageProcessOptions {
  readonly job: StageJob;
  /** Artifacts, then the parts of a checkpoint. */
  readonly payload: Uint8Array;
  readonly services: StageServices;
  readonly control: RunControl;
  /** Seconds after which the process is killed. */
  readonly timeout?: number;
}

/** How an attempt ended. A fault of the machine's doing may be tried again. */
export type AttemptEnd =
  | {
    readonly kind: "done";
    readonly message: FromStage & { type: "done" };
    readonly payload: Uint8Array;
  }
  | { readonly kind: "stopped"; readonly step: number }
  | { readonly kind: "failed"; readonly fault: StageFault; readonly machine: boolean };

/** Runs a stage's process to its end. */
export async function runAttempt(options: AttemptOptions): Promise<AttemptEnd> {
  const { control, timeout } = options;
  if (control.stop.aborted) return { kind: "stopped", step: 0 };
  const process = new StageProcess(options);
  const watch = new Watch(process, control, timeout);
  try {
    await process.send({ type: "start", job: options.job }, options.payload);
    const last = await serve(process, options.services);
    const end = await process.end();
    if (end.signal === "SIGTERM") await heard(control.stop);
    return verdict(last, end, watch, options.job.name);
  } catch (error) {
    process.kill();
    await process.end();
    throw error;
  } finally {
    watch.end();
  }
}

/** Passes stop, kill and timeout on to a process. */
class Watch {
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #end = new AbortController();
  timedOut = false;

  constructor(process: StageProcess, readonly control: RunControl, readonly timeout?: number) {
    const { signal } = this.#end;
    control.stop.addEventListener("abort", () => process.send({ type: "stop" }), { signal });
    control.kill.addEventListener("abort", () => process.kill(), { signal });
    if (control.kill.aborted) process.kill();
    if (timeout === undefined) return;
    this.#timer = setTimeout(() => {
      this.timedOut = true;
      process.kill();
    }, timeout * 1000);
  }

  end(): void {
    this.#end.abort();
    clearTimeout(this.#timer);
  }
}

/** Serves messages until the process has no more; returns the one that reports the end. */
async function serve(
  process: StageProcess,
  services: StageServices,
): Promise<Received | undefined> {
  const answers = new Set<Promise<void>>();
  const failed: unknown[] = [];
  const gone = new AbortController();
  let last: Received | undefined;
  for (;;) {
    const received = await process.receive();
    if (failed.length > 0) throw failed[0];
    if (!received) break;
    const { message, payload } = received;
    if (message.type === "checkpoint") await services.checkpoint(message, payload);
    else if (message.type === "ask") {
      const answer = services.ask(message, gone.signal)
        .then(async (reply) => void await process.send(reply))
        .catch((error) => {
          failed.push(error);
          process.kill();
        });
      answers.add(answer);
      answer.then(() => answers.delete(answer));
    } else if (message.type === "rows") services.rows(message);
    else if (message.type === "log") services.log(message);
    else if (message.type === "progress") services.progress(message);
    else if (message.type === "shared") services.shared(message);
    else last = received;
  }
  gone.abort();
  await Promise.all(answers);
  if (failed.length > 0) throw failed[0];
  return last;
}

function verdict(
  last: Received | undefined,
  end: ProcessEnd,
  watch: Watch,
  stage: string,
): AttemptEnd {
  const message = last?.message;
  if (message?.type === "done") return { kind: "done", message, payload: last!.payload };
  if (message?.type === "stopped") return { kind: "stopped", step: message.step };
  if (message?.type === "failed") {
    return { kind: "failed", fault: message.fault, machine: isMachineFault(message.fault) };
  }
  const stopped = watch.control.stop.aborted && interrupted(end);
  if (stopped || watch.control.kill.aborted) return { kind: "stopped", step: 0 };
  const fault = silentEnd(end, watch, stage);
  return { kind: "failed", fault, machine: !ownFaults.has(fault.name) };
}

/** Silent ends that are the code's doing, and would be the same again. */
const ownFaults: ReadonlySet<string> = new Set(["LoadError", "Breach"]);

/** Whether a process that had not begun to listen yet was ended by the signal that the runner received as well. */
function interrupted({ signal, code }: ProcessEnd): boolean {
  return ["SIGINT", "SIGTERM"].includes(signal!) || [130, 143].includes(code);
}

/** Milliseconds that the runner may be behind a process in hearing of a signal to both. */
const behind = 200;

/** Waits until a signal was heard here too, if it was one to all. */
function heard(stop: AbortSignal): Promise<void> {
  if (stop.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, behind);
    const told = () => (clearTimeout(timer), resolve());
    stop.addEventListener("abort", told, { once: true });
  });
}

/** True where a service gave up because of the machine. */
function isMachineFault({ name }: StageFault): boolean {
  return name === new MachineFailure().name;
}

/** Why a process ended that said nothing. */
function silentEnd(
  { code, signal, lastWords, breach }: ProcessEnd,
  watch: Watch,
  stage: string,
): StageFault {
  if (breach !== undefined) {
    const message = `it wrote to standard output, which carries its messages to the runner ` +
      `(${breach}): write with console.log, context.log or to standard error`;
    return { name: "Breach", message, stage };
  }
  if (watch.timedOut) {
    return { name: "Timeout", message: `it took longer than ${watch.timeout} seconds`, stage };
  }
  if (/(?:heap|JavaScript) out of memory|Reached heap limit/.test(lastWords)) {
    return { name: "OutOfMemory", message: "it ran out of memory", stage };
  }
  if (signal) return { name: "Crash", message: `it was killed by ${signal}`, stage };
  if (code > 128) return { name: "Crash", message: `it ended with status ${code}`, stage };
  const message = lastWords.trim() || `it ended with status ${code} and said nothing`;
  return { name: "LoadError", message, stage };
}
