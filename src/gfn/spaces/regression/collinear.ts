/** Finds nearly collinear predictors: data show that one of them matters, and not which. */
import type { Dataset } from "../../../base/dataset.ts";

/** Correlation from which two predictors share their effects: 10 % of a spread is all that differs. */
const nearlyOne = 0.95;

/** Two columns, and how they correlate (Pearson). */
export interface Collinear {
  /** Names, in the order of the data. */
  readonly columns: readonly [string, string];
  /** −1 to 1. */
  readonly correlation: number;
}

/**
 * Pairs of predictors of numbers that correlate beyond ±0.95, the closest first.
 *
 * @param named the columns to look at.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { collinear } from "./collinear.ts";
 * const column = (name: string, ...values: number[]) =>
 *   ({ name, role: "predictor" as const, type: "real" as const, values: Float64Array.from(values) });
 * const data = makeDataset("made", [column("x", 1, 2, 4), column("z", -2, -4, -8), column("w", 1, 0, 1)]);
 * const [{ columns, correlation }, ...others] = collinear(data, ["x", "z", "w"]);
 * assert.deepEqual([columns, Math.round(correlation), others.length], [["x", "z"], -1, 0]);
 * ```
 */
export function collinear(dataset: Dataset, named: readonly string[]): Collinear[] {
  const numbers = dataset.columns.filter(({ name, type, role }) =>
    named.includes(name) && type !== "category" && role === "predictor"
  );
  const found = numbers.flatMap((a, i) =>
    numbers.slice(i + 1).map((b): Collinear => ({
      columns: [a.name, b.name],
      correlation: correlationOf(a.values, b.values),
    }))
  ).filter(({ correlation }) => Math.abs(correlation) > nearlyOne);
  return found.sort((a, b) => Math.abs(b.correlation) - Math.abs(a.correlation));
}

/** NaN where one of them is the same in every row. */
function correlationOf(a: Float64Array, b: Float64Array): number {
  const [meanA, meanB] = [a, b].map((all) => all.reduce((sum, x) => sum + x, 0) / all.length);
  let [both, ownA, ownB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] - meanA, b[i] - meanB];
    both += x * y;
    ownA += x * x;
    ownB += y * y;
  }
  return both / Math.sqrt(ownA * ownB);
}
