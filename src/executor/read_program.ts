/** Has an executor made with `defineExecutor` read a program, a graph twice. */
import type { Dataset } from "../base/dataset.ts";
import { isRecord } from "../base/record.ts";
import { cycleOfRows, rowsInOrder } from "../base/row_cycle.ts";
import type { Reordered } from "../engine/language/mod.ts";
import {
  type BlindColumn,
  blindColumns,
  checkReading,
  type ExecutorDefinition,
  type Reading,
} from "./define_executor.ts";

/**
 * Reading of a program by an executor. A graph is read a second time with the rows in another order, so that it is
 * held to the rule that rows may change places, as texts are; a text is read again by the engine itself.
 */
export async function readProgram(
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
