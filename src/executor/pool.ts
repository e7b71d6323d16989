/** A warm pool of workers that share one setup; runs programs under limits and retries crashes. */
import { MissingPartError } from "../base/diagnostic.ts";
import type { Dataset } from "../base/dataset.ts";
import { datasetToJson, responseColumn } from "../base/dataset.ts";
import {
  defaultSchedule,
  type Execution,
  isMachineFailure,
  nullProgram,
  type Schedule,
} from "../engine/score/execution/mod.ts";
import { denoLauncher, type Launcher } from "../sandbox/mod.ts";
import type { Job, SetupMessage } from "./messages.ts";
import { workerPath } from "./engine_file.ts";
import type { ExecutionOutcome, WorkerLimits } from "./worker_process.ts";
import { defaultWorkerLimits, failedExecution, WorkerProcess } from "./worker_process.ts";

/** Data, schedule and limits of a pool. */
export interface PoolOptions {
  readonly dataset: Dataset;
  readonly schedule: Schedule;
  /** Programs scored at once; cores by default. */
  readonly workers?: number;
  readonly launcher?: Launcher;
  readonly limits?: WorkerLimits;
  /** Programs after which a worker is replaced by a fresh one; 1 for text of unknown authors. */
  readonly programsPerWorker?: number;
  /** Times that a program whose worker failed is tried again on a fresh one. */
  readonly retries?: number;
  /** File of the worker; the bundled engine by default. */
  readonly workerFile?: string;
}

/**
 * Programs that a worker scores before a fresh one replaces it, so that no leak of V8's could ever
 * grow. Programs cost more until V8 has compiled the engine: at 256 a quarter more CPU time each.
 */
const programsOfAWorker = 4096;

/** Milliseconds after which spare workers are started, even though a program is being scored. */
const refillWhileBusyMs = 20;

/** Programs that were asked for together: after a machine failure the rest is not started. */
export interface Batch {
  broken: boolean;
}

/** Workers for one data set and schedule. Their number and order never change a result. */
export class WorkerPool {
  readonly #setup: SetupMessage;
  readonly #options: Required<Omit<PoolOptions, "schedule">>;
  readonly #idle: WorkerProcess[] = [];
  readonly #all = new Set<WorkerProcess>();
  readonly #queue: (() => void)[] = [];
  readonly #ending = new Set<Promise<void>>();
  #free: number;
  #starting = 0;
  #proof: Promise<boolean> | undefined;
  #refill: { readonly due: number; readonly timer: ReturnType<typeof setTimeout> } | undefined;
  #closed = false;

  constructor({ dataset, schedule, ...options }: PoolOptions) {
    const limits = roomFor(dataset.rows, options.limits ?? defaultWorkerLimits);
    const { cpuMs } = limits;
    this.#setup = { kind: "setup", dataset: datasetToJson(dataset), schedule, cpuMs };
    this.#options = {
      dataset,
      workers: options.workers ?? navigator.hardwareConcurrency,
      launcher: options.launcher ?? denoLauncher,
      limits,
      programsPerWorker: options.programsPerWorker ?? programsOfAWorker,
      retries: options.retries ?? 1,
      workerFile: options.workerFile ?? workerPath(),
    };
    this.#free = this.#options.workers;
  }

  /** Process ids of the workers that are alive. */
  get pids(): readonly number[] {
    return [...this.#all].filter((worker) => worker.alive).map((worker) => worker.pid);
  }

  /** Programs that are being scored now. */
  get busy(): number {
    return this.#options.workers - this.#free;
  }

  /** Starts workers ahead of the first programs, as many as there may be. */
  async warm(): Promise<void> {
    const missing = Math.max(this.#spares, this.#options.workers) - this.#all.size;
    const started = await Promise.all(Array.from({ length: missing }, () => this.#start()));
    this.#idle.push(...started);
  }

  /**
   * Scores one program. One whose worker failed is tried again; if that fails as well it is
   * `undecided`, unless a known-good program fails too: then it is the machine, and the caller stops
   * the run. Programs of a broken batch come back unscored, as `sandbox_error`; the first failure of
   * the machine's breaks its batch.
   *
   * @throws MissingPartError if a worker cannot be started or cannot prove its confinement.
   */
  async execute(job: Job, batch: Batch = { broken: false }): Promise<ExecutionOutcome> {
    await this.#acquire();
    try {
      if (batch.broken) return this.#skipped();
      const outcome = await this.#tried(job);
      if (!isMachineFailure(outcome.execution.status)) return outcome;
      const isOwn = !this.#closed && !isSandboxFault(outcome) && await this.#isMachineSound();
      if (isOwn) return { ...outcome, execution: undecided(outcome.execution) };
      batch.broken = true;
      return outcome;
    } finally {
      this.#release();
    }
  }

  /** The outcome of the last try. */
  async #tried(job: Job): Promise<ExecutionOutcome> {
    for (let retry = 0;; retry++) {
      const outcome = await this.#attempt(job, retry > 0);
      const failed = isMachineFailure(outcome.execution.status);
      if (!failed || retry >= this.#options.retries || this.#closed) return outcome;
    }
  }

  /** Whether a program that anybody can score is scored now, on a fresh worker. */
  #isMachineSound(): Promise<boolean> {
    const { dataset } = this.#options;
    if (!responseColumn(dataset)) return Promise.resolve(false);
    const job = { program: nullProgram(dataset), schedule: shortSchedule };
    return this.#proof ??= this.#attempt(job, true)
      .then(({ execution }) => !isMachineFailure(execution.status), () => false)
      .finally(() => this.#proof = undefined);
  }

  /** Kills every worker; programs that are being scored come back as crashes. */
  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#refill?.timer);
    for (const wake of this.#queue.splice(0)) wake();
    for (const worker of this.#all) this.#retire(worker);
    await Promise.all(this.#ending);
  }

  /** Workers that wait, attested, while others work: where each serves for one program only. */
  get #spares(): number {
    return this.#options.programsPerWorker === 1 ? 2 * this.#options.workers : 0;
  }

  /**
   * Has spare workers started when nothing else is to be done, but in so many milliseconds at the
   * latest: to start a process holds the whole supervisor up, and programs would wait for that.
   */
  #refillIn(ms: number): void {
    const due = performance.now() + ms;
    if (this.#closed || this.#spares === 0 || (this.#refill?.due ?? Infinity) <= due) return;
    clearTimeout(this.#refill?.timer);
    this.#refill = { due, timer: setTimeout(() => this.#startSpare(), ms) };
  }

  /** One at a time, so that answers are heard in between. */
  #startSpare(): void {
    this.#refill = undefined;
    if (this.#closed || this.#idle.length + this.#starting >= this.#spares) return;
    this.#starting++;
    this.#start()
      .then((worker) => this.#idle.push(worker), () => {}) // the next start reports the error
      .finally(() => this.#starting--);
    this.#refillIn(0);
  }

  #skipped(): ExecutionOutcome {
    const execution = failedExecution(
      "sandbox_error",
      "not tried: an earlier program's worker failed",
    );
    return { execution, wallMs: 0, level: this.#options.launcher.level };
  }

  async #attempt(job: Job, onFresh: boolean): Promise<ExecutionOutcome> {
    const worker = onFresh ? await this.#fresh() : await this.#take();
    this.#refillIn(refillWhileBusyMs);
    const outcome = await worker.run(job);
    this.#refillIn(0);
    const reusable = worker.alive && !this.#closed &&
      worker.jobs < this.#options.programsPerWorker;
    if (reusable) this.#idle.push(worker);
    else this.#retire(worker);
    return outcome;
  }

  async #take(): Promise<WorkerProcess> {
    for (let worker = this.#idle.pop(); worker; worker = this.#idle.pop()) {
      if (worker.alive) return worker;
      this.#retire(worker);
    }
    return await this.#start();
  }

  /** A worker that has scored nothing yet, instead of one that waits. */
  async #fresh(): Promise<WorkerProcess> {
    const waiting = await this.#take();
    if (waiting.jobs === 0) return waiting;
    this.#retire(waiting);
    return await this.#start();
  }

  async #start(): Promise<WorkerProcess> {
    if (this.#closed) throw closedError();
    const { launcher, workerFile, limits, programsPerWorker } = this.#options;
    const worker = await WorkerProcess.start(
      ...[launcher, workerFile, this.#setup, limits, programsPerWorker] as const,
    );
    this.#all.add(worker);
    if (!this.#closed) return worker;
    await this.#retire(worker);
    throw closedError();
  }

  /** Kills a worker; only `close` waits until it is gone. */
  #retire(worker: WorkerProcess): Promise<void> {
    this.#all.delete(worker);
    const ending = worker.kill().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    return ending;
  }

  async #acquire(): Promise<void> {
    if (this.#closed) throw closedError();
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#queue.push(resolve));
    if (this.#closed) throw closedError();
  }

  #release(): void {
    const next = this.#queue.shift();
    if (next) next();
    else this.#free++;
  }
}

/** Of the known-good program, however long the others may take. */
const shortSchedule: Schedule = { ...defaultSchedule, maxGradients: 20_000 };

/** Ended by the sandbox's own failure, whatever the program was. */
function isSandboxFault({ execution: { status } }: ExecutionOutcome): boolean {
  return status === "sandbox_error" || status === "sandbox_unavailable";
}

/** The execution with the end of its workers attributed to the program itself. */
function undecided(execution: Execution): Execution {
  const diagnostics = execution.diagnostics.map((one) => ({ ...one, hint: undecidedHint }));
  return { ...execution, status: "undecided", diagnostics };
}

const undecidedHint = "make the program simpler or smaller; others are scored here";

/** Answers hold a few numbers per row, and per element of a deterministic: 2 KiB for each row. */
function roomFor(rows: number, limits: WorkerLimits): WorkerLimits {
  return { ...limits, frame: { ...limits.frame, json: Math.max(limits.frame.json, rows * 2048) } };
}

function closedError(): Error {
  return new MissingPartError("Cannot score a program: the pool is closed", "open another pool");
}
