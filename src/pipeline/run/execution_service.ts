/** Has the programs of stages executed, and keeps a row for each that the run has used. */
import type { Dataset, DatasetJson } from "../../base/dataset.ts";
import { datasetFromJson } from "../../base/dataset.ts";
import { InputError, MissingPartError } from "../../base/diagnostic.ts";
import { encodeExecution } from "../../executor/execution_json.ts";
import type { ExecutedProgram, Executor, ExecutorName } from "../../executor/executor.ts";
import { executorNames } from "../../executor/executor.ts";
import type { SandboxLevel } from "../../base/sandbox_level.ts";
import type { TextOrigin } from "../../sandbox/policy.ts";
import { policyBreach } from "../../sandbox/policy.ts";
import type { Schedule } from "../../engine/score/execution.ts";
import { executionRow, programRow } from "../store/execution_row.ts";
import type { ExecutionSource } from "../store/execution_row.ts";
import { digestOf } from "../../base/digest.ts";
import { isMachineFailure } from "../../engine/score/execution.ts";
import { machineFault } from "../process/attempt.ts";
import { decodeCell, type FromStage, type StageFault, type ToStage } from "../process/messages.ts";
import type { Row } from "../contract/stage.ts";

type ExecuteMessage = FromStage & { type: "execute" };

/** Counts of one stage, for its progress line. */
export interface ExecutionCounts {
  /** Executions that ran. */
  executed: number;
  /** Executions that the memo knew. */
  recalled: number;
  /** The request that is being served, in distinct programs. */
  batch?: { readonly done: number; readonly total: number };
}

/** What the service needs of the run. */
export interface ExecutionServiceOptions {
  /** Made when the first program is asked for. */
  readonly executor: () => Executor;
  /** A level that the user demands for all programs, over that of their origin. */
  readonly minimumLevel?: SandboxLevel;
  readonly append: (table: "program" | "execution", rows: readonly Row[]) => void;
  /** Called as executions are done. */
  readonly onProgress: () => void;
}

/** Serves the requests of one process. */
export class ExecutionService {
  readonly #options: ExecutionServiceOptions;
  readonly #datasets = new Map<number, Dataset>();
  readonly counts: ExecutionCounts = { executed: 0, recalled: 0 };

  constructor(options: ExecutionServiceOptions) {
    this.#options = options;
  }

  dataset({ key, dataset }: FromStage & { type: "dataset" }): void {
    this.#datasets.set(key, datasetFromJson(dataset as DatasetJson));
  }

  /** The answer to a request: results in its order, or why there are none. */
  async execute(message: ExecuteMessage, signal: AbortSignal): Promise<ToStage> {
    const { id } = message;
    try {
      const results = await this.#executeAll(message, signal);
      const failed = results.find(({ outcome }) => isMachineFailure(outcome.status));
      if (failed) return { type: "refused", id, fault: machineFailure(failed) };
      const origin = originOf(message);
      const { minimumLevel } = this.#options;
      const breach = results.map((one) => policyBreach(one, origin, minimumLevel)).find(Boolean);
      if (breach) return { type: "refused", id, fault: notToBeJudged(breach) };
      return { type: "executed", id, results: results.map((r) => encodeExecution(r.outcome)) };
    } catch (error) {
      return { type: "refused", id, fault: refusal(error) };
    }
  }

  async #executeAll(message: ExecuteMessage, signal: AbortSignal) {
    const { programs, dataset: key, executor, schedule } = message;
    const dataset = this.#datasets.get(key);
    if (!dataset) throw new Error(`internal: data set ${key} was never sent`);
    if (!isExecutor(executor)) throw new Error(`internal: there is no executor "${executor}"`);
    const { onProgress } = this.#options;
    const { counts } = this;
    let reported = 0;
    const origin = originOf(message);
    const common = { dataset, schedule: schedule as Schedule, executor, origin };
    const pool = this.#options.executor();
    const results = await pool.executeAll(programs, { ...common, signal, onProgress: step });
    const engine = pool.digestOf(executor);
    this.#recordPrograms(message, results);
    this.#record(programs, results, { data: dataset.digest, engine, schedule: digestOf(schedule) });
    return results;

    function step(done: number, total: number): void {
      counts.batch = done < total ? { done, total } : undefined;
      const now = performance.now();
      if (now - reported < 200) return;
      reported = now;
      onProgress();
    }
  }

  /** Rows of `program`: what the stage knows of each text, and the hash that execution found. */
  #recordPrograms(
    { programs, logPriors }: ExecuteMessage,
    results: readonly ExecutedProgram[],
  ): void {
    const rows = programs.map((text, i) => {
      const logPrior = decodeCell(logPriors?.[i]) as number | undefined;
      return programRow(text, logPrior, results[i].outcome.programHash);
    });
    this.#options.append("program", rows);
  }

  #record(
    programs: readonly string[],
    results: readonly ExecutedProgram[],
    source: ExecutionSource,
  ): void {
    const distinct = new Map(programs.map((text, i) => [text, results[i]]));
    for (const { memo } of distinct.values()) this.counts[memo ? "recalled" : "executed"]++;
    const kept = [...distinct].filter(([, { outcome }]) => !isMachineFailure(outcome.status));
    const rows = kept.map(([text, result]) => executionRow(text, result, source));
    this.#options.append("execution", rows);
  }
}

function isExecutor(name: string): name is ExecutorName {
  return (executorNames as readonly string[]).includes(name);
}

function machineFailure({ outcome }: ExecutedProgram): StageFault {
  const why = outcome.diagnostics[0]?.message ?? "no reason was given";
  return {
    name: machineFault,
    message: `A program could not be executed: ${outcome.status}: ${why}`,
  };
}

/** Who wrote the programs; what a stage says in other words counts as foreign. */
function originOf({ origin = "grammar" }: ExecuteMessage): TextOrigin {
  return origin === "grammar" ? origin : "foreign";
}

/** No judge sees an execution that did not run as the policy of its text asks. */
function notToBeJudged(breach: string): StageFault {
  const message = `Cannot judge an execution: ${breach}`;
  const remedy = "run `sluice doctor` to see which layer of the sandbox is missing";
  return { name: "MissingPartError", message, remedy };
}

function refusal(error: unknown): StageFault {
  if (!(error instanceof Error)) return { name: "Error", message: String(error) };
  const { name, message, stack } = error;
  const diagnostics = error instanceof InputError ? error.diagnostics : undefined;
  const remedy = error instanceof MissingPartError ? error.remedy : undefined;
  return { name, message, stack, diagnostics, remedy };
}
