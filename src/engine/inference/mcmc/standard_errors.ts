/** Monte Carlo standard errors of the mean and of the standard deviation of draws. */
import { essMean } from "./diagnostics.ts";

/** Mean, standard deviation and their errors. */
interface Moments {
  readonly mean: number;
  /** With n − 1. */
  readonly sd: number;
  /** Monte Carlo standard error of the mean. */
  readonly mcseMean: number;
  /** Monte Carlo standard error of the standard deviation. */
  readonly mcseSd: number;
}

/**
 * Moments of `values` `[chains, draws]` with the errors of ArviZ's `mcse`: sd / √ESS for the mean,
 * and for the standard deviation the delta method on the mean of the squared deviations (Kenney and
 * Keeping 1951, p. 141). NaN with fewer than 4 draws per chain.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { momentsOf } from "./standard_errors.ts";
 * const { mean, sd, mcseMean } = momentsOf(Float64Array.of(1, 2, 4, 3, 2, 1, 3, 4), 1);
 * assert.equal(mean, 2.5);
 * assert.ok(mcseMean > 0.2 * sd && mcseMean < sd);
 * ```
 */
export function momentsOf(values: Float64Array, chains: number): Moments {
  const n = values.length;
  const mean = sumOf(values) / n;
  const squares = values.map((x) => (x - mean) * (x - mean));
  const total = sumOf(squares);
  const variance = total / n;
  const sd = Math.sqrt(total / (n - 1));
  const fourth = sumOf(squares.map((x) => x * x)) / n;
  const ofVariance = (fourth - variance * variance) / essMean(squares, chains);
  return {
    mean,
    sd,
    mcseMean: sd / Math.sqrt(essMean(values, chains)),
    mcseSd: variance === 0 ? 0 : Math.sqrt(ofVariance / variance / 4),
  };
}

function sumOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum;
}
