/** The executor: has programs scored, by the memo where it has them and by a pool otherwise. */
import { type Dataset, datasetToJson, placedDigest } from "../base/dataset.ts";
import type { Json } from "../base/canonical_json.ts";
import { inputError } from "../base/diagnostic.ts";
import { digestOf, sha256 } from "../base/digest.ts";
import { removeIfThere } from "../base/atomic.ts";
import { openSealer } from "../base/seal.ts";
import {
  type Execution,
  isMachineFailure,
  isSettled,
  type Schedule,
} from "../engine/score/execution/mod.ts";
import {
  checked,
  chooseLauncher,
  type Launcher,
  minimumLevel,
  policyBreach,
  requireLevel,
  type TextOrigin,
} from "../sandbox/mod.ts";
import type { SandboxLevel } from "../base/sandbox_level.ts";
import { Owner } from "../pipeline/store/mod.ts";
import { publishWanted } from "./assist/wanted.ts";
import { Memo } from "./memo/memo.ts";
import { Audit, type Shared, SharedWork } from "./memo/shared_work.ts";
import type { Job } from "./messages.ts";
import {
  type CheckedLikelihood,
  type CheckedText,
  checkLikelihoods,
  type CheckRun,
  checkTexts,
} from "./checks.ts";
import type { Batch } from "./pool.ts";
import { WorkerPool } from "./pool.ts";
import { levelOfReader, type Reader, readerDigest, type Reading } from "./define_executor.ts";
import { type BuiltInExecutor, type FrontEnd, imageOf } from "./front_ends/front_end.ts";
import { builtInExecutor } from "./front_ends/mod.ts";
import { digestOfBuiltIn, openExecutor } from "./front_ends/open_executor.ts";
import { refusedToRun, scoreReading } from "./score_reading.ts";
import { engineDigest, workerPath } from "./engine_file.ts";
import type { ExecutionOutcome, WorkerLimits } from "./worker_process.ts";
import { failedExecution } from "./worker_process.ts";

/** Where an executor keeps its memo, and how its pools are made. */
export interface ExecutorOptions {
  /** Folder that holds `.sluice`. */
  readonly root: string;
  readonly workers?: number;
  /** Starts workers; by default the highest level that this machine offers. */
  readonly launcher?: Launcher;
  /** A level below which nothing is executed or recalled, whatever the policy of a text is. */
  readonly minimumLevel?: SandboxLevel;
  /** Receives the parts missing for a higher level, before the first program runs. */
  readonly onShortfall?: (line: string) => void;
  /** Receives notes on entries of the memo that are not accepted or not readable. */
  readonly onNote?: (line: string) => void;
  /** Share of the memo's answers that is executed again and compared bit for bit; 0 by default. */
  readonly auditShare?: number;
  readonly limits?: WorkerLimits;
  readonly programsPerWorker?: number;
  readonly retries?: number;
  readonly workerFile?: string;
  /** Writes large batches where assistants on other machines find them. */
  readonly announces?: boolean;
  /** Whether the user lets an image of containers be started; none may be if left out. */
  readonly allowsImage?: (image: string) => boolean;
  /** The executors that a target may name; Sluice's own by default. */
  readonly executors?: ReadonlyMap<string, BuiltInExecutor>;
}

/** Data and rules that a batch of programs is scored against. */
export interface ExecuteRequest {
  readonly dataset: Dataset;
  readonly schedule: Schedule;
  /** Name of a built-in executor; `native` by default. */
  readonly executor?: string;
  /** The executor of the user's that has read the programs, and its readings by program. */
  readonly read?: { readonly by: Reader; readonly as: ReadonlyMap<string, Reading> };
  /** Origin of the programs; `grammar` by default. Text of foreign origin gets a process each. */
  readonly origin?: TextOrigin;
  /** log prior of each program: assistants begin with the likeliest. */
  readonly logPriors?: readonly (number | undefined)[];
  /** Ends the batch: nothing more is started, running workers are killed. */
  readonly signal?: AbortSignal;
  /** Called after each distinct program, with how many are done of how many. */
  readonly onProgress?: (done: number, total: number, result: ExecutedProgram) => void;
}

/** One program's execution; costs are those of the execution itself, also if the memo answered. */
export interface ExecutedProgram {
  readonly outcome: Execution;
  readonly memo: boolean;
  readonly wallMs: number;
  readonly cpuMs?: number;
  readonly maxRssKib?: number;
  readonly level: SandboxLevel;
  readonly attestation?: string;
}

/** SHA-256 of executors whose engine has this digest. */
export function executorDigest(executors: Iterable<BuiltInExecutor>, engine: string): string {
  const own = [...executors].flatMap((executor) => digestOfBuiltIn(executor) ?? []);
  return own.length === 0 ? engine : digestOf([engine, ...own]);
}

const mostPools = 4;

/** log prior by which programs without one come last. */
const least = -Number.MAX_VALUE;

/** Programs that a batch lacks from which on it is announced to assistants. */
const announcedFrom = 32;

/** A pool whose workers hold one data set, with the memo of what they scored. */
interface BoundPool {
  readonly origin: TextOrigin;
  readonly pool: WorkerPool;
  readonly dataset: Dataset;
  readonly executor: string;
  readonly read: ExecuteRequest["read"];
  readonly memo: Memo;
  /** Programs of the memo that this process and others execute. */
  readonly work: SharedWork;
  /** Programs being scored now, so that two batches never score the same text twice. */
  readonly running: Map<string, Promise<Shared>>;
  /** Outcomes that no memo keeps: another run tries these programs again, this one does not. */
  readonly undecided: Map<string, ExecutionOutcome>;
}

/** Scores programs on this machine. Results do not depend on order, number or age of workers. */
export class Executor {
  readonly #options: ExecutorOptions;
  readonly #pools = new Map<string, BoundPool>();
  readonly #engine: string;
  readonly #frontEnds = new Map<string, Promise<FrontEnd> | undefined>();
  readonly #launchers = new Map<TextOrigin, Promise<Launcher>>();
  readonly #owner: Owner;
  /** Answers of the memo that are executed again. */
  readonly audit: Audit;

  constructor(options: ExecutorOptions) {
    this.#options = options;
    this.#owner = new Owner(options.root);
    this.audit = new Audit(options.auditShare ?? 0);
    this.#engine = engineDigest(options.workerFile ?? workerPath());
  }

  /** SHA-256 of all that turns a text into a score. */
  digestOf(executor: string = "native", reader?: Reader): string {
    if (reader) return readerDigest(reader, this.#engine);
    return executorDigest([this.#builtIn(executor)], this.#engine);
  }

  /**
   * Scores programs, each distinct text once; the results are in the order of `programs`. A program
   * that the clock, its memory or a crash ended twice is `undecided`, where another one can be
   * scored: no memo keeps it, so a second run tries it again. Else the machine has failed, and the
   * caller stops the run: after the first such failure no further program of the batch is started;
   * those that were waiting come back as `sandbox_error`. A signal ends all batches on the same data
   * and schedule.
   *
   * @throws MissingPartError if the sandbox cannot be set up; the signal's reason if aborted.
   */
  async executeAll(
    programs: readonly string[],
    request: ExecuteRequest,
  ): Promise<ExecutedProgram[]> {
    return await this.#inPool(request, async (bound) => {
      bound.memo.refresh();
      const distinct = [...new Set(programs)];
      const known = new Map(distinct.map((one) => [one, this.#recall(bound, keyOf(one, bound))]));
      const wanted = this.#announce(programs, known, bound, request);
      try {
        const results = await this.#settleAll(known, bound, request);
        return programs.map((program) => results.get(program)!);
      } finally {
        if (wanted) removeIfThere(wanted);
      }
    });
  }

  /**
   * Findings of the check in each text, in their order; nothing is scored, and no memo is asked.
   *
   * @throws MachineFailure if the machine failed; MissingPartError as `executeAll` does, and where a
   * worker was confined less than the texts ask for.
   */
  async checkAll(programs: readonly string[], request: ExecuteRequest): Promise<CheckedText[]> {
    return await this.#inPool(
      request,
      async (bound) => await checkTexts(this.#checkRun(bound, request), programs),
    );
  }

  /**
   * Whether the likelihoods are distributions, at so many draws of the parameters; see `checkAll`.
   */
  async checkLikelihoods(
    programs: readonly string[],
    draws: number,
    request: ExecuteRequest,
  ): Promise<CheckedLikelihood[]> {
    return await this.#inPool(
      request,
      async (bound) => await checkLikelihoods(this.#checkRun(bound, request), programs, draws),
    );
  }

  #checkRun({ pool, origin }: BoundPool, { signal }: ExecuteRequest): CheckRun {
    const { workers = navigator.hardwareConcurrency, minimumLevel } = this.#options;
    const admit = (outcome: ExecutionOutcome) => requireLevel(outcome, origin, minimumLevel);
    return { pool, workers, admit, signal };
  }

  /** Does work with the workers of a request, which a signal ends. */
  async #inPool<T>(request: ExecuteRequest, work: (bound: BoundPool) => Promise<T>): Promise<T> {
    request.signal?.throwIfAborted();
    const { origin = "grammar" } = request;
    const launcher = this.#launchers.get(origin) ?? this.#choose(origin);
    this.#launchers.set(origin, launcher);
    const bound = this.#bound(request, await launcher);
    let dropped: Promise<void> | undefined;
    const abort = () => dropped = this.#drop(bound);
    request.signal?.addEventListener("abort", abort);
    try {
      return await work(bound);
    } catch (error) {
      request.signal?.throwIfAborted();
      throw error;
    } finally {
      request.signal?.removeEventListener("abort", abort);
      await dropped;
    }
  }

  /** Kills all workers. */
  async close(): Promise<void> {
    const pools = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(pools.map((bound) => bound.pool.close()));
    for (const { memo } of pools) memo.close();
    this.#owner.close();
  }

  async #settleAll(
    known: ReadonlyMap<string, ExecutionOutcome | undefined>,
    bound: BoundPool,
    { signal, onProgress }: ExecuteRequest,
  ): Promise<Map<string, ExecutedProgram>> {
    let done = 0;
    const batch = { broken: false };
    const results = await Promise.all([...known].map(async ([program, outcome]) => {
      const result = await this.#one(program, outcome, bound, batch, signal);
      signal?.throwIfAborted();
      onProgress?.(++done, known.size, result);
      return [program, result] as const;
    }));
    return new Map(results);
  }

  /** Writes what the memo lacks of a large batch where assistants find it; the path of the file. */
  #announce(
    programs: readonly string[],
    known: ReadonlyMap<string, ExecutionOutcome | undefined>,
    bound: BoundPool,
    { schedule, logPriors = [] }: ExecuteRequest,
  ): string | undefined {
    if (!this.#options.announces || bound.read) return undefined;
    const open = [...known.keys()].filter((program) => !known.get(program));
    if (open.length < announcedFrom) return undefined;
    const priors = new Map(programs.map((program, i) => [program, logPriors[i] ?? least]));
    const { dataset, executor, origin } = bound;
    return publishWanted(bound.memo.folder, openSealer(this.#options.root), {
      engine: this.digestOf(executor),
      dataset: datasetToJson(dataset),
      schedule,
      executor,
      origin,
      programs: open.toSorted((a, b) => priors.get(b)! - priors.get(a)!),
    });
  }

  async #one(
    program: string,
    known: ExecutionOutcome | undefined,
    bound: BoundPool,
    batch: Batch,
    signal?: AbortSignal,
  ): Promise<ExecutedProgram> {
    const hash = keyOf(program, bound);
    const undecided = bound.undecided.get(hash);
    if (undecided) return executed(undecided, true);
    if (known) {
      if (this.audit.wants(hash)) await this.#audit(program, known, bound, batch, signal);
      return executed(known, true);
    }
    const running = bound.running.get(hash);
    if (running) return executed((await running).outcome, true);
    const execute = () => this.#execute(program, bound, batch, signal);
    const isOver = () => batch.broken || signal?.aborted === true;
    const work = bound.work.settle(hash, execute, isOver);
    bound.running.set(hash, work);
    try {
      const { outcome, memo } = await work;
      if (outcome.execution.status === "undecided") bound.undecided.set(hash, outcome);
      return executed(outcome, memo);
    } finally {
      bound.running.delete(hash);
    }
  }

  /** Executes a known program of the memo again, and records a difference. */
  async #audit(
    program: string,
    known: ExecutionOutcome,
    bound: BoundPool,
    batch: Batch,
    signal?: AbortSignal,
  ): Promise<void> {
    const found = await this.#execute(program, bound, batch, signal);
    if (!isSettled(found.execution.status)) return;
    this.audit.compare(keyOf(program, bound), program, known, found);
  }

  async #execute(
    program: string,
    { pool, dataset, executor, read: own, origin }: BoundPool,
    batch: Batch,
    signal?: AbortSignal,
  ): Promise<ExecutionOutcome> {
    const score = async (job: Job) => await pool.execute(job, batch);
    if (own) {
      const level = levelOfReader(own.by);
      const reading = own.as.get(program)!;
      return await scoreReading(program, { ...reading, level, wallMs: 0 }, own.by, score);
    }
    const builtIn = this.#builtIn(executor);
    const frontEnd = await this.#frontEnd(builtIn, origin);
    if (!frontEnd) return await score({ program });
    if (batch.broken) return notTried;
    const refused = await refusedToRun(program, builtIn, score);
    if (refused) return refused;
    const read = await frontEnd.extract(program, dataset, signal, () => batch.broken);
    if (!read) return notTried;
    batch.broken ||= read.kind === "failed" && isMachineFailure(read.execution.status);
    return await scoreReading(program, read, builtIn, score);
  }

  /** @throws Error if there is no built-in executor of that name. */
  #builtIn(name: string): BuiltInExecutor {
    const { executors } = this.#options;
    const found = executors ? executors.get(name) : builtInExecutor(name);
    if (!found) throw new Error(`internal: there is no executor "${name}"`);
    return found;
  }

  /**
   * The front end of a built-in executor; undefined where the engine reads the text itself.
   *
   * @throws InputError `executor/image` if it starts an image that the user was not asked for.
   */
  #frontEnd(executor: BuiltInExecutor, origin: TextOrigin): Promise<FrontEnd> | undefined {
    this.#requireImage(executor);
    const { root, workers: slots = navigator.hardwareConcurrency, retries } = this.#options;
    const minimum = minimumLevel(origin, this.#options.minimumLevel);
    const id = `${executor.name} ${origin}`;
    const made = this.#frontEnds.get(id) ??
      openExecutor(executor, {
        root,
        slots,
        origin,
        retries,
        minimumLevel: minimum,
        refuse: "asked",
      });
    this.#frontEnds.set(id, made);
    return made;
  }

  #requireImage(executor: BuiltInExecutor): void {
    const image = imageOf(executor);
    if (image === undefined || this.#options.allowsImage?.(image)) return;
    const message = `Cannot start the image ${image}: no target of the pipeline names it`;
    const hint = "name it as the executor of a target: you are asked before it is started";
    throw inputError("executor/image", message, undefined, hint);
  }

  /** The memo's outcome, if it was executed as the policy asks. */
  #recall(
    { memo, origin }: Pick<BoundPool, "memo" | "origin">,
    hash: string,
  ): ExecutionOutcome | undefined {
    const outcome = memo.get(hash);
    if (!outcome) return undefined;
    const breach = policyBreach(outcome, origin, this.#options.minimumLevel);
    return breach === undefined ? outcome : undefined;
  }

  async #choose(origin: TextOrigin): Promise<Launcher> {
    const { launcher, workerFile = workerPath(), onShortfall } = this.#options;
    const minimum = minimumLevel(origin, this.#options.minimumLevel);
    if (launcher) return checked({ launcher, shortfalls: [] }, minimum).launcher;
    const choice = await chooseLauncher(minimum, workerFile);
    if (choice.shortfalls.length > 0) {
      onShortfall?.(
        `programs run at level ${choice.launcher.level} of the sandbox: ` +
          choice.shortfalls.join("; "),
      );
    }
    return choice.launcher;
  }

  #bound(request: ExecuteRequest, launcher: Launcher): BoundPool {
    const { dataset, schedule, executor = "native", read, origin = "grammar" } = request;
    const engine = this.digestOf(executor, read?.by);
    const id = digestOf([placedDigest(dataset), schedule, executor, origin, engine]);
    const open = this.#pools.get(id);
    if (open) return { ...open, read };
    this.#makeRoom();
    const { root, ...options } = this.#options;
    const programsPerWorker = origin === "foreign" ? 1 : options.programsPerWorker;
    const key = { datasetDigest: placedDigest(dataset), engineDigest: engine, schedule };
    const pool = new WorkerPool({ ...options, programsPerWorker, launcher, dataset, schedule });
    const { onNote, workers = navigator.hardwareConcurrency } = options;
    const memo = Memo.open(root, key, { onNote });
    const recall = (hash: string) => this.#recall({ memo, origin }, hash);
    const work = new SharedWork({ memo, owner: this.#owner, turns: 2 * workers, recall });
    const bound = {
      origin,
      pool,
      dataset,
      executor,
      read,
      memo,
      work,
      running: new Map(),
      undecided: new Map(),
    };
    this.#pools.set(id, bound);
    return bound;
  }

  /** Closes the oldest idle pool when there are many: each keeps a process per core. */
  #makeRoom(): void {
    if (this.#pools.size < mostPools) return;
    for (const bound of this.#pools.values()) {
      if (bound.pool.busy === 0) return void this.#drop(bound);
    }
  }

  async #drop(bound: BoundPool): Promise<void> {
    for (const [id, { pool }] of this.#pools) if (pool === bound.pool) this.#pools.delete(id);
    await bound.pool.close();
    bound.memo.close();
  }
}

/** Programs are known by their text, and by what was made of it where others than Sluice read them. */
function keyOf(program: string, { read }: BoundPool): string {
  const reading = read?.as.get(program);
  return read ? digestOf([program, reading as Json]) : sha256(program);
}

/** A program of a batch that has met a failure of the machine's before its turn came. */
const notTried: ExecutionOutcome = {
  execution: failedExecution("sandbox_error", "not tried: an earlier program's sandbox failed"),
  level: "L1",
  wallMs: 0,
};

function executed({ execution, ...cost }: ExecutionOutcome, memo: boolean): ExecutedProgram {
  return { outcome: execution, memo, ...cost };
}
