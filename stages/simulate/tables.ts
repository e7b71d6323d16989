/** Real tables as held-out data sets, in which measured columns explain a response. */
import { basename } from "node:path";
import { inputError } from "../../src/base/diagnostic.ts";
import type { RandomStream } from "../../src/base/random.ts";
import { readRegular } from "../../src/base/regular_file.ts";
import { parseTable } from "../../src/data/raw_table.ts";
import { isMissing, numericCell } from "../../src/data/typed_dataset.ts";
import {
  mostPredictors,
  scoreData,
  type ScoredData,
  standardRows,
} from "../../src/gfn/train/mod.ts";

/** A table, and which columns of it. */
export interface TableParam {
  readonly path: string;
  readonly response: string;
  readonly predictors: readonly string[];
}

/**
 * The tables with the log rewards of their programs; nothing is learned from them.
 *
 * @throws InputError if a file or a column is not there, or holds what is no number.
 */
export async function heldOutTables(
  tables: readonly TableParam[],
  random: RandomStream,
): Promise<ScoredData[]> {
  const all: ScoredData[] = [];
  for (const { path, response, predictors } of tables) {
    const table = await parseTable(readRegular(path, Infinity), path);
    const numbers = (name: string) => {
      const cells = table.columns.get(name);
      if (!cells) throw noColumn(path, name, [...table.columns.keys()]);
      return cells.map((cell) => isMissing(cell) ? NaN : numericCell(cell));
    };
    const names = [...predictors, response];
    const rows = standardRows({ columns: predictors.map(numbers), y: numbers(response) }, names);
    const id = `${basename(path).replace(/\.[^.]*$/, "")}: ${response}`;
    all.push(scoreData(id, rows, 2 ** mostPredictors, random));
  }
  return all;
}

function noColumn(path: string, name: string, columns: readonly string[]): Error {
  const message = `Cannot read ${path}: it has no column "${name}"`;
  return inputError("simulate/column", message, undefined, `columns: ${columns.join(", ")}`);
}
