/** Where curves are drawn: values of one predictor, with the others held where the data mostly are. */
import type { DatasetJson } from "../../base/dataset.ts";
import type { CurveScene } from "../../report/figures/curves.ts";
import {
  isLevels,
  mainPredictor,
  pointsOf,
  rangeOf,
  type RowColumn,
  rowColumns,
  shownResponse,
  shownValue,
  typicalValue,
} from "../../report/html_report/data_facts.ts";
import { plain } from "../../report/html_report/words.ts";

/** Points of a curve over a predictor of numbers. */
const points = 41;

/** Rows at which programs predict, and what they are shown with. */
export interface Grid {
  /** Scene of the pictures; the ends of their axis are known with the predictions. */
  readonly scene: Omit<CurveScene, "domain">;
  /** Values of the predictor as pictures have them `[rows]`. */
  readonly x: readonly (number | string)[];
  /** Divisor of predictions: trials or exposure; 1 otherwise. */
  readonly divisor: number;
  readonly rows: number;
  /** `[rows]` by column. */
  readonly columns: Readonly<Record<string, readonly number[]>>;
}

/** The grid of a data set; undefined without a response of numbers, or a predictor. */
export function gridOf(data: DatasetJson): Grid | undefined {
  const response = shownResponse(data);
  const main = mainPredictor(data);
  if (!response || !main) return undefined;
  const values = valuesOf(main);
  const others = rowColumns(data).filter((one) => isGiven(one) && one.name !== main.name);
  const typical = others.map((one) => [one, typicalValue(one)] as const);
  return {
    scene: {
      names: { x: main.name, y: response.name },
      points: pointsOf(main, response, data),
      held: heldSentence(typical),
    },
    x: values.map((value) => shownValue(main, value)),
    divisor: typical.find(([one]) => one.name === response.per?.name)?.[1] || 1,
    rows: values.length,
    columns: Object.fromEntries([
      [main.name, values],
      ...typical.map(([{ name }, value]) => [name, values.map(() => value)]),
    ]),
  };
}

/** Columns that programs are given. */
export function isGiven({ role }: RowColumn): boolean {
  return role !== "response" && role !== "ignore";
}

function valuesOf(column: RowColumn): number[] {
  const { values, type } = column;
  if (isLevels(column)) return [...new Set(values)].sort((a, b) => a - b);
  const [lo, hi] = rangeOf(values);
  const whole = type === "count";
  if (whole && hi - lo < points) return Array.from({ length: hi - lo + 1 }, (_, i) => lo + i);
  return Array.from({ length: points }, (_, i) => {
    const value = lo + i * (hi - lo) / (points - 1);
    return whole ? Math.round(value) : value;
  });
}

/** ` The other columns are held at site = Alder, canopy = 0.42.` */
function heldSentence(typical: readonly (readonly [RowColumn, number])[]): string {
  const named = typical.filter(([{ gapsOf }]) => gapsOf === undefined);
  if (named.length === 0) return "";
  const shown = named.slice(0, 6).map(([one, value]) => {
    const text = shownValue(one, value);
    return `${one.name} = ${typeof text === "number" ? plain(text) : text}`;
  });
  const rest = named.length - shown.length;
  const more = rest > 0 ? ` and ${rest} more at their medians or most frequent levels` : "";
  return ` The other columns are held at ${shown.join(", ")}${more}.`;
}
