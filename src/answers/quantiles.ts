/** Quantiles of replicates. */
import { quantile } from "../numerics/math/mod.ts";

/** The middle and both ends of the middle 90 %. */
interface Spread {
  readonly median: number;
  readonly lo: number;
  readonly hi: number;
}

/** Median, 5 % and 95 % quantile of replicates in any order. */
export function spreadOf(replicates: Float64Array): Spread {
  const sorted = replicates.slice().sort();
  return {
    median: quantile(sorted, 0.5),
    lo: quantile(sorted, 0.05),
    hi: quantile(sorted, 0.95),
  };
}
