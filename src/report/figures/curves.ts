/** Pictures of what models predict over a predictor, with the data. */
import { mostPoints, type Point, thinned, xAxis } from "./data.ts";
import { fourth, ink, main, other, third } from "./palette.ts";
import { axisTitle, frame, type Picture } from "./picture.ts";

/** Prediction at one value of the predictor. */
export interface PredictedAt {
  readonly x: number | string;
  readonly mean: number;
  readonly q05: number;
  readonly q25: number;
  readonly q75: number;
  readonly q95: number;
}

/** The curve of one model. */
export interface ModelCurve {
  readonly model: string;
  readonly at: readonly PredictedAt[];
}

/** Parts that both pictures need. */
export interface CurveScene {
  readonly names: { readonly x: string; readonly y: string };
  readonly points: readonly Point[];
  /** Where the other predictors are held, as a sentence; empty if there is none. */
  readonly held: string;
  /** Ends of the vertical axis: a mean that heavy tails make extreme is cut off there. */
  readonly domain: readonly [number, number];
}

/** The average over models: its mean, and where new observations would lie. */
export function averagePicture(scene: CurveScene, at: readonly PredictedAt[]): Picture {
  const { names, points, held } = scene;
  return {
    name: "curve_average",
    alt: `Prediction of ${names.y} over ${names.x} by the average over models`,
    caption:
      `Prediction of a new row by the average over models: mean (line), and intervals with ` +
      `half and 90 % of new rows (bands). Points are the data.${held}`,
    draw: (width) => ({
      ...frame(width, 300),
      layer: [
        ...bands(scene, at, width),
        dataLayer(points, scene, width),
      ],
    }),
  };
}

function bands(scene: CurveScene, at: readonly PredictedAt[], width: number) {
  const isNumber = typeof at[0]?.x === "number";
  const x = xAxis(scene.names.x, at.map(({ x, mean }) => ({ x, y: mean })), width);
  const y = { field: "q05", ...yAxis(scene) };
  const values = at.map((one) => ({ ...one }));
  const band = (lo: string, hi: string, opacity: number) => ({
    data: { values },
    mark: isNumber
      ? { type: "area" as const, color: main, opacity, line: false, clip: true }
      : { type: "rule" as const, color: main, opacity: 2 * opacity, strokeWidth: 8 },
    encoding: { x, y: { ...y, field: lo }, y2: { field: hi } },
  });
  const mean = {
    data: { values },
    mark: isNumber
      ? { type: "line" as const, color: main, strokeWidth: 2.5, clip: true }
      : { type: "point" as const, filled: true, color: main, size: 120, opacity: 1 },
    encoding: { x, y: { ...y, field: "mean" } },
  };
  return [band("q05", "q95", 0.16), band("q25", "q75", 0.22), mean];
}

function yAxis({ names, domain }: CurveScene) {
  return {
    type: "quantitative" as const,
    title: axisTitle(names.y, 300),
    scale: { zero: false, domain: [...domain], nice: true },
    axis: { tickCount: 6 },
  };
}

function dataLayer(points: readonly Point[], scene: CurveScene, width: number) {
  return {
    data: { values: thinned(points, mostPoints).map((one) => ({ ...one })) },
    mark: { type: "point" as const, filled: true, size: 34, color: ink, opacity: 0.7 },
    encoding: {
      x: xAxis(scene.names.x, points, width),
      y: { field: "y", ...yAxis(scene) },
    },
  };
}

const colours = [main, other, third, fourth];
const dashes = [[1, 0], [7, 3], [2, 3], [9, 3, 2, 3]];

/** The means of the likeliest models beside each other. */
export function modelsPicture(
  scene: CurveScene,
  curves: readonly ModelCurve[],
  question: string,
): Picture {
  const shown = curves.slice(0, colours.length);
  const { names, points, held } = scene;
  return {
    name: "curves_of_models",
    alt: `Predictions of ${names.y} over ${names.x} by the likeliest models: ${
      shown.map(({ model }) => model).join("; ")
    }`,
    caption:
      `Mean predictions of the likeliest answers to “${question}”, each by its likeliest program, ` +
      `in order of probability. Points are the data.${held}`,
    draw: (width) => {
      const values = shown.flatMap(({ model, at }) =>
        at.map(({ x, mean }) => ({ x, y: mean, model }))
      );
      const domain = shown.map(({ model }) => model);
      const isNumber = typeof shown[0]?.at[0]?.x === "number";
      const legend = { title: null, columns: 1, symbolSize: 400, symbolType: "stroke" as const };
      return {
        ...frame(width, 300 + 20 * shown.length),
        layer: [
          dataLayer(points, scene, width),
          {
            data: { values },
            mark: isNumber
              ? { type: "line", strokeWidth: 2.2, clip: true }
              : { type: "point", filled: true, size: 90, opacity: 0.9 },
            encoding: {
              x: xAxis(names.x, shown[0].at.map(({ x, mean }) => ({ x, y: mean })), width),
              y: { field: "y", ...yAxis(scene) },
              color: {
                field: "model",
                type: "nominal",
                sort: null,
                scale: { domain, range: colours.slice(0, domain.length) },
                legend,
              },
              ...(isNumber
                ? {
                  strokeDash: {
                    field: "model",
                    type: "nominal" as const,
                    sort: null,
                    scale: { domain, range: dashes.slice(0, domain.length) },
                    legend,
                  },
                }
                : {}),
            },
          },
        ],
      };
    },
  };
}
