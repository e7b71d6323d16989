/** The response as a program observes it, and the cells that its values were recorded in. */
import { cellEnds, type Column, type Dataset, resolutionOf } from "../../../base/dataset.ts";
import { eventRankOf, isDiscrete } from "../../language/distributions/table.ts";
import type { CheckedProgram } from "../../language/ir/program.ts";
import {
  logSlopeOf,
  transformed,
  transformedInterval,
} from "../../language/ir/response_transform.ts";

/** Cells of the values that are observed. */
export interface RecordedCells {
  /** Their lower ends `[values]`. */
  readonly low: Float64Array;
  /** Their upper ends `[values]`. */
  readonly high: Float64Array;
  /** Of the response, not of a transform of it. */
  readonly width: number;
}

function responseOf({ likelihood: { column, from } }: CheckedProgram, { columns }: Dataset) {
  const found = columns.find(({ name }) => name === column);
  if (!found) throw new Error(`internal: a checked program reads unknown column ${column}`);
  return from ? { ...found, values: found.values.subarray(from) } : found;
}

/** The values that are observed: those of the response, transformed as the program has it. */
export function observedValues(program: CheckedProgram, dataset: Dataset): Float64Array {
  const { transform } = program.likelihood;
  const { values } = responseOf(program, dataset);
  return transform ? values.map((y) => transformed(transform, y)) : values;
}

/** log |dT/dy| at every value of the response; `undefined` if it is observed as it is. */
export function logSlopes(program: CheckedProgram, dataset: Dataset): Float64Array | undefined {
  const { transform } = program.likelihood;
  return transform && responseOf(program, dataset).values.map((y) => logSlopeOf(transform, y));
}

/**
 * The cells that the data were recorded in, y ± resolution / 2 if they are all as wide, transformed like the response; `undefined` for
 * continuous data and for probabilities of counts and categories. Values of vectors have none.
 */
export function recordedCells(
  program: CheckedProgram,
  dataset: Dataset,
): RecordedCells | undefined {
  const { distribution, transform } = program.likelihood;
  const column = responseOf(program, dataset);
  const width = resolutionOf(column);
  if (width === undefined || isDiscrete(distribution)) return undefined;
  return { ...cellsOf(column, width, transform), width };
}

/** Ends of the cells of a column's values. */
export function cellsOf(
  column: Column,
  width: number,
  transform: CheckedProgram["likelihood"]["transform"],
): Pick<RecordedCells, "low" | "high"> {
  const cells = cellEnds(column, column.values, width)
    .map((ends, i) => transformedInterval(transform ?? [], column.values[i], ends));
  return {
    low: Float64Array.from(cells, ({ low }) => low),
    high: Float64Array.from(cells, ({ high }) => high),
  };
}

/** Whether the density of a whole vector is scored at once, which has no cell: it is capped instead. */
export function isCapped({ likelihood: { distribution } }: CheckedProgram): boolean {
  const event = eventRankOf(distribution);
  return event > 0 && distribution.shape.length > event;
}
