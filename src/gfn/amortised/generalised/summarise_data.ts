/** Summary of a data set of any family: of generalised linear models by the working response of their fit. */
import { log } from "../../../numerics/math/mod.ts";
import type { StandardRows } from "../standard_rows.ts";
import { type DataSummary, featureSizes, summarise, tamed } from "../summary.ts";
import { fitWhole, forecasts, type WholeFit } from "./forecasts.ts";

/**
 * Of normal responses their own pooled numbers. Of others those of rows about the program with all
 * predictors: working responses and predictors, times the roots of the weights of the last step of
 * iteratively reweighted least squares (Nelder and Wedderburn 1972), beside forecasts of all programs.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { standardRows } from "../standard_rows.ts";
 * import { summariseData } from "./summarise_data.ts";
 * const [x, z] = [[1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 4]].map((one) => Float64Array.from(one));
 * const rows = standardRows({ columns: [x, z], y: x.map((one, i) => 2 * one + (i % 2) / 4) });
 * assert.equal(summariseData(rows).predictors, 2);
 * ```
 */
export function summariseData(rows: StandardRows): DataSummary {
  if (rows.family === undefined) return summarise(rows);
  const fit = fitWhole(rows);
  const { columns, y, left } = workingRows(rows, fit);
  const summary = summarise({ rows: rows.rows, columns, y });
  const { data, tokens } = summary;
  const weight = fit.mode.curvatures.reduce((a, b) => a + b, 0) / rows.rows;
  data[0] = log(weight + 1e-6) / 3;
  data[6] = tamed(left / rows.rows);
  if (fit.noise) data[6] = 1 / fit.noise.nu;
  rows.columns.forEach((x, j) => tokens[j * featureSizes.predictor] = correlation(x, rows.y));
  return { ...summary, forecasts: forecasts(rows, fit) };
}

/** Least share of the mean weight. */
const leastWeight = 1e-6;

/** Columns and response of an equivalent least-squares fit, in standard units; and its residual sum of squares. */
function workingRows({ rows, columns }: StandardRows, { mode }: WholeFit) {
  const { eta, slopes, curvatures } = mode;
  const mean = curvatures.reduce((a, b) => a + b, 0) / rows;
  const weights = curvatures.map((one) => Math.max(one, leastWeight * mean));
  const roots = weights.map(Math.sqrt);
  const total = weights.reduce((a, b) => a + b, 0);
  const moved = (values: Float64Array) => {
    const middle = values.reduce((sum, one, i) => sum + weights[i] * one, 0) / total;
    const own = values.map((one, i) => roots[i] * (one - middle));
    const square = own.reduce((sum, one) => sum + one * one, 0) / (rows - 1);
    const unit = Math.sqrt(Math.max(square, 1e-12));
    return own.map((one) => one / unit);
  };
  const response = eta.map((one, i) => one + slopes[i] / weights[i]);
  const left = slopes.reduce((sum, slope, i) => sum + slope * slope / weights[i], 0);
  return { columns: columns.map(moved), y: moved(response), left };
}

/** Absolute correlation of a predictor with the raw response. */
function correlation(x: Float64Array, y: Float64Array): number {
  const rows = y.length;
  const mean = y.reduce((a, b) => a + b, 0) / rows;
  let [both, square, own] = [0, 0, 0];
  for (let i = 0; i < rows; i++) {
    both += x[i] * (y[i] - mean);
    square += (y[i] - mean) * (y[i] - mean);
    own += x[i] * x[i];
  }
  return Math.abs(both) / Math.sqrt(Math.max(square * own, 1e-12));
}
