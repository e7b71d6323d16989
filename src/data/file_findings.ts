/** Findings on rows of a file, before programs are scored: columns and orders that reveal the response. */
import { type Column, type Dataset, resolutionOf, responseColumn } from "../base/dataset.ts";
import { listed } from "../base/listed.ts";
import { log } from "../numerics/math/mod.ts";

/** Least rows for findings. */
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

/** Relation by which a column determines the response; undefined if none does. */
function toldBy(response: Column, column: Column): string | undefined {
  const { name: x } = column;
  const { name: y } = response;
  const leave = `leave it out, unless that is the question`;
  if (column.categories) {
    return isOfLevels(response, column)
      ? `${x} tells ${y}: rows of one level of it have one ${y}; ${leave}`
      : undefined;
  }
  const own = response.type === "real" ? resolutionOf(response) ?? 0 : 0;
  const line = lineThrough({ x: column.values, y: response.values, steps: [stepOf(column), own] });
  if (line) {
    const [start, slope] = [line.start, line.slope].map((one) => Number(one.toPrecision(4)));
    return `${x} tells ${y}: ${y} = ${start} + ${slope} ${x} in every row, up to rounding; ${leave}`;
  }
  const ofLogs = lineOfLogarithms(column, response, own);
  return ofLogs && `${x} tells ${y}: ${ofLogs} in every row; ${leave}`;
}

/** The line that logarithms of a column, of the response or of both make, in words. */
function lineOfLogarithms(column: Column, response: Column, step: number): string | undefined {
  const sides = [{ column, step: stepOf(column) }, { column: response, step }].map((one) => {
    const { column: { name, values }, step } = one;
    const least = values.reduce((a, b) => Math.min(a, b));
    const logged = least > 0
      ? { text: `log(${name})`, values: values.map(log), step: step / least }
      : undefined;
    return [{ text: name, values, step }, logged];
  });
  const found = [[1, 1], [0, 1], [1, 0]].flatMap(([i, j]) => {
    const [of, told] = [sides[0][i], sides[1][j]];
    if (!of || !told) return [];
    const line = lineThrough({ x: of.values, y: told.values, steps: [of.step, told.step] });
    return line ? [{ text: `${told.text} is a line in ${of.text}`, off: line.off }] : [];
  });
  return found.sort((a, b) => a.off - b.off)[0]?.text;
}

/** The decimal step of a column's values; 0 where they have more than five places. */
function stepOf({ values }: Column): number {
  for (let places = 0, scale = 1; places <= 5; places++, scale *= 10) {
    const isOn = (one: number) => Math.abs(one * scale - Math.round(one * scale)) < 1e-6;
    if (values.every(isOn)) return 1 / scale;
  }
  return 0;
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

/** Least spread of a response, in widths of rounding, at which a line through all rows is evidence. */
const manySteps = 40;

/** Largest error of an exact line, as a share of the spread. */
const exact = 1e-9;

/** Two lists of numbers, and the steps to which each was rounded. */
interface Pairs {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly steps: readonly [x: number, y: number];
}

/** A line, and how far off it is at most, as a share of the spread. */
interface Line {
  readonly start: number;
  readonly slope: number;
  readonly off: number;
}

/** The line through all points as near as rounding of both lets it; where that is wide, exact. */
function lineThrough({ x, y, steps }: Pairs): Line | undefined {
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
  const rounding = (steps[1] + Math.abs(slope) * steps[0]) / 2;
  const many = (off: number) => spread >= manySteps * off;
  const close = many(steps[1])
    ? Math.max(2 * steps[1], many(rounding) ? 1.1 * rounding : 0, exact * spread)
    : many(1.1 * rounding)
    ? 1.1 * rounding
    : exact * spread;
  const farthest = y.reduce((most, one, i) => (
    Math.max(most, Math.abs(one - my - slope * (x[i] - mx)))
  ), 0);
  if (farthest > close) return undefined;
  const start = my - slope * mx;
  const isNone = Math.abs(start) < exact * spread;
  return { start: isNone ? 0 : start, slope, off: farthest / spread };
}

/** Different values of a column for each row, from which equal rows are no coincidence. */
const manyValues = 1 / 4;

/** Equal rows for each one that chance would make. */
const byChance = 3;

/**
 * Rows that equal an earlier one in all columns that are read. Coincidences are fewer: of pairs that agree in all
 * other columns those that agree in the one with the most values, or in the response, too, or pairs that agree in
 * the two with the most, as if these had nothing to do with each other.
 */
function twice({ columns, rows }: Dataset): string[] {
  const plain = columns.filter(({ shape, role }) => !shape && role !== "ignore")
    .sort((a, b) => new Set(b.values).size - new Set(a.values).size);
  if (plain.length < 2 || new Set(plain[0].values).size < manyValues * rows) return [];
  const equal = rowsByKey(plain, rows);
  const count = pairsIn(equal);
  const all = rows * (rows - 1) / 2;
  const tied = plain.slice(0, 2).map((one) => pairsIn(rowsByKey([one], rows)) / all);
  const response = plain.filter(({ role }) => role === "response");
  const freely = [plain[0], ...response].map((own) => {
    const others = plain.filter((one) => one !== own);
    return pairsIn(rowsByKey(others, rows)) * pairsIn(rowsByKey([own], rows)) / all;
  });
  if (count < byChance * Math.max(...freely, all * tied[0] * tied[1])) return [];
  const again = [...equal.values()].flatMap(([, ...copies]) => copies).sort((a, b) => a - b);
  if (again.length < 2) return [];
  const which = listed(again.map((row) => String(row + 1)));
  return [
    `${again.length} rows equal an earlier one in all columns read (${which}): if they are copies, leave ` +
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

/** Finding that the rows are sorted by the response. */
function sortedBy({ name, values }: Column, { columns }: Dataset): string[] {
  if (columns.some(({ role }) => role === "time") || new Set(values).size < 2) return [];
  const isSorted = [1, -1].some((sign) =>
    values.every((value, row) => row === 0 || sign * (value - values[row - 1]) >= 0)
  );
  return isSorted
    ? [`the rows are sorted by ${name}: a column that numbers them tells it; use none such`]
    : [];
}
