/** The executor as a service of pipelines: programs in, executions out, a row for each that was used. */
import { datasetFromJson, type DatasetJson } from "../base/dataset.ts";
import type { Dataset } from "../base/dataset.ts";
import { digestOf, sha256 } from "../base/digest.ts";
import { higherDemand } from "../base/sandbox_level.ts";
import { type Execution, isMachineFailure, type Schedule } from "../engine/score/execution/mod.ts";
import {
  type ExecutionRequest,
  MachineFailure,
  type OpenService,
  type Service,
  type ServiceCaller,
  type ServiceCheck,
  type ServiceCounts,
  type ServiceDemands,
  type ServiceRun,
  type ServiceSession,
} from "../pipeline/contract/mod.ts";
import { requireLevel, type TextOrigin } from "../sandbox/mod.ts";
import { engineDigest } from "./engine_file.ts";
import { checkReading, type Reader } from "./define_executor.ts";
import { type ExecutedProgram, type ExecuteRequest, Executor, executorDigest } from "./executor.ts";
import type { ExecutorOptions } from "./executor.ts";
import type { Audit } from "./memo/shared_work.ts";
import { builtInExecutors } from "./front_ends/mod.ts";
import { executionRow, programRow } from "./execution_row.ts";

/** Requests of a stage about programs that are not to be scored. */
export type CheckRequest =
  & Pick<ExecutionRequest, "programs" | "dataset" | "executor" | "schedule" | "origin">
  & { readonly purpose: "check" }
  & (
    /** Findings of the check in each text, on this data by the rules of the schedule: `CheckedText`. */
    | { readonly op: "check" }
    /** Whether each likelihood is a distribution, at draws from the prior: `CheckedLikelihood`. */
    | { readonly op: "likelihood"; readonly draws: number }
  );

/** Milliseconds between two reports of progress. */
const reportPeriod = 200;

/**
 * The service `executor`: `context.execute` of a stage is a request to it. Results from below a
 * demanded level are neither recalled nor given to a stage.
 */
export function executorService(options: ExecutorOptions): Service {
  const demand = ({ minimumLevel }: ServiceDemands) =>
    higherDemand(minimumLevel, options.minimumLevel);
  return {
    name: "executor",
    title: "the engine",
    digest(demands) {
      const { executors = builtInExecutors, workerFile } = options;
      const digest = executorDigest(executors.values(), engineDigest(workerFile));
      const level = demand(demands);
      return level === undefined ? digest : digestOf([digest, level]);
    },
    open: (run) => new ExecutorOfRun({ ...options, minimumLevel: demand(run) }, run),
  };
}

/** One pool of workers for all stages of a run, made when the first program is asked for. */
class ExecutorOfRun implements OpenService {
  #executor: Executor | undefined;

  constructor(readonly options: ExecutorOptions, readonly run: ServiceRun) {}

  session(caller: ServiceCaller): ServiceSession {
    const { minimumLevel } = this.options;
    return new ExecutorSession(() => this.#made(), caller, { minimumLevel });
  }

  #made(): Executor {
    return this.#executor ??= new Executor({
      onShortfall: this.run.warn,
      onNote: this.run.warn,
      announces: true,
      allowsImage: (image) => this.run.images?.includes(image) ?? false,
      ...this.options,
    });
  }

  checks(): ServiceCheck[] {
    if (this.options.auditShare === undefined) return [];
    return [auditCheck(this.#executor?.audit)];
  }

  async close(): Promise<void> {
    await this.#executor?.close();
  }
}

/** Programs that a check names. */
const mostNamed = 5;

/** Whether what was executed again came out as the memo had it, bit for bit. */
function auditCheck(audit: Audit | undefined): ServiceCheck {
  const { audited = 0, different = [] } = audit ?? {};
  const name = `the memo's answers, ${audited} of them executed again`;
  const named = different.slice(0, mostNamed).map((program) => sha256(program).slice(0, 12));
  const more = different.length > mostNamed ? ` and ${different.length - mostNamed} more` : "";
  const found = `${different.length} differ: programs ${named.join(", ")}${more}`;
  return { name, passed: different.length === 0, found };
}

/** Serves the requests of one attempt at a stage. */
export class ExecutorSession implements ServiceSession {
  readonly #datasets = new WeakMap<object, Dataset>();
  readonly #counts: { -readonly [K in keyof ServiceCounts]: ServiceCounts[K] } = {
    executed: 0,
    recalled: 0,
  };

  constructor(
    readonly executor: () => Pick<
      Executor,
      "checkAll" | "checkLikelihoods" | "executeAll" | "digestOf"
    >,
    readonly caller: ServiceCaller,
    readonly demands: ServiceDemands = {},
  ) {}

  get counts(): ServiceCounts {
    return this.#counts;
  }

  /**
   * The executions that a stage may see, or what was found where nothing is to be scored, in the
   * order of the request's programs.
   *
   * @throws MachineFailure if a program met a failure of the machine's; MissingPartError if one ran
   * below the level that its text asks for, or cannot be run here.
   */
  async answer(asked: unknown, signal: AbortSignal): Promise<readonly unknown[]> {
    const request = asked as ExecutionRequest | CheckRequest;
    if ("op" in request) return await this.#check(request, signal);
    return await this.#execute(request, signal);
  }

  /** Findings about programs that are not scored: no row is kept, and nothing is counted. */
  async #check(request: CheckRequest, signal: AbortSignal): Promise<readonly unknown[]> {
    const { programs } = request;
    const common = this.#common(request, signal);
    return request.op === "check"
      ? await this.executor().checkAll(programs, common)
      : await this.executor().checkLikelihoods(programs, request.draws, common);
  }

  #common(
    request: CheckRequest | ExecutionRequest,
    signal: AbortSignal,
  ): ExecuteRequest & { readonly dataset: Dataset; readonly schedule: Schedule } {
    const dataset = this.#dataset(request.dataset as DatasetJson);
    const schedule = request.schedule as Schedule;
    return { dataset, schedule, executor: request.executor, origin: originOf(request), signal };
  }

  async #execute(request: ExecutionRequest, signal: AbortSignal): Promise<readonly Execution[]> {
    const results = await this.#executeAll(request, signal);
    const failed = results.find(({ outcome }) => isMachineFailure(outcome.status));
    if (failed) throw machineFailure(failed);
    const origin = originOf(request);
    for (const one of results) requireLevel(one, origin, this.demands.minimumLevel);
    return results.map(({ outcome }) => outcome);
  }

  async #executeAll(request: ExecutionRequest, signal: AbortSignal): Promise<ExecutedProgram[]> {
    const { programs, logPriors, executor } = request;
    const read = readBy(request);
    const common = this.#common(request, signal);
    const { dataset, schedule } = common;
    const onProgress = this.#reporter();
    const pool = this.executor();
    const results = await pool.executeAll(programs, { ...common, logPriors, read, onProgress });
    const engine = pool.digestOf(executor, read?.by);
    this.#count(programs, results);
    if (request.purpose !== "check") {
      this.#recordPrograms(request, results);
      this.#record(programs, results, {
        data: dataset.digest,
        engine,
        schedule: digestOf(schedule),
      });
    }
    return results;
  }

  #dataset(json: DatasetJson): Dataset {
    const dataset = this.#datasets.get(json) ?? datasetFromJson(json);
    this.#datasets.set(json, dataset);
    return dataset;
  }

  #reporter(): (done: number, total: number) => void {
    let reported = 0;
    return (done, total) => {
      this.#counts.batch = done < total ? { done, total } : undefined;
      const now = performance.now();
      if (now - reported < reportPeriod) return;
      reported = now;
      this.caller.onProgress();
    };
  }

  /** Rows of `program`: text and prior from the stage, and the hash that execution found. */
  #recordPrograms(
    { programs, logPriors }: ExecutionRequest,
    results: readonly ExecutedProgram[],
  ): void {
    const rows = programs.map((text, i) => {
      return programRow(text, logPriors?.[i], results[i].outcome.programHash);
    });
    this.caller.append("program", rows);
  }

  #count(programs: readonly string[], results: readonly ExecutedProgram[]): void {
    const distinct = new Map(programs.map((text, i) => [text, results[i].memo]));
    for (const memo of distinct.values()) this.#counts[memo ? "recalled" : "executed"]++;
  }

  #record(
    programs: readonly string[],
    results: readonly ExecutedProgram[],
    source: Parameters<typeof executionRow>[2],
  ): void {
    const distinct = new Map(programs.map((text, i) => [text, results[i]]));
    const kept = [...distinct].filter(([, { outcome }]) => !isMachineFailure(outcome.status));
    const rows = kept.map(([text, result]) => executionRow(text, result, source));
    this.caller.append("execution", rows);
  }
}

/** Readings of the programs by an executor of the user's, if one has read them. */
function readBy({ programs, reader, readings }: ExecutionRequest): ExecuteRequest["read"] {
  if (reader === undefined) return undefined;
  const by = reader as Reader;
  const as = programs.map((text, i) => [text, checkReading(readings?.[i], by.name)] as const);
  return { by, as: new Map(as) };
}

function machineFailure({ outcome }: ExecutedProgram): MachineFailure {
  const why = outcome.diagnostics[0]?.message ?? "no reason was given";
  return new MachineFailure(`A program could not be executed: ${outcome.status}: ${why}`);
}

/** Origin of the programs; any word but `grammar` counts as foreign. */
function originOf({ origin = "grammar" }: Pick<ExecutionRequest, "origin">): TextOrigin {
  return origin === "grammar" ? origin : "foreign";
}
