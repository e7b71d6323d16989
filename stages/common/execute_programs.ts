/** Has programs executed by a target's settings, read first by an executor of the user's if it has one. */
import { type Dataset, datasetToJson } from "../../src/base/dataset.ts";
import type { Execution } from "../../src/engine/score/execution/mod.ts";
import {
  blindColumns,
  type ExecutorDefinition,
  type Reading,
} from "../../src/executor/define_executor.ts";
import { readProgram } from "../../src/executor/read_program.ts";
import { writesFreely } from "../../src/gfn/environments/mod.ts";
import type { ExecutionRequest, StageContext } from "../../src/pipeline/contract/mod.ts";
import type { ProgramTarget } from "../ports/values.ts";

/** Request for executions beside the settings of the target. */
export type AskedPrograms = Pick<
  ExecutionRequest,
  "programs" | "logPriors" | "purpose" | "origin"
>;

/** The executions of the programs, in their order. */
export async function executePrograms(
  context: StageContext,
  target: Pick<ProgramTarget, "dataset" | "environment" | "executor" | "ownExecutor" | "schedule">,
  asked: AskedPrograms,
): Promise<Execution[]> {
  const { dataset, environment, executor, ownExecutor, schedule } = target;
  const origin = writesFreely(environment) ? { origin: "foreign" as const } : {};
  const request = { ...asked, ...origin, dataset: datasetToJson(dataset), executor, schedule };
  if (!ownExecutor) return await context.execute<Execution>(request);
  const { name, level, digest } = ownExecutor;
  const readings = await readAll(ownExecutor, asked.programs, dataset);
  return await context.execute<Execution>({
    ...request,
    reader: { name, level, digest },
    readings,
  });
}

/** Readings that this process has made, so that a loop reads each program once. */
const made = new WeakMap<ExecutorDefinition, Map<string, Reading>>();

async function readAll(
  executor: ExecutorDefinition,
  programs: readonly string[],
  dataset: Dataset,
): Promise<Reading[]> {
  const known = made.get(executor) ?? new Map<string, Reading>();
  made.set(executor, known);
  const columns = blindColumns(dataset);
  return await Promise.all(programs.map(async (program) => {
    const key = `${dataset.digest} ${program}`;
    const reading = known.get(key) ?? await readProgram(executor, program, dataset, columns);
    known.set(key, reading);
    return reading;
  }));
}
