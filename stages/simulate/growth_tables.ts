/** Real tables of growth as data sets: sizes over ages, complete rows alone. */
import { inputError } from "../../src/base/diagnostic.ts";
import { growthCount, type UnscoredGrowth } from "../../src/gfn/train/mod.ts";
import { completeRows, type ReadTable } from "./tables.ts";

/** Rows below which a curve of four parameters and a noise are not asked about. */
const leastRows = 8;

/**
 * A table, all programs to be scored.
 *
 * @throws InputError if there are several predictors, few rows, or an age or a size is none.
 */
export function growthTable(table: ReadTable): UnscoredGrowth {
  const { path, response, id, columns: [ages], y: sizes, predictors: { length } } = table;
  if (length !== 1) throw refused(path, `${length} predictors, wanted an age`);
  const complete = completeRows(table);
  const isSize = complete.every((i) => sizes[i] > 0 && ages[i] >= 0);
  if (!isSize) throw refused(path, `${response} of 0 or below, or an age below 0`);
  if (complete.length < leastRows) {
    throw refused(path, `${complete.length} complete rows, wanted ${leastRows}`);
  }
  const programs = Int32Array.from({ length: growthCount }, (_, k) => k);
  const of = (values: readonly number[]) => Float64Array.from(complete, (i) => values[i]);
  return { id, ages: of(ages), sizes: of(sizes), programs };
}

function refused(path: string, found: string): Error {
  const message = `Cannot use ${path} as a table of growth: ${found}`;
  return inputError("simulate/growth", message, undefined, "sizes above 0 over ages from 0 on");
}
