/** Calibrates a surrogate: factors by which its standard deviations are multiplied. */
import type { RandomStream } from "../../../base/random.ts";
import { bestAndAny } from "./best_and_any.ts";
import type { RewardProcess } from "./reward_process.ts";

/** Calibration of a surrogate, by rewards that it predicted before it knew them. */
export interface Calibration {
  /** Number of predicted rewards: of probes, or of points left out one at a time. */
  readonly points: number;
  /** Share of them within the process's own 90 % intervals. */
  readonly coverage: number;
  /** Factor of its standard deviations that brings nine tenths into these intervals. At least 1. */
  readonly factor: number;
  /** The same for 50 % intervals: errors have heavier tails than a normal distribution. At least ½. */
  readonly factor_50: number;
}

/** Least probes for calibration without points that are left out. */
const leastProbes = 20;

/** The latest probes alone: the surrogates before them knew less. */
export const mostProbes = 80;

/** Points that are left out, where there are too few probes. */
const mostLeftOut = 200;

/** 95 % and 75 % quantiles of the standard normal distribution. */
export const [Z_90, Z_50] = [1.6448536, 0.6744898] as const;

/**
 * Split conformal prediction (Lei et al. 2018): probes are drawn as later objects of the surrogate
 * are drawn, so that the next one lies beyond the ⌈0.9 (n + 1)⌉-th of n errors in a tenth of
 * cases, for any distribution. Points that were chosen for their own errors, and left out one at a
 * time, guarantee less: their neighbours were not chosen for them.
 *
 * @param probes Errors in standard deviations, in the order in which they were made.
 */
export function calibrationBy(
  process: Pick<RewardProcess, "leaveOneOut">,
  heights: readonly number[],
  random: RandomStream,
  probes: readonly number[],
): Calibration {
  const enough = probes.length >= leastProbes;
  const scores = enough ? probes : [...probes, ...leftOut(process, heights, random)];
  const sorted = scores.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length, Math.ceil(share * (sorted.length + 1))) - 1];
  return {
    points: sorted.length,
    coverage: sorted.filter((one) => one <= Z_90).length / sorted.length,
    factor: Math.max(1, at(0.9) / Z_90),
    factor_50: Math.max(0.5, at(0.5) / Z_50),
  };
}

function leftOut(
  process: Pick<RewardProcess, "leaveOneOut">,
  heights: readonly number[],
  random: RandomStream,
): number[] {
  const order = bestAndAny(heights, random).slice(0, mostLeftOut);
  return process.leaveOneOut(order).map(({ mean, variance }, k) =>
    Math.abs(heights[order[k]] - mean) / Math.sqrt(variance)
  );
}
