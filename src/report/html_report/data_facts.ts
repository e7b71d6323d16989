/** Facts of the data in the report: ranges of columns, bins of the response, the predictor to draw over. */
import type { DatasetJson } from "../../base/dataset.ts";
import type { Bin, Point } from "../figures/data.ts";
import { plain } from "./words.ts";

/** A column with a number for each row. */
export type RowColumn = DatasetJson["columns"][number];

/** The data with the roles that a formula gives: `trials(n)`, and `offset(log(hours))` as an exposure. */
export function withFormula(data: DatasetJson, formula: unknown): DatasetJson {
  if (typeof formula !== "string") return data;
  const named = (pattern: RegExp) => pattern.exec(formula)?.[1].trim().replace(/^`|`$/g, "");
  const trials = named(/\|\s*trials\(([^()]+)\)/);
  const exposure = named(/offset\(\s*log\(([^()]+)\)\s*\)/);
  return {
    ...data,
    columns: data.columns.map((column) => {
      if (column.role !== "predictor") return column;
      if (column.name === trials) return { ...column, role: "trials" };
      return column.name === exposure ? { ...column, role: "exposure" } : column;
    }),
  };
}

/** Columns that have a value for each row, the response first. */
export function rowColumns({ columns, rows }: DatasetJson): readonly RowColumn[] {
  const whole = columns.filter(({ shape, values }) =>
    shape === undefined && values.length === rows
  );
  return whole.sort((a, b) => Number(b.role === "response") - Number(a.role === "response"));
}

/** The response, where it is a number for each row. */
export function responseOf(data: DatasetJson): RowColumn | undefined {
  return rowColumns(data).find(({ role, categories }) => role === "response" && !categories);
}

/** The response as pictures over a predictor have it: per trial or unit of exposure, where there is one. */
interface ShownResponse {
  readonly name: string;
  /** `[rows]`. */
  readonly values: readonly number[];
  /** Column that divides it. */
  readonly per?: RowColumn;
}

/** The response of numbers, divided by trials or exposure. */
export function shownResponse(data: DatasetJson): ShownResponse | undefined {
  const response = responseOf(data);
  if (!response) return undefined;
  const per = rowColumns(data).find(({ role }) => role === "trials" || role === "exposure");
  if (!per) return response;
  const values = response.values.map((value, i) => value / per.values[i]);
  return { name: `${response.name} / ${per.name}`, values, per };
}

/** Ends of the values that are there. */
export function rangeOf(values: readonly number[]): readonly [number, number] {
  let [lo, hi] = [Infinity, -Infinity];
  for (const value of values) {
    if (value < lo) lo = value;
    if (value > hi) hi = value;
  }
  return [lo, hi];
}

/** `1 to 31.5`, or the names of levels, or how many there are. */
export function spreadText({ values, categories }: RowColumn): string {
  if (categories) {
    const few = categories.length <= 6;
    return few ? categories.join(", ") : `${categories.length} levels`;
  }
  const [lo, hi] = rangeOf(values);
  return lo === hi ? plain(lo) : `${plain(lo)} to ${plain(hi)}`;
}

/** Most bins of a histogram. */
const mostBins = 30;

/**
 * Bins of equal width that begin at round numbers: about 1.3 times the square root of the rows, from 6 to 30;
 * whole numbers of a small range have one each.
 */
export function binsOf({ values, type }: RowColumn): Bin[] {
  const [lo, hi] = rangeOf(values);
  const whole = type === "count" || type === "binary";
  if (whole && hi - lo < mostBins) return counted(values, lo - 0.5, 1, hi - lo + 1);
  const wanted = Math.max(6, Math.min(mostBins, Math.ceil(Math.sqrt(values.length) * 1.3)));
  const step = Math.max(whole ? 1 : 0, roundStep((hi - lo || Math.abs(hi) || 1) / wanted));
  const first = whole ? lo - 0.5 : Math.floor(lo / step) * step;
  return counted(values, first, step, Math.floor((hi - first) / step) + 1);
}

/** 1, 2, 2.5 or 5 times a power of ten. */
function roundStep(step: number): number {
  const power = Number(`1e${Math.floor(Math.log10(step))}`);
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= step * 0.999) ?? 10;
  return factor * power;
}

function counted(values: readonly number[], from: number, step: number, count: number): Bin[] {
  const counts = new Array<number>(count).fill(0);
  for (const value of values) counts[binAt(value, from, step, count)] += 1;
  const tidy = (value: number) => Number(value.toPrecision(12));
  return counts.map((each, i) => ({
    from: tidy(from + i * step),
    to: tidy(from + (i + 1) * step),
    count: each,
  }));
}

/** The bin that holds a value; one beyond the ends, the outermost. */
export function binAt(value: number, from: number, step: number, count: number): number {
  return Math.max(0, Math.min(count - 1, Math.floor((value - from) / step)));
}

/**
 * The predictor to draw the response over: of numbers the one whose rank correlation with it is the
 * strongest, and without numbers the category with the most levels up to twenty.
 */
export function mainPredictor(data: DatasetJson): RowColumn | undefined {
  const response = shownResponse(data);
  if (!response) return undefined;
  const predictors = rowColumns(data).filter(({ role, gapsOf }) =>
    (role === "predictor" || role === "time" || role === "group") && gapsOf === undefined
  );
  const varies = ({ values }: RowColumn) => values.some((value) => value !== values[0]);
  const numbers = predictors.filter((one) =>
    !one.categories && one.role !== "group" && varies(one)
  );
  const y = ranks(response.values);
  const strength = new Map(
    numbers.map((one) => [one, Math.abs(correlation(ranks(one.values), y))]),
  );
  const byStrength = [...numbers].sort((a, b) =>
    Number(levelsOf(b) > 2) - Number(levelsOf(a) > 2) || strength.get(b)! - strength.get(a)!
  );
  const categories = predictors.filter(({ categories }) => (categories?.length ?? 0) > 1)
    .filter(({ categories }) => categories!.length <= 20);
  const most = categories.sort((a, b) => b.categories!.length - a.categories!.length)[0];
  const [best] = byStrength;
  return best && (levelsOf(best) > 2 || !most) ? best : most ?? best;
}

function levelsOf({ values }: RowColumn): number {
  return new Set(values).size;
}

/** Ranks from 0, those of equal values averaged. */
function ranks(values: readonly number[]): Float64Array {
  const order = [...values.keys()].sort((a, b) => values[a] - values[b]);
  const out = new Float64Array(values.length);
  for (let at = 0; at < order.length;) {
    let end = at;
    while (end < order.length && values[order[end]] === values[order[at]]) end += 1;
    for (let i = at; i < end; i++) out[order[i]] = (at + end - 1) / 2;
    at = Math.max(end, at + 1);
  }
  return out;
}

function correlation(x: Float64Array, y: Float64Array): number {
  const mean = (all: Float64Array) => all.reduce((a, b) => a + b, 0) / all.length;
  const [mx, my] = [mean(x), mean(y)];
  let [xy, xx, yy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) ** 2;
    yy += (y[i] - my) ** 2;
  }
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : 0;
}

/** A point for each row that has a value: the predictor as a number or the name of its level. */
export function pointsOf(x: RowColumn, { values }: ShownResponse, data: DatasetJson): Point[] {
  const gaps = data.columns.find(({ gapsOf }) => gapsOf === x.name)?.values;
  const all = x.values.map((value, i) => ({ x: shownValue(x, value), y: values[i], value }));
  const points = all.filter((_, i) => !gaps?.[i]);
  // Levels stand on the axis in the order in which they come.
  if (isLevels(x)) points.sort((a, b) => a.value - b.value);
  return points.map(({ x, y }) => ({ x, y }));
}

/** Whether a column's values are few names: of a category, or yes and no. */
export function isLevels({ categories, type }: RowColumn): boolean {
  return categories !== undefined || type === "binary";
}

/** A value as a picture has it. */
export function shownValue({ categories, type }: RowColumn, value: number): number | string {
  if (categories) return categories[value] ?? `level ${value}`;
  return type === "binary" ? `${value}` : value;
}

/** Value at which a predictor is held where another one varies: median of numbers, mode of everything else. */
export function typicalValue({ values, categories, type }: RowColumn): number {
  if (categories || type === "binary") return modeOf(values);
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)];
}

function modeOf(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || a - b)[0][0];
}
