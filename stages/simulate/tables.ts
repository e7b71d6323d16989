/** Real tables as data sets, in which measured columns explain a response. */
import { basename } from "node:path";
import { inputError } from "../../src/base/diagnostic.ts";
import type { RandomStream } from "../../src/base/random.ts";
import { readRegular } from "../../src/base/regular_file.ts";
import { parseTable } from "../../src/data/raw_table.ts";
import { isMissing, numericCell } from "../../src/data/typed_dataset.ts";
import {
  mostPredictors,
  type RegressionFamily,
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

/** A table that was read. */
export interface ReadTable extends TableParam {
  readonly id: string;
  /** `[predictors][rows]`: NaN where a cell is missing. */
  readonly columns: readonly (readonly number[])[];
  /** `[rows]`. */
  readonly y: readonly number[];
}

/** Reads tables. @throws InputError if a file or a column is not there, or holds what is no number. */
export async function readTables(tables: readonly TableParam[]): Promise<ReadTable[]> {
  return await Promise.all(tables.map(readOne));
}

async function readOne(param: TableParam): Promise<ReadTable> {
  const { path, response, predictors } = param;
  const table = await parseTable(readRegular(path, Infinity), path);
  const numbers = (name: string) => {
    const cells = table.columns.get(name);
    if (!cells) throw noColumn(path, name, [...table.columns.keys()]);
    return cells.map((cell) => isMissing(cell) ? NaN : numericCell(cell));
  };
  const id = `${basename(path).replace(/\.[^.]*$/, "")}: ${response}`;
  return { ...param, id, columns: predictors.map(numbers), y: numbers(response) };
}

/** Something made of each table: of those to learn from, and of those held out. */
export function parted<T>(
  tables: readonly ReadTable[],
  of: (table: ReadTable) => T,
): readonly [learned: T[], heldOut: T[]] {
  const made = (learn: boolean) => tables.filter((one) => one.learn === learn).map(of);
  return [made(true), made(false)];
}

/** A table with the log rewards of its programs. @throws InputError for rows that cannot be used. */
export function scoredTable(
  { id, path, columns, y, predictors, response }: ReadTable,
  named: RegressionFamily,
  random: RandomStream,
): ScoredData {
  const family = named === "normal" ? undefined : named;
  const strange = y.find((one) => !Number.isNaN(one) && !suits(one, named));
  if (strange !== undefined) throw strangeResponse(path, response, strange, named);
  const rows = standardRows({ columns, y, ...(family && { family }) }, [...predictors, response]);
  return scoreData(id, rows, 2 ** mostPredictors, random);
}

function suits(value: number, family: RegressionFamily): boolean {
  if (family === "poisson") return Number.isInteger(value) && value >= 0;
  return family !== "binomial" || value === 0 || value === 1;
}

function strangeResponse(
  path: string,
  response: string,
  value: number,
  family: RegressionFamily,
): Error {
  const wanted = family === "poisson" ? "counts from 0 on" : "0 or 1";
  const message = `Cannot use ${path} with family = "${family}": ${response} is ${value}, wanted ` +
    wanted;
  const hint = 'name another response, or write family = "normal" or "student_t"';
  return inputError("simulate/response", message, undefined, hint);
}

/** How data sets are drawn, as far as tables may lie outside of it. */
interface Drawn {
  readonly rows: readonly [number, number];
  readonly predictors?: readonly [number, number];
}

/** Warnings about tables of a size that is never drawn: a policy would not answer about them. */
export function outsideOf(tables: readonly ReadTable[], { rows, predictors }: Drawn): string[] {
  return tables.flatMap((table) => {
    const { id, columns } = table;
    const found = [
      [completeRows(table).length, "complete rows", rows],
      [columns.length, "predictors", predictors ?? [1, columns.length]],
    ] as const;
    return found.filter(([count, , [least, most]]) => count < least || count > most)
      .map(([count, what, [least, most]]) =>
        `${id} has ${count} ${what}, and ${least} to ${most} are drawn: none like it`
      );
  });
}

/** Places of the rows without a missing cell. */
export function completeRows({ columns, y }: ReadTable): number[] {
  return [...y.keys()].filter((i) => [y, ...columns].every((column) => !Number.isNaN(column[i])));
}

function noColumn(path: string, name: string, columns: readonly string[]): Error {
  const message = `Cannot read ${path}: it has no column "${name}"`;
  return inputError("simulate/column", message, undefined, `columns: ${columns.join(", ")}`);
}
