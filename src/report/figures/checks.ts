/** Pictures that check a model: replicated data, leave-one-out PIT values, and rows of influence. */
import type { Bin } from "./data.ts";
import { thinned, ticks } from "./data.ts";
import { faint, ink, main, other } from "./palette.ts";
import { axisTitle, frame, type Picture } from "./picture.ts";

/** A bin of the data, and how many values replicated data have there. */
export interface ReplicatedBin extends Bin {
  /** 5 % quantile over replications. */
  readonly lo: number;
  readonly mean: number;
  /** 95 % quantile. */
  readonly hi: number;
}

/** The data's histogram beside those of data that the model makes up. */
export function replicatedPicture(column: string, bins: readonly ReplicatedBin[]): Picture {
  return {
    name: "replicated_data",
    alt: `Rows by ${column}, observed and replicated by the best model`,
    caption: "Dots: how many rows fall into each range. Bars: that number in 90 % of the " +
      "replicated data sets; the notch is their mean.",
    draw: (width) => {
      const values = bins.map((bin) => ({ ...bin, middle: (bin.from + bin.to) / 2 }));
      const y = { type: "quantitative" as const, title: "rows", axis: { tickCount: 5 } };
      const thick = Math.max(3, Math.min(18, 0.5 * (width - 60) / bins.length));
      const x = {
        field: "middle",
        type: "quantitative" as const,
        title: axisTitle(column, width),
        scale: { zero: false, padding: thick },
        axis: { grid: false, tickCount: ticks(width) },
      };
      return {
        ...frame(width, 220),
        data: { values },
        encoding: { x },
        layer: [
          {
            mark: { type: "rule", color: main, opacity: 0.3, strokeWidth: thick },
            encoding: { y: { field: "lo", ...y }, y2: { field: "hi" } },
          },
          {
            mark: { type: "tick", color: main, thickness: 2, size: thick, orient: "horizontal" },
            encoding: { y: { field: "mean", ...y } },
          },
          {
            mark: { type: "point", filled: true, color: ink, size: 45, opacity: 1 },
            encoding: { y: { field: "count", ...y } },
          },
        ],
      };
    },
  };
}

/** The distribution of PIT values less the uniform one, and how far it may be from 0 by chance. */
export interface PitCurve {
  readonly at: readonly {
    readonly z: number;
    readonly difference: number;
    readonly band: number;
  }[];
}

/** Whether rows lie where they were predicted. */
export function pitPicture({ at }: PitCurve): Picture {
  return {
    name: "loo_pit",
    alt: "Distribution of leave-one-out PIT values less the uniform distribution, with a band",
    caption: "Line: share of rows whose predicted probability of a smaller value is at most z, " +
      "less z. Band: where the whole line would stay in 90 % of data sets if the model were right.",
    draw: (width) => ({
      ...frame(width, 220),
      data: { values: at.map((one) => ({ ...one, lo: -one.band })) },
      encoding: {
        x: {
          field: "z",
          type: "quantitative",
          title: "z: predicted probability of a smaller value, without the row",
          axis: { grid: false, values: [0, 0.25, 0.5, 0.75, 1], format: ".2~f" },
          ...(width < 500 && { title: ["z: predicted probability of a", "smaller value"] }),
        },
      },
      layer: [
        {
          mark: { type: "area", color: main, opacity: 0.18 },
          encoding: {
            y: {
              field: "lo",
              type: "quantitative",
              title: "share of rows − z",
              axis: { tickCount: 5 },
            },
            y2: { field: "band" },
          },
        },
        {
          mark: { type: "rule", color: faint },
          encoding: { y: { datum: 0 }, x: { value: 0 }, x2: { value: "width" } },
        },
        {
          mark: { type: "line", color: ink, strokeWidth: 1.8 },
          encoding: { y: { field: "difference", type: "quantitative" } },
        },
      ],
    }),
  };
}

/** Pareto k of every row: how much the posterior hangs on it. */
export function paretoPicture(k: readonly number[], limit: number, unit: string): Picture {
  const all = k.map((value, i) => ({ row: i + 1, k: value, high: value > limit }));
  const domain = [Math.min(0, ...k), Math.max(limit, ...k) + 0.05];
  const drawn = all.length > 1000
    ? [...thinned(all.filter(({ high }) => !high), 800), ...all.filter(({ high }) => high)]
    : all;
  return {
    name: "pareto_k",
    alt: `Pareto k of each ${unit}; ${all.filter(({ high }) => high).length} are above ${limit}`,
    caption: `Pareto k of each ${unit} in the best model: how much the posterior would change ` +
      `without it. Above the line (${limit.toFixed(2)}) importance sampling is unreliable.`,
    draw: (width) => ({
      ...frame(width, 200),
      layer: [
        {
          data: { values: drawn },
          mark: { type: "point", filled: true, size: 45, opacity: 0.8 },
          encoding: {
            x: {
              field: "row",
              type: "quantitative",
              title: unit,
              scale: { nice: false, zero: false, padding: 10 },
              axis: { grid: false, tickCount: ticks(width), format: "d" },
            },
            y: {
              field: "k",
              type: "quantitative",
              title: "Pareto k",
              scale: { domain, nice: false },
              axis: { tickCount: 5 },
            },
            color: { condition: { test: "datum.high", value: other }, value: main },
          },
        },
        {
          data: { values: [{}] }, // without data there is nothing to draw, and no line
          mark: { type: "rule", color: other, strokeDash: [5, 4], strokeWidth: 1.5 },
          encoding: { y: { datum: limit } },
        },
      ],
    }),
  };
}

/** A row, and by how many nats it speaks for the first of two answers. */
export interface DecidingRow {
  readonly row: number;
  readonly label: string;
  readonly nats: number;
}

/** Rows that discriminate between the two likeliest answers. */
export function decidingPicture(
  rows: readonly DecidingRow[],
  [first, second]: readonly [string, string],
  unit: string,
  shown: readonly string[] = [],
): Picture {
  const brackets = shown.length > 0 ? ` In brackets: ${shown.join(" and ")}.` : "";
  return {
    name: `deciding_${unit}s`,
    alt: rows.map(({ label, nats }) => `${label}: ${nats.toFixed(2)}`).join("; "),
    caption:
      `The ${unit}s with the largest leave-one-out differences, in nats: for “${first}” (right) or ` +
      `“${second}” (left).${brackets}`,
    draw: (width) => ({
      ...frame(width, { step: 24 }),
      data: { values: rows.map((one) => ({ ...one })) },
      mark: { type: "bar", cornerRadiusEnd: 2 },
      encoding: {
        y: {
          field: "label",
          type: "nominal",
          sort: null,
          title: null,
          axis: { ticks: false },
        },
        x: {
          field: "nats",
          type: "quantitative",
          title: "nats",
          axis: { tickCount: ticks(width) },
        },
        color: { condition: { test: "datum.nats > 0", value: main }, value: other },
      },
    }),
  };
}
