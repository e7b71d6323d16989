/** Has programs executed as a target says, read first by an executor of the user's if it has one. */
import { type Dataset, datasetToJson } from "../../src/base/dataset.ts";
import { isRecord } from "../../src/base/record.ts";
import { cycleOfRows, rowsInOrder } from "../../src/base/row_cycle.ts";
import type { Reordered } from "../../src/engine/language/mod.ts";
import type { Execution } from "../../src/engine/score/execution/mod.ts";
import {
  type BlindColumn,
  blindColumns,
  checkReading,
  type ExecutorDefinition,
  type Reading,
} from "../../src/executor/define_executor.ts";
import { writesFreely } from "../../src/gfn/environments/mod.ts";
import type { ExecutionRequest, StageContext } from "../../src/pipeline/contract/mod.ts";
import type { ProgramTarget } from "../ports/values.ts";

/** What is asked beside what the target says. */
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
    const reading = known.get(key) ?? await readTwice(executor, program, dataset, columns);
    known.set(key, reading);
    return reading;
  }));
}

/**
 * What an executor makes of a program. A graph is read a second time with the rows in another order, so that it is
 * held to the rule that rows may change places, as texts are; a text is read again by the engine itself.
 */
export async function readTwice(
  executor: ExecutorDefinition,
  program: string,
  dataset: Dataset,
  columns: readonly BlindColumn[] = blindColumns(dataset),
): Promise<Reading> {
  const reading = checkReading(await executor.read(program, columns), executor.name);
  if (reading.kind !== "graph" || !isRecord(reading.graph) || dataset.rows < 2) return reading;
  const order = cycleOfRows(dataset.rows, [program, dataset.digest]);
  const moved = blindColumns(rowsInOrder(dataset, order));
  const other = checkReading(await executor.read(program, moved), executor.name);
  const reordered: Reordered = {
    order: [...order],
    ...(other.kind === "graph"
      ? { graph: other.graph }
      : { failed: "its executor reads another kind of thing then" }),
  };
  return { kind: "graph", graph: { ...reading.graph, reordered } };
}
