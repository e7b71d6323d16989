/** Summaries of predictive draws: of a mixture at each point of a grid, and of replicated data. */
import { quantile } from "../../numerics/math/mod.ts";
import type { PredictedAt } from "../../report/figures/curves.ts";
import type { ReplicatedBin } from "../../report/figures/checks.ts";
import type { Bin } from "../../report/figures/data.ts";
import { binAt } from "../../report/html_report/data_facts.ts";

/** Draws `[draws, repeats · rows]` of one program, and how often it counts. */
interface Weighted {
  readonly draws: Float64Array;
  readonly times: number;
}

/**
 * Mean and quantiles at each of the rows, every program as often as it counts. All programs have as many
 * draws; rows stand `repeats` times behind each other.
 *
 * @param divisor of every draw.
 * @param stride every which draw is used: 3 is every third. With a number that has no factor in common
 * with the repeats, all draws of the parameters are among them.
 */
export function summariesAt(
  programs: readonly Weighted[],
  x: readonly (number | string)[],
  divisor = 1,
  stride = 1,
): PredictedAt[] {
  const rows = x.length;
  const size = programs.reduce((sum, { draws, times }) => sum + times * draws.length / rows, 0);
  const all = new Float64Array(size);
  return x.map((at, i) => {
    let used = 0;
    for (const { draws, times } of programs) {
      for (let s = i; s < draws.length; s += stride * rows) {
        const value = draws[s] / divisor;
        if (Number.isNaN(value)) continue;
        all.fill(value, used, used + times);
        used += times;
      }
    }
    const sorted = all.slice(0, used).sort();
    const mean = sorted.reduce((a, b) => a + b, 0) / sorted.length;
    const q = (p: number) => quantile(sorted, p);
    return { x: at, mean, q05: q(0.05), q25: q(0.25), q75: q(0.75), q95: q(0.95) };
  });
}

/** How many of the values fall into each bin, in every data set of the draws `[draws, rows]`. */
export function replicatedBins(
  bins: readonly Bin[],
  draws: Float64Array,
  rows: number,
): ReplicatedBin[] {
  const sets = draws.length / rows;
  const [{ from, to }] = bins;
  const counts = bins.map(() => new Float64Array(sets));
  for (let s = 0; s < sets; s++) {
    for (let i = 0; i < rows; i++) {
      const value = draws[s * rows + i];
      if (!Number.isNaN(value)) counts[binAt(value, from, to - from, bins.length)][s] += 1;
    }
  }
  return bins.map((bin, b) => {
    const mean = counts[b].reduce((sum, one) => sum + one, 0) / sets;
    const sorted = counts[b].sort();
    return { ...bin, lo: quantile(sorted, 0.05), mean, hi: quantile(sorted, 0.95) };
  });
}
