/** When a tuning chain learns its metric: Stan's windows. */

/** Tuning steps in which draws are collected, and after which the metric is replaced. */
export interface AdaptationWindows {
  /** First step whose draw is collected. */
  readonly begin: number;
  /** Steps after whose draw the metric is replaced and collecting begins anew. */
  readonly ends: readonly number[];
}

/**
 * Windows of `tune` steps as in Stan 2.37 (`windowed_adaptation.hpp`): 75 steps first, windows of
 * 25, 50, 100, …, the last one stretched to end 50 steps before the end. Below 150 steps 15 %,
 * 75 % and 10 %; below 20 there are none.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { adaptationWindows } from "./windows.ts";
 * assert.deepEqual(adaptationWindows(1000), { begin: 75, ends: [99, 149, 249, 449, 949] });
 * ```
 */
export function adaptationWindows(tune: number): AdaptationWindows {
  if (tune < 20) return { begin: tune, ends: [] };
  const short = tune < 150;
  const begin = short ? Math.floor(0.15 * tune) : 75;
  const last = tune - (short ? Math.floor(0.1 * tune) : 50) - 1;
  if (short) return { begin, ends: [last] };
  const ends: number[] = [];
  let size = 25;
  for (let end = begin + size - 1; end < last; end += size) {
    ends.push(end);
    size *= 2;
    if (end + size < last && end + 3 * size >= last + 1) break;
  }
  ends.push(last);
  return { begin, ends };
}
