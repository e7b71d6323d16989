/** Numbers of a regression's data set, by which the detector finds data unlike those of training. */
import type { Detected } from "./detector.ts";
import { type DataSummary, featureSizes } from "./summary.ts";

/** Numbers of a data set that are compared: its own, and means and largest ones over predictors and pairs. */
export function regressionNumbers(
  { rows, data, tokens, pairs, predictors: p, forecasts }: DataSummary,
): Detected {
  const column = (all: Float64Array, size: number, c: number) =>
    Array.from({ length: all.length / size }, (_, i) => all[i * size + c]);
  const over = (all: Float64Array, size: number, skip: number) =>
    Array.from({ length: size - skip }, (_, c) => {
      const values = column(all, size, c + skip);
      const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
      return [mean, values.reduce((a, b) => Math.max(a, b), -Infinity)];
    }).flat();
  const beside = pairs.filter((_, at) => {
    const place = Math.floor(at / featureSizes.pair);
    return Math.floor(place / p) !== place % p;
  });
  const ofPairs = p > 1
    ? over(beside, featureSizes.pair, 0)
    : new Array(2 * featureSizes.pair).fill(0);
  const own = data.slice(forecasts ? 0 : 1);
  const numbers = [...own, ...over(tokens, featureSizes.predictor, 1), ...ofPairs];
  return { rows, predictors: p, numbers };
}
