/** Real tables as data sets, in which measured columns explain a response. */
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
  /** Whether it is learned from, not held out. */
  readonly learn: boolean;
}

/**
 * The tables with the log rewards of their programs.
 *
 * @throws InputError if a file or a column is not there, or holds what is no number.
 */
export async function scoredTables(
  tables: readonly TableParam[],
  random: RandomStream,
): Promise<ScoredData[]> {
  const all: ScoredData[] = [];
  for (const given of tables) {
    const { id, columns, y } = await numbersOfTable(given);
    const rows = standardRows({ columns, y }, [...given.predictors, given.response]);
    all.push(scoreData(id, rows, 2 ** mostPredictors, random));
  }
  return all;
}

/** Columns of a table as numbers, NaN where a cell is missing. @throws InputError if one is not there. */
export async function numbersOfTable({ path, response, predictors }: TableParam) {
  const table = await parseTable(readRegular(path, Infinity), path);
  const numbers = (name: string) => {
    const cells = table.columns.get(name);
    if (!cells) throw noColumn(path, name, [...table.columns.keys()]);
    return cells.map((cell) => isMissing(cell) ? NaN : numericCell(cell));
  };
  const id = `${basename(path).replace(/\.[^.]*$/, "")}: ${response}`;
  return { id, columns: predictors.map(numbers), y: numbers(response) };
}

/** How data sets are drawn, as far as tables may lie outside of it. */
interface Drawn {
  readonly rows: readonly [number, number];
  readonly predictors?: readonly [number, number];
}

/**
 * Warnings about tables of a size that is never drawn, before anything is: a policy would not answer about
 * them.
 */
export async function outsideOf(
  tables: readonly TableParam[],
  { rows, predictors }: Drawn,
): Promise<string[]> {
  const warnings: string[] = [];
  for (const table of tables) {
    const { id, columns, y } = await numbersOfTable(table);
    const complete = y.filter((one, i) =>
      [one, ...columns.map((c) => c[i])].every(Number.isFinite)
    );
    const found = [
      [complete.length, "complete rows", rows],
      [columns.length, "predictors", predictors ?? [1, columns.length]],
    ] as const;
    for (const [count, what, [least, most]] of found) {
      if (count >= least && count <= most) continue;
      warnings.push(`${id} has ${count} ${what}, and ${least} to ${most} are drawn: none like it`);
    }
  }
  return warnings;
}

function noColumn(path: string, name: string, columns: readonly string[]): Error {
  const message = `Cannot read ${path}: it has no column "${name}"`;
  return inputError("simulate/column", message, undefined, `columns: ${columns.join(", ")}`);
}
