/** Real tables of growth as data sets: sizes over ages, complete rows alone. */
import { inputError } from "../../src/base/diagnostic.ts";
import { growthCount, type UnscoredGrowth } from "../../src/gfn/train/mod.ts";
import { numbersOfTable, type TableParam } from "./tables.ts";

/** Rows below which a curve of four parameters and a noise are not asked about. */
const leastRows = 8;

/**
 * The tables, all programs to be scored.
 *
 * @throws InputError if a file or a column is not there, or an age or a size is none.
 */
export async function growthTables(tables: readonly TableParam[]): Promise<UnscoredGrowth[]> {
  const all: UnscoredGrowth[] = [];
  for (const table of tables) {
    const { path, response, predictors } = table;
    if (predictors.length !== 1) {
      throw refused(path, `${predictors.length} predictors, wanted an age`);
    }
    const { id, columns: [ages], y: sizes } = await numbersOfTable(table);
    const complete = [...ages.keys()].filter((i) => !Number.isNaN(ages[i] + sizes[i]));
    const isSize = complete.every((i) => sizes[i] > 0 && ages[i] >= 0);
    if (!isSize) throw refused(path, `${response} of 0 or below, or an age below 0`);
    if (complete.length < leastRows) {
      throw refused(path, `${complete.length} complete rows, wanted 8`);
    }
    const programs = Int32Array.from({ length: growthCount }, (_, k) => k);
    const of = (values: readonly number[]) => Float64Array.from(complete, (i) => values[i]);
    all.push({ id, ages: of(ages), sizes: of(sizes), programs });
  }
  return all;
}

function refused(path: string, found: string): Error {
  const message = `Cannot use ${path} as a table of growth: ${found}`;
  return inputError("simulate/growth", message, undefined, "sizes above 0 over ages from 0 on");
}
