/** Scores programs outside any pipeline, one at a time or a few: each in a worker, under limits. */
import { type Dataset, placedDigest } from "../base/dataset.ts";
import { MissingPartError } from "../base/diagnostic.ts";
import { type Execution, isMachineFailure, type Schedule } from "../engine/score/execution/mod.ts";
import { chooseLauncher, examineHost, type Launcher, untriedLauncher } from "../sandbox/mod.ts";
import { workerPath } from "./engine_file.ts";
import type { Job } from "./messages.ts";
import { WorkerPool } from "./pool.ts";
import { defaultWorkerLimits, type ExecutionOutcome, type WorkerLimits } from "./worker_process.ts";

/** How single programs are scored. */
export interface SingleProgramsOptions {
  readonly schedule: Schedule;
  /** Seconds of wall and of CPU time after which a program's worker is killed. */
  readonly seconds: number;
  /** Programs at once; 1 by default. */
  readonly workers?: number;
  /** Programs after which a worker is replaced; 8 for a single worker, else 1, if left out. */
  readonly programsPerWorker?: number;
  /** File of the worker; the bundled engine by default. */
  readonly workerFile?: string;
}

const mib = 1 << 20;
/** Limits of an answer: summaries of every parameter, and draws of all of them. */
const answerCaps = { json: 64 * mib, payload: 512 * mib } as const;

/** Workers at the highest level of the sandbox that this machine offers, for one data set at a time. */
export class SinglePrograms {
  readonly #options: SingleProgramsOptions;
  /** Of the data set at hand, from when it is asked for: programs that come together share it. */
  #open: { readonly digest: string; readonly pool: Promise<WorkerPool> } | undefined;
  #launcher: Launcher | undefined;

  constructor(options: SingleProgramsOptions) {
    this.#options = options;
  }

  /**
   * Outcome of a program: `undecided` if its worker was ended by the clock, its memory or a crash.
   *
   * @throws MissingPartError if no worker can be started, or a known-good program fails as well.
   */
  async run(job: Job, dataset: Dataset): Promise<ExecutionOutcome> {
    const pool = await this.#poolFor(dataset);
    const outcome = await pool.execute(job);
    const { execution } = outcome;
    if (isMachineFailure(execution.status)) throw machineFailed(execution);
    if (execution.status !== "undecided") return outcome;
    return { ...outcome, execution: explained(execution, this.#options.seconds) };
  }

  /** Starts the workers ahead of the first program, whose run reports any obstacle. */
  warm(dataset: Dataset): void {
    this.#poolFor(dataset).catch(() => undefined);
  }

  /** Ends all workers. */
  async close(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    const pool = await open?.pool.catch(() => undefined); // the caller of `run` got the error
    await pool?.close();
  }

  async #poolFor(dataset: Dataset): Promise<WorkerPool> {
    const digest = placedDigest(dataset);
    if (this.#open?.digest !== digest) {
      const before = this.close();
      this.#open = { digest, pool: before.then(() => this.#started(dataset)) };
    }
    const open = this.#open!;
    try {
      return await open.pool;
    } catch (error) {
      if (this.#open === open) this.#open = undefined; // the next program tries again
      throw error;
    }
  }

  /** A pool whose first workers have started; a launcher that was not tried is tried by them. */
  async #started(dataset: Dataset): Promise<WorkerPool> {
    const { workerFile = workerPath() } = this.#options;
    const likely = this.#launcher ?? await likelyLauncher(workerFile);
    const found = likely && await this.#warm(dataset, likely, workerFile).catch(() => undefined);
    if (found) return found;
    const { launcher } = await chooseLauncher("L1", workerFile);
    return await this.#warm(dataset, launcher, workerFile);
  }

  async #warm(dataset: Dataset, launcher: Launcher, workerFile: string): Promise<WorkerPool> {
    const { schedule, seconds, workers = 1 } = this.#options;
    // The findings, then the score.
    const { programsPerWorker = workers === 1 ? 8 : 1 } = this.#options;
    const pool = new WorkerPool({
      dataset,
      schedule,
      launcher,
      limits: limitsOf(seconds),
      workers,
      workerFile,
      retries: 0,
      programsPerWorker,
    });
    try {
      await pool.warm();
    } catch (error) {
      await pool.close();
      throw error;
    }
    this.#launcher = launcher;
    return pool;
  }
}

/** The highest level that the machine has the parts for: to try it first would start a worker twice. */
async function likelyLauncher(workerFile: string): Promise<Launcher | undefined> {
  const { host } = await examineHost();
  return host && untriedLauncher(host, workerFile);
}

function limitsOf(seconds: number): WorkerLimits {
  const ms = Math.ceil(1000 * seconds);
  return { ...defaultWorkerLimits, wallMs: ms, cpuMs: ms, frame: answerCaps };
}

function machineFailed({ status, diagnostics }: Execution): MissingPartError {
  const said = diagnostics[0]?.message ?? "it said nothing";
  return new MissingPartError(
    `Cannot score programs here: a worker failed (${status}: ${said}), and so does one with a ` +
      "program that is known to be good",
    "run `sluice doctor`, and see that there is memory left",
  );
}

/** Why the worker ended, in words for the user who asked for the score. */
function explained(execution: Execution, seconds: number): Execution {
  const [found] = execution.diagnostics;
  const why = found.code.startsWith("exec/timeout")
    ? `it took more than ${seconds} s`
    : found.code === "exec/oom"
    ? "it took more memory than a program may"
    : `its worker ended without a result: ${found.message}`;
  const hint = found.code.startsWith("exec/timeout")
    ? "make the program simpler, or give it more time: --timeout"
    : "make the program smaller: fewer parameters, shorter arrays";
  const message = `Cannot decide on the program: ${why}`;
  return { ...execution, diagnostics: [{ ...found, message, hint }] };
}
