/** Series with a step, and what is known of them in closed form. */
import { type Dataset, makeDataset, type Resolution } from "../../../../src/base/dataset.ts";
import { RandomStream } from "../../../../src/base/random.ts";
import { drawNormal } from "../../../../src/numerics/math/samplers.ts";
import {
  defaultSchedule,
  type Schedule,
  type Score,
} from "../../../../src/engine/score/execution/execution.ts";
import { scoreNow } from "../../../../src/engine/score/score.ts";

/** `count` independent standard normal numbers. */
export function normals(count: number, key: string): Float64Array {
  const random = new RandomStream("series", key);
  return Float64Array.from({ length: count }, () => drawNormal(random));
}

/** y_t = intercept + slope · y_(t−1) + sd · noise. */
export function autoregressive(
  count: number,
  { intercept = 0, slope, sd }: { intercept?: number; slope: number; sd: number },
  key: string,
): Float64Array {
  const noise = normals(count, key);
  const out = new Float64Array(count);
  for (let t = 0; t < count; t++) {
    out[t] = (t > 0 ? intercept + slope * out[t - 1] : 0) + sd * noise[t];
  }
  return out;
}

/** A response `y` over times `t`, and predictors. */
export function timed(
  y: Float64Array,
  predictors: Readonly<Record<string, Float64Array>> = {},
  resolution: Resolution = "continuous",
): Dataset {
  const t = Float64Array.from(y, (_, i) => i);
  return makeDataset("series", [
    { name: "y", role: "response", type: "real", values: y, resolution },
    { name: "t", role: "time", type: "real", values: t },
    ...Object.entries(predictors).map(([name, values]) =>
      ({ name, role: "predictor", type: "real", values }) as const
    ),
  ]);
}

/** The statements of a model as a program. */
export function programOf(...lines: readonly string[]): string {
  const head = "import numpy as np\nimport pymc as pm\nimport pytensor.tensor as pt\n";
  return `${head}y = data["y"]\nwith pm.Model() as model:\n${
    lines.map((l) => `    ${l}\n`).join("")
  }`;
}

/** The schedule of a target with time. */
export function timeSchedule(first: number, ahead = 1): Schedule {
  return { ...defaultSchedule, time: { column: "t", first, ahead } };
}

/** Its score. @throws if it has none. */
export function scoreOf(text: string, data: Dataset, schedule: Schedule): Score {
  const { score, diagnostics } = scoreNow(text, data, schedule);
  if (!score) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return score;
}

/** log N(x; mean, variance). */
export function logNormal(x: number, mean: number, variance: number): number {
  return -0.5 * Math.log(2 * Math.PI * variance) - 0.5 * (x - mean) ** 2 / variance;
}

/**
 * log p(y_t | y_1 … y_(t−1)) of a regression with known noise, by updating the coefficients' normal
 * distribution row by row.
 */
export function sequentialRegression(
  y: ArrayLike<number>,
  rows: readonly (readonly number[])[],
  { prior, sd }: { readonly prior: readonly number[]; readonly sd: number },
): number[] {
  const d = prior.length;
  const mean = prior.map(() => 0);
  const covariance = prior.map((s, i) => prior.map((_, j) => i === j ? s * s : 0));
  return rows.map((x, t) => {
    const gain = covariance.map((row) => row.reduce((sum, c, j) => sum + c * x[j], 0));
    const variance = sd * sd + gain.reduce((sum, g, j) => sum + g * x[j], 0);
    const rest = y[t] - mean.reduce((sum, m, j) => sum + m * x[j], 0);
    const value = logNormal(y[t], y[t] - rest, variance);
    for (let i = 0; i < d; i++) {
      mean[i] += gain[i] * rest / variance;
      for (let j = 0; j < d; j++) covariance[i][j] -= gain[i] * gain[j] / variance;
    }
    return value;
  });
}

/** Predictive mean of each row of a local level, and its variance, by Kalman's filter (1960). */
export function localLevel(
  y: ArrayLike<number>,
  { start, step, sd }: { readonly start: number; readonly step: number; readonly sd: number },
): { readonly mean: number; readonly variance: number }[] {
  let [mean, variance] = [0, start * start];
  return Array.from(y, (value, t) => {
    if (t > 0) variance += step * step;
    const own = { mean, variance: variance + sd * sd };
    const gain = variance / own.variance;
    mean += gain * (value - own.mean);
    variance -= gain * variance;
    return own;
  });
}

/** The sum of numbers. */
export function total(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0);
}
