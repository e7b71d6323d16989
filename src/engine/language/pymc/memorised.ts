/** Finds the response among the numbers that a program carries: as it is, moved, scaled or jittered. */
import { type Column, resolutionOf } from "../../../base/dataset.ts";

/** So many values of the response among a program's numbers are no accident. */
export const fewest = 8;

/** Numbers that a program carries. */
export interface CarriedNumbers {
  /** All of them. */
  readonly numbers: readonly number[];
  /** Numbers that stand together. */
  readonly lists: readonly (readonly number[])[];
}

/** Where the response was found: an index into the numbers, or into the lists. */
export type Memory = { readonly number: number } | { readonly list: number };

/**
 * The response, if the numbers hold half of its distinct fractional values, or a list follows it:
 * repeats a run of it, or is one value per row on a straight line with it, closer than chance can
 * bring a list that was not made from it. A list that follows a predictor as closely is excused.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { findMemory } from "./memorised.ts";
 * const values = Float64Array.of(1.31, 1.62, 1.58, 2.07, 2.19, 2.12, 2.84, 2.71);
 * const y = { name: "y", role: "response", type: "real", values } as const;
 * const moved = [...values].map((one) => one + 7);
 * assert.deepEqual(findMemory(y, [], { numbers: moved, lists: [moved] }), { list: 0 });
 * const design = [1, 2, 3, 4, 5, 6, 7, 8];
 * assert.equal(findMemory(y, [], { numbers: design, lists: [design] }), undefined);
 * ```
 */
export function findMemory(
  response: Column,
  predictors: readonly Column[],
  { numbers, lists }: CarriedNumbers,
): Memory | undefined {
  if (numbers.length < Math.min(4, response.values.length)) return undefined;
  const number = repeatedValue(response, predictors, numbers);
  if (number >= 0) return { number };
  const list = lists.findIndex((one) => follows(response, predictors, one));
  return list >= 0 ? { list } : undefined;
}

/** The first number of the response, if half of its distinct fractional values are there. */
function repeatedValue(
  { values }: Column,
  predictors: readonly Column[],
  numbers: readonly number[],
): number {
  if (numbers.length < fewest) return -1;
  const given = new Set(predictors.flatMap((one) => [...one.values]).map(rounded));
  const fractional = [...values].filter((y) => !Number.isInteger(y)).map(rounded);
  const wanted = new Set(fractional.filter((y) => !given.has(y)));
  const matching = numbers.map(rounded).filter((value) => wanted.has(value));
  const distinct = new Set(matching).size;
  if (distinct < fewest || 2 * distinct < wanted.size) return -1;
  return numbers.findIndex((value) => wanted.has(rounded(value)));
}

/** Without its sign and the last digits, which depend on how a number was computed. */
function rounded(value: number): number {
  return Math.fround(Math.abs(value));
}

function follows(
  response: Column,
  predictors: readonly Column[],
  list: readonly number[],
): boolean {
  const { values } = response;
  const length = Math.max(4, Math.min(fewest, values.length));
  if (list.length < length || new Set(list).size < 4 || isRegular(list)) return false;
  if (predictors.some((one) => one.values.length === list.length && isRun(one.values, list))) {
    return false;
  }
  return isRun(values, list) || isLinearIn(response, predictors, list);
}

/** Whether numbers are a grid: each as far from the one before as all others are. */
export function isRegular(values: readonly number[]): boolean {
  const step = values[1] - values[0];
  const size = Math.max(Math.abs(values[0]), Math.abs(values[values.length - 1]));
  return values.every((value, i) =>
    i === 0 || Math.abs(value - values[i - 1] - step) <= 1e-12 * size
  );
}

function isRun(all: ArrayLike<number>, part: readonly number[]): boolean {
  for (let from = 0; from + part.length <= all.length; from++) {
    if (part.every((value, i) => Math.fround(all[from + i]) === Math.fround(value))) return true;
  }
  return false;
}

/** The share of the response's spread that a list may leave over and still be a copy of it. */
const [leastLeft, mostLeft] = [1e-3, 0.02];

/** Whether a list of one number per row lies on a line with the response, and no predictor does. */
function isLinearIn(
  column: Column,
  predictors: readonly Column[],
  list: readonly number[],
): boolean {
  const { values, type } = column;
  const n = values.length;
  if (type !== "real" || n < fewest || list.length !== n) return false;
  const spread = Math.sqrt(squares(values).sum / n);
  const close = Math.min(
    Math.max(resolutionOf(column) ?? 0, leastLeft * spread),
    mostLeft * spread,
  );
  const isClose = (other: ArrayLike<number>) => leftOver(values, other) <= close;
  return isClose(list) && !predictors.some((one) => one.values.length === n && isClose(one.values));
}

/** Root mean square of what the best straight line in `x` leaves of `y`. */
function leftOver(y: ArrayLike<number>, x: ArrayLike<number>): number {
  const [own, other] = [squares(y), squares(x)];
  if (!(other.sum > 0)) return Infinity;
  let product = 0;
  for (let i = 0; i < y.length; i++) product += (y[i] - own.mean) * (x[i] - other.mean);
  return Math.sqrt(Math.max(0, own.sum - product * product / other.sum) / y.length);
}

/** The mean, and the sum of squares about it. */
function squares(values: ArrayLike<number>): { readonly mean: number; readonly sum: number } {
  let mean = 0;
  for (let i = 0; i < values.length; i++) mean += values[i] / values.length;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += (values[i] - mean) * (values[i] - mean);
  return { mean, sum };
}
