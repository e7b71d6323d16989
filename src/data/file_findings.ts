/** Findings about rows of a file, before any program is scored: what tells the response beside a model. */
import { type Column, type Dataset, resolutionOf, responseColumn } from "../base/dataset.ts";
import { listed } from "../base/listed.ts";
import { log } from "../numerics/math/mod.ts";

/** Rows below which nothing is said. */
const fewestRows = 8;

/**
 * Findings about a data set: predictors that are the response in other units, rows that stand twice, and
 * an order of rows that is the response's.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeDataset } from "../base/dataset.ts";
 * import { fileFindings } from "./file_findings.ts";
 * const y = Float64Array.of(2, 1, 4, 3, 9, 5, 8, 7, 6, 2.5);
 * const data = makeDataset("made", [
 *   { name: "m", role: "response", type: "real", values: y },
 *   { name: "mm", role: "predictor", type: "real", values: y.map((one) => 1000 * one) },
 * ]);
 * assert.match(fileFindings(data)[0], /^mm tells m: m = 0 \+ 0.001 mm in every row/);
 * ```
 */
export function fileFindings(dataset: Dataset): string[] {
  const response = responseColumn(dataset);
  if (!response || response.shape || dataset.rows < fewestRows) return [];
  const predictors = dataset.columns.filter(({ role, gapsOf, shape }) =>
    (role === "predictor" || role === "group") && gapsOf === undefined && !shape
  );
  return [
    ...predictors.flatMap((column) => toldBy(response, column) ?? []),
    ...twice(dataset),
    ...sortedBy(response, dataset),
  ];
}

/** How a column tells the response, if it does. */
function toldBy(response: Column, column: Column): string | undefined {
  const { name: x } = column;
  const { name: y } = response;
  const leave = `leave it out, unless that is the question`;
  if (column.categories) {
    return isOfLevels(response, column)
      ? `${x} tells ${y}: rows of one level of it have one ${y}; ${leave}`
      : undefined;
  }
  const step = response.type === "real" ? resolutionOf(response) ?? 0 : 0;
  const line = lineThrough(column.values, response.values, step);
  if (line) {
    const [start, slope] = line.map((one) => Number(one.toPrecision(4)));
    return `${x} tells ${y}: ${y} = ${start} + ${slope} ${x} in every row, up to rounding; ${leave}`;
  }
  const logs = [column, response].map(({ values }) =>
    values.map((one) => one > 0 ? log(one) : NaN)
  );
  if (logs.some((values) => values.some(Number.isNaN))) return undefined;
  const least = response.values.reduce((a, b) => Math.min(a, b));
  const power = lineThrough(logs[0], logs[1], step / least);
  return power && `${x} tells ${y}: log(${y}) is a line in log(${x}) in every row; ${leave}`;
}

/** Rows of each level have one response, and levels are fewer than rows by half. */
function isOfLevels(response: Column, { values, categories = [] }: Column): boolean {
  const found = new Map<number, number>();
  const isSame = values.every((code, row) => {
    const known = found.get(code) ?? response.values[row];
    found.set(code, known);
    return known === response.values[row];
  });
  return isSame && found.size > 1 && 2 * categories.length <= values.length;
}

/** Spread of a response, in steps, from which a line that is off by two steps at most says something. */
const manySteps = 40;

/** How far off a line may be that is exact, as a share of the spread. */
const exact = 1e-9;

/** Intercept and slope of the line through all points, if one is as near as two steps, for both are rounded; of few steps, exact. */
function lineThrough(
  x: Float64Array,
  y: Float64Array,
  step: number,
): readonly [number, number] | undefined {
  const n = x.length;
  const [mx, my] = [x, y].map((values) => values.reduce((sum, one) => sum + one, 0) / n);
  let [xx, xy] = [0, 0];
  for (let i = 0; i < n; i++) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
  }
  const spread = y.reduce((a, b) => Math.max(a, b)) - y.reduce((a, b) => Math.min(a, b));
  const slope = xy / xx;
  if (!(spread > 0) || !Number.isFinite(slope) || slope === 0) return undefined;
  const close = spread >= manySteps * step ? Math.max(2 * step, exact * spread) : exact * spread;
  const isNear = y.every((one, i) => Math.abs(one - my - slope * (x[i] - mx)) <= close);
  const start = my - slope * mx;
  return isNear ? [Math.abs(start) < exact * spread ? 0 : start, slope] : undefined;
}

/** Different values of a column for each row, from which equal rows are no coincidence. */
const manyValues = 1 / 4;

/**
 * Rows that equal an earlier one in all columns. Where few values are equal by chance is told by the column
 * with the most: of pairs that agree in all others, most have to agree in it, too.
 */
function twice({ columns, rows }: Dataset): string[] {
  const plain = columns.filter(({ shape, role }) => !shape && role !== "ignore")
    .sort((a, b) => new Set(b.values).size - new Set(a.values).size);
  if (plain.length < 2 || new Set(plain[0].values).size < manyValues * rows) return [];
  const [equal, alike] = [plain, plain.slice(1)].map((some) => rowsByKey(some, rows));
  if (2 * pairsIn(equal) < pairsIn(alike)) return [];
  const again = [...equal.values()].flatMap(([, ...copies]) => copies).sort((a, b) => a - b);
  if (again.length < 2) return [];
  const which = listed(again.map((row) => String(row + 1)));
  return [
    `${again.length} rows equal an earlier one in all columns (${which}): if they are copies, leave ` +
    "them out: a row that stands twice foretells its twin, and counts twice",
  ];
}

function rowsByKey(columns: readonly Column[], rows: number): Map<string, number[]> {
  const all = Array.from({ length: rows }, (_, row) => row);
  return Map.groupBy(all, (row) => columns.map(({ values }) => values[row]).join());
}

function pairsIn(groups: ReadonlyMap<string, readonly number[]>): number {
  return [...groups.values()].reduce((sum, { length: n }) => sum + n * (n - 1) / 2, 0);
}

/** That the rows stand in the order of the response. */
function sortedBy({ name, values }: Column, { columns }: Dataset): string[] {
  if (columns.some(({ role }) => role === "time") || new Set(values).size < 2) return [];
  const isSorted = [1, -1].some((sign) =>
    values.every((value, row) => row === 0 || sign * (value - values[row - 1]) >= 0)
  );
  return isSorted
    ? [`the rows are sorted by ${name}: a column that numbers them tells it; use none such`]
    : [];
}
