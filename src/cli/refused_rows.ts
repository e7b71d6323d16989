/** New rows at which no program can predict: they have a level of a factor whose effect was not estimated. */
import type { Column, Dataset } from "../base/dataset.ts";
import { inputError } from "../base/diagnostic.ts";
import { listed } from "../base/listed.ts";
import type { NewRowsRead } from "./new_rows.ts";

/**
 * Rows with a level that the data do not have, of a factor that some program reads, and why each is
 * refused. Levels of groups are none: their effects are drawn from a population.
 *
 * @param texts of the programs.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../base/dataset.ts";
 * import { refusedRows } from "./refused_rows.ts";
 * const sex = { name: "sex", role: "predictor", type: "category", categories: ["F", "M"] } as const;
 * const data = makeDataset("cats", [{ ...sex, values: Float64Array.of(0, 1) }]);
 * const columns = new Map([["sex", Float64Array.of(1, 2)]]);
 * const rows = { rows: 2, columns, unseen: new Map([["sex", ["N"]]]) };
 * assert.deepEqual([...refusedRows(rows, data, ['(data["sex"] == 1)'])], [
 *   [1, 'sex is "N", which no row of the data has (F, M)'],
 * ]);
 * ```
 */
export function refusedRows(
  rows: NewRowsRead,
  { columns }: Dataset,
  texts: readonly string[],
): ReadonlyMap<number, string> {
  const refused = new Map<number, string>();
  for (const column of columns.filter((one) => isFactor(one, texts))) {
    const known = new Set(column.values);
    rows.columns.get(column.name)?.forEach((value, row) => {
      if (!known.has(value) && !refused.has(row)) refused.set(row, why(column, value, rows));
    });
  }
  return refused;
}

/** A column of whose levels programs have effects: a category that is no group, or numbers in factor(…). */
function isFactor({ name, role, type }: Column, texts: readonly string[]): boolean {
  const read = `data[${JSON.stringify(name)}]`;
  if (role !== "predictor") return false;
  return texts.some((text) => text.includes(type === "category" ? read : `(${read} == `));
}

function why({ name, categories, values }: Column, value: number, { unseen }: NewRowsRead): string {
  const levels = categories ?? [...new Set(values)].sort((a, b) => a - b).map(String);
  const found = categories
    ? categories[value] ?? unseen.get(name)?.[value - categories.length] ?? String(value)
    : String(value);
  return `${name} is "${found}", which no row of the data has (${listed(levels)})`;
}

/**
 * The rows with known levels instead of refused ones, so that the others are predicted as they
 * would be alone.
 *
 * @param most rows that may be refused; all but one, if left out.
 * @throws InputError `predict/level` where more are.
 */
export function withKnownLevels(
  rows: NewRowsRead,
  { columns }: Dataset,
  refused: ReadonlyMap<number, string>,
  most: number = rows.rows - 1,
): NewRowsRead {
  if (refused.size === 0) return rows;
  if (refused.size > most) {
    const [reason] = refused.values();
    const message = `Cannot predict: ${reason}`;
    const hint =
      "an effect of this level was not estimated; a group, (1 | g), has a population of levels";
    throw inputError("predict/level", message, undefined, hint);
  }
  const known = new Map(columns.map(({ name, values }) => [name, values[0]]));
  const own = [...rows.columns].map(([name, values]) =>
    [name, values.map((value, row) => refused.has(row) ? known.get(name) ?? value : value)] as const
  );
  return { ...rows, columns: new Map(own) };
}
