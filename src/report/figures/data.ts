/** Pictures of the data: how the response is spread, and how it goes with a predictor. */
import { main } from "./palette.ts";
import { axisTitle, frame, type Picture } from "./picture.ts";

/** A bin of a histogram: values from `from` up to `to`, and how many. */
export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Points that a picture holds at most: more cannot be distinguished, and make the page heavy. */
export const mostPoints = 500;

/** How the values of a column are spread. */
export function histogramPicture(column: string, bins: readonly Bin[]): Picture {
  const total = bins.reduce((sum, { count }) => sum + count, 0);
  return {
    name: "response",
    alt: `Histogram of ${column} in ${bins.length} bins`,
    caption: `${column} in the ${total.toLocaleString("en")} rows.`,
    draw: (width) => ({
      ...frame(width, 170),
      data: { values: bins.map((bin) => ({ ...bin })) },
      mark: { type: "bar", color: main, opacity: 0.75, binSpacing: 1 },
      encoding: {
        x: {
          field: "from",
          type: "quantitative",
          bin: { binned: true },
          title: axisTitle(column, width),
          axis: { grid: false, tickCount: ticks(width) },
        },
        x2: { field: "to" },
        y: { field: "count", type: "quantitative", title: "rows", axis: { tickCount: 4 } },
      },
    }),
  };
}

/** Number of marks on a horizontal axis. */
export function ticks(width: number): number {
  return Math.max(3, Math.floor(width / 85));
}

/** One row of the data: its predictor as a number or the name of a level, and its response. */
export interface Point {
  readonly x: number | string;
  readonly y: number;
}

/** The response over a predictor. */
export function scatterPicture(
  names: { readonly x: string; readonly y: string },
  points: readonly Point[],
  rows: number,
): Picture {
  const drawn = thinned(points, mostPoints);
  const part = drawn.length < rows ? ` ${drawn.length} of ${rows} rows are drawn.` : "";
  return {
    name: "response_over_predictor",
    alt: `${names.y} over ${names.x}, a point for each row`,
    caption: `${names.y} over ${names.x}, a point for each row.${part}`,
    draw: (width) => ({
      ...frame(width, 240),
      data: { values: drawn.map((point) => ({ ...point })) },
      mark: { type: "point", filled: true, size: 45, color: main, opacity: 0.65 },
      encoding: {
        x: xAxis(names.x, points, width),
        y: {
          field: "y",
          type: "quantitative",
          title: axisTitle(names.y, 240),
          scale: { zero: false },
          axis: { tickCount: 5 },
        },
      },
    }),
  };
}

/** The axis of a predictor: of numbers, or of levels in the order of the data set. */
export function xAxis(name: string, points: readonly Point[], width: number) {
  const title = axisTitle(name, width);
  const isNumber = typeof points[0]?.x === "number";
  return isNumber
    ? {
      field: "x",
      type: "quantitative" as const,
      title,
      scale: { zero: false, nice: false, padding: 12 },
      axis: { grid: false, tickCount: ticks(width) },
    }
    : {
      field: "x",
      type: "nominal" as const,
      sort: null,
      title,
      axis: { labelAngle: points.length > 0 ? -35 : 0, grid: false },
    };
}

/** At most so many of them, evenly spread from the first to the last. */
export function thinned<T>(all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  return Array.from({ length: most }, (_, i) => {
    return all[Math.round(i * (all.length - 1) / (most - 1))];
  });
}
