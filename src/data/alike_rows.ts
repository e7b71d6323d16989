/** Finds rows that are alike beyond the effects of some columns: by a group, or next to each other in an order. */
import { betainc, cholesky, solveLower, solveUpper } from "../numerics/math/mod.ts";

/** A column by which a response is explained: numbers, or names. */
export type Explaining = readonly number[] | readonly string[];

/** Names of a column that least squares have effects of, at most. */
const mostNames = 60;

/** Added to the diagonal of a singular system, of columns of variance 1. */
const ridge = 1e-9;

/**
 * Residuals of a response by least squares: of numbers a line and a parabola, of names an effect each.
 *
 * @param columns each as long as the response; no cell may be missing.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { leftBy } from "./alike_rows.ts";
 * const left = leftBy([1, 3, 2, 4, 5, 7], [["a", "a", "b", "b", "c", "c"]]);
 * assert.deepEqual([...left.values].map((one) => Math.round(one)), [-1, 1, -1, 1, -1, 1]);
 * assert.equal(left.effects, 3);
 * ```
 */
export function leftBy(
  response: readonly number[],
  columns: readonly Explaining[],
): { readonly values: Float64Array; readonly effects: number } {
  const n = response.length;
  const design = [new Float64Array(n).fill(1), ...columns.flatMap(effectsOf)];
  const p = design.length;
  const system = new Float64Array(p * p);
  const right = new Float64Array(p);
  for (let k = 0; k < p; k++) {
    for (let l = 0; l <= k; l++) system[k * p + l] = dot(design[k], design[l]);
    system[k * p + k] += ridge * n;
    right[k] = dot(design[k], response);
  }
  const values = Float64Array.from(response);
  if (!cholesky(system, p)) return { values, effects: p };
  solveLower(system, p, right);
  solveUpper(system, p, right);
  design.forEach((one, k) => one.forEach((x, row) => values[row] -= right[k] * x));
  return { values, effects: p };
}

function effectsOf(column: Explaining): Float64Array[] {
  if (column.every((cell) => typeof cell === "number")) {
    const line = standardised(column);
    const bend = line && standardised(line.map((x) => x * x));
    return [line, bend].filter((one) => one !== undefined);
  }
  const names = [...new Set(column as readonly string[])].slice(1, mostNames);
  return names.map((name) => Float64Array.from(column, (cell) => cell === name ? 1 : 0));
}

/** Values with mean 0 and variance 1; undefined for a constant. */
function standardised(values: ArrayLike<number>): Float64Array | undefined {
  const all = Float64Array.from(values);
  const mean = all.reduce((a, b) => a + b, 0) / all.length;
  const variance = all.reduce((sum, x) => sum + (x - mean) * (x - mean), 0) / all.length;
  if (!(variance > 1e-12 * (1 + mean * mean))) return undefined;
  return all.map((x) => (x - mean) / Math.sqrt(variance));
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Tail probability of the F test from which rows of a group are alike, and the correlation from which it matters. */
export const mostByChance = 1e-3;
const fewestAlike = 0.05;

/**
 * The intraclass correlation of residuals, where an analysis of variance finds one.
 *
 * @param left residuals of `leftBy`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { alikeIn, leftBy } from "./alike_rows.ts";
 * const persons = Array.from({ length: 24 }, (_, row) => `p${Math.floor(row / 4)}`);
 * const values = persons.map((_, row) => 5 * Math.floor(row / 4) + row % 4);
 * assert.ok(alikeIn(leftBy(values, []), persons)! > 0.9);
 * assert.equal(alikeIn(leftBy(values, [persons]), persons), undefined);
 * ```
 */
export function alikeIn(
  { values, effects }: ReturnType<typeof leftBy>,
  groups: readonly string[],
): number | undefined {
  const n = groups.length;
  const rows = Map.groupBy(groups.keys(), (row) => groups[row]);
  const k = rows.size;
  const [above, below] = [k - 1, n - k - effects + 1];
  if (below < 1) return undefined;
  let between = 0;
  let squared = 0;
  for (const own of rows.values()) {
    const sum = own.reduce((total, row) => total + values[row], 0);
    between += sum * sum / own.length;
    squared += own.length * own.length;
  }
  const within = Math.max(dot(values, values) - between, 1e-300);
  const [meanBetween, meanWithin] = [between / above, within / below];
  const ratio = meanBetween / meanWithin;
  const chance = betainc(below / 2, above / 2, below / (below + above * ratio));
  const size = (n - squared / n) / above;
  const alike = (meanBetween - meanWithin) / (meanBetween + (size - 1) * meanWithin);
  return chance < mostByChance && alike > fewestAlike ? alike : undefined;
}

/**
 * Probability that columns without effect explain a response by least squares as well as these: the F test of all.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { chanceOf } from "./alike_rows.ts";
 * const x = Array.from({ length: 40 }, (_, row) => row);
 * assert.ok(chanceOf(x.map((row) => row > 20 ? 1 : 0), [x]) < 1e-6);
 * assert.ok(chanceOf(x.map((row) => row % 2), [x]) > 0.5);
 * ```
 */
export function chanceOf(response: readonly number[], columns: readonly Explaining[]): number {
  const [plain, left] = [leftBy(response, []), leftBy(response, columns)];
  const [above, below] = [left.effects - 1, response.length - left.effects];
  if (above < 1 || below < 1) return 1;
  const within = Math.max(dot(left.values, left.values), 1e-300);
  const between = Math.max(0, dot(plain.values, plain.values) - within);
  return betainc(below / 2, above / 2, within / (within + between));
}

/** Standard errors, and the correlation, from which neighbours are alike. */
const fewestErrors = 3.5;
const fewestCorrelated = 0.3;

/**
 * The correlation of residuals with those of the row before in an order, where it is beyond chance.
 *
 * @param order values by which the rows are ordered.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { alikeNext } from "./alike_rows.ts";
 * const slow = Float64Array.from({ length: 60 }, (_, row) => Math.sin(row / 6));
 * assert.ok(alikeNext(slow, [...slow.keys()])! > 0.9);
 * ```
 */
export function alikeNext(values: Float64Array, order: readonly number[]): number | undefined {
  const rows = [...order.keys()].sort((a, b) => order[a] - order[b]);
  const inOrder = rows.map((row) => values[row]);
  const alike = dot(inOrder.slice(1), inOrder.slice(0, -1)) / dot(inOrder, inOrder);
  const isMore = alike > fewestCorrelated && alike * Math.sqrt(rows.length) > fewestErrors;
  return isMore ? alike : undefined;
}
