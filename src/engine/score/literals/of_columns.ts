/** Whether an array holds a column's information: a line in it or in a simple function, or a level. */
import type { Dataset } from "../../../base/dataset.ts";
import { exp, log } from "../../../numerics/math/mod.ts";

/** Functions of columns that are no numbers of anybody's own. */
const functions: readonly ((x: number) => number)[] = [
  (x) => x,
  (x) => log(x),
  (x) => log(1 + x),
  (x) => Math.sqrt(x),
  (x) => x * x,
  (x) => x * x * x,
  (x) => 1 / x,
  (x) => exp(x),
];

/**
 * Whether `values` `[rows]` are made of a predictor alone, by any author: such an array costs nothing.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../../../base/dataset.ts";
 * import { isOfColumns } from "./of_columns.ts";
 * const column = (name: string, role: "response" | "predictor", values: number[]) =>
 *   ({ name, role, type: "real", values: Float64Array.from(values) }) as const;
 * const data = makeDataset("d", [column("x", "predictor", [1, 2, 4]), column("y", "response", [3, 1, 5])]);
 * assert(isOfColumns(Float64Array.of(11, 21, 41), data));
 * assert(!isOfColumns(Float64Array.of(3, 1, 5), data));
 * ```
 */
export function isOfColumns(values: Float64Array, { columns }: Dataset): boolean {
  return columns.some((column) => {
    if (column.role === "response" || column.role === "ignore") return false;
    if (column.values.length !== values.length) return false;
    return functions.some((f) => isLine(values, column.values.map(f))) ||
      isLevel(values, column.values) || isCode(values, column.values);
  });
}

/** Whether y is a + b x to the last digits. */
function isLine(y: Float64Array, x: Float64Array): boolean {
  let [first, last] = [0, 0];
  for (let i = 1; i < x.length; i++) {
    if (!(Math.abs(x[i]) < Infinity)) return false;
    if (x[i] < x[first]) first = i;
    if (x[i] > x[last]) last = i;
  }
  const slope = (y[last] - y[first]) / (x[last] - x[first]);
  const scale = Math.max(Math.abs(y[last]), Math.abs(y[first]));
  return Math.abs(slope) < Infinity && slope !== 0 &&
    y.every((one, i) => Math.abs(one - y[first] - slope * (x[i] - x[first])) <= 1e-9 * scale);
}

/** Whether y is the indicator of a level of x; numbers that hardly come twice have none. */
function isLevel(y: Float64Array, x: Float64Array): boolean {
  if (!y.every((one) => one === 0 || one === 1)) return false;
  const at = x[y.indexOf(1)];
  return y.every((one, i) => (one === 1) === (x[i] === at)) && 4 * new Set(x).size <= x.length;
}

/** Whether y numbers the values of x from 0, in their order or as they come first. */
function isCode(y: Float64Array, x: Float64Array): boolean {
  const firsts = [...new Set(x)];
  return [firsts, firsts.toSorted((a, b) => a - b)].some((order) => {
    const code = new Map(order.map((one, k) => [one, k]));
    return y.every((one, i) => one === code.get(x[i]));
  });
}
