/** Finds predictors that separate the binary response: only the prior keeps their effects finite. */
import { type Column, type Dataset, responseColumn } from "../../../base/dataset.ts";

/** Separation of the response by a predictor. */
export interface Separation {
  /** Name of the predictor. */
  readonly column: string;
  /** Kind of separation, in words. */
  readonly how: string;
}

/**
 * Predictors, one by one, that separate a binary response (Albert and Anderson 1984, Biometrika
 * 71:1-10): numbers with all rows of 1 on one side of all rows of 0, and levels whose rows all
 * have one response. Of counts, levels of which all rows are 0. Separation by several predictors together is not looked for.
 *
 * @param named the columns to look at.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { separations } from "./separation.ts";
 * const data = makeDataset("made", [
 *   { name: "y", role: "response", type: "binary", values: Float64Array.of(0, 0, 1, 1) },
 *   { name: "x", role: "predictor", type: "real", values: Float64Array.of(1, 2, 3, 4) },
 * ]);
 * assert.equal(separations(data, ["x"])[0].how, "every row with y = 1 has a larger x");
 * ```
 */
export function separations(dataset: Dataset, named: readonly string[]): Separation[] {
  const response = responseColumn(dataset);
  if (response?.type === "count") return withoutCounts(dataset, response, named);
  if (response?.type !== "binary") return [];
  const { name: y, values: hits } = response;
  return dataset.columns.filter(({ name }) => named.includes(name)).flatMap((column) => {
    const { name, values, categories } = column;
    if (categories) {
      const level = categories.findIndex((_, code) => isOfOneKind(values, hits, code));
      if (level < 0) return [];
      return [{ column: name, how: `every row at "${categories[level]}" has the same ${y}` }];
    }
    const [no, yes] = [0, 1].map((hit) => values.filter((_, i) => hits[i] === hit));
    if (no.length === 0 || yes.length === 0) return [];
    if (least(yes) > most(no)) {
      return [{ column: name, how: `every row with ${y} = 1 has a larger ${name}` }];
    }
    if (most(yes) < least(no)) {
      return [{ column: name, how: `every row with ${y} = 1 has a smaller ${name}` }];
    }
    return [];
  });
}

/** Levels, and halves of binary columns, whose rows count nothing: only a prior keeps their effects finite. */
function withoutCounts(
  { columns }: Dataset,
  { name: y, values: counts }: Column,
  named: readonly string[],
): Separation[] {
  const found = columns.filter(({ name, type }) =>
    named.includes(name) && (type === "category" || type === "binary")
  );
  return found.flatMap(({ name, values, categories = ["0", "1"] }) => {
    const level = categories.findIndex((_, code) => {
      const own = counts.filter((_, row) => values[row] === code);
      return own.length > 1 && own.every((count) => count === 0);
    });
    if (level < 0 || counts.every((count) => count === 0)) return [];
    return [{ column: name, how: `every row at ${name} = ${categories[level]} has ${y} = 0` }];
  });
}

function isOfOneKind(values: Float64Array, hits: Float64Array, code: number): boolean {
  const own = hits.filter((_, i) => values[i] === code);
  return own.length > 0 && own.every((hit) => hit === own[0]);
}

function least(values: Float64Array): number {
  return values.reduce((a, b) => Math.min(a, b));
}

function most(values: Float64Array): number {
  return values.reduce((a, b) => Math.max(a, b));
}
