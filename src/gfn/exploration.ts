/** How the share of uniform exploration falls in the course of training. */

/** Linear from `start` to `end`, which is reached at the fraction `until` and kept from then on. */
export interface ExplorationSchedule {
  /** In [0, 1]. */
  readonly start: number;
  /** In [0, 1]. */
  readonly end: number;
  /** Fraction of training, in [0, 1]. */
  readonly until: number;
}

/**
 * The share ε of uniform choice at a fraction of training.
 *
 * @param fraction In [0, 1].
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { explorationShare } from "./exploration.ts";
 * assert.equal(explorationShare({ start: 0.5, end: 0, until: 0.5 }, 0.25), 0.25);
 * ```
 */
export function explorationShare(schedule: ExplorationSchedule, fraction: number): number {
  const { start, end, until } = schedule;
  if (fraction >= until) return end;
  return start + (end - start) * (fraction / until);
}
