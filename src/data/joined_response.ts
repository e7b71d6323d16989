/** Joins columns of a table into one response whose rows are vectors. */
import { type Column, type Dataset, makeDataset } from "../base/dataset.ts";

/**
 * The data with these columns as one response `[rows, parts]`, named by them, instead of the first. Beside counts stands
 * their sum of each row, for a multinomial likelihood.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../base/dataset.ts";
 * import { joinedResponse } from "./joined_response.ts";
 * const column = (name: string, ...values: number[]) =>
 *   ({ name, role: "predictor", type: "count", values: Float64Array.from(values) }) as const;
 * const data = makeDataset("votes", [column("left", 3, 4), column("right", 5, 6)]);
 * const [response, total] = joinedResponse(data, ["left", "right"]).columns;
 * assert.equal(response.name, "left,right");
 * assert.deepEqual([...response.values], [3, 5, 4, 6]);
 * assert.deepEqual([...total.values], [8, 10]);
 * ```
 */
export function joinedResponse(data: Dataset, parts: readonly string[]): Dataset {
  const found = parts.map((name) => data.columns.find((column) => column.name === name)!);
  const { rows } = data;
  const values = Float64Array.from(
    { length: rows * parts.length },
    (_, k) => found[k % parts.length].values[Math.floor(k / parts.length)],
  );
  const whole = values.every((value) => Number.isInteger(value) && value >= 0);
  const name = parts.join(",");
  const response: Column = {
    name,
    role: "response",
    type: whole ? "count" : "real",
    values,
    shape: [rows, parts.length],
    parts,
  };
  const sums = Float64Array.from({ length: rows }, (_, row) => (
    found.reduce((sum, column) => sum + column.values[row], 0)
  ));
  const total = { role: "trials", type: "count", values: sums, totalOf: name } as const;
  const others = data.columns.filter((column) => !parts.includes(column.name));
  const joined = [response, ...whole ? [{ name: parts.join("+"), ...total }] : [], ...others];
  return makeDataset(data.name, joined, data.dropped);
}
