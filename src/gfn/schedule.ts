/** Learning rates in the course of training: constant, linear or cosine. */
import { cos } from "../math/elementary.ts";

/** From `start` to `end` over the whole of training. */
export interface RateSchedule {
  /** At fraction 0. */
  readonly start: number;
  /** The shape between. */
  readonly schedule: "constant" | "linear" | "cosine";
  /** At fraction 1. */
  readonly end: number;
}

/**
 * The learning rate at a fraction of training; a number is a constant. Cosine is
 * end + (start − end) (1 + cos(π fraction)) / 2 (Loshchilov and Hutter 2017, eq. (5)).
 *
 * @param fraction In [0, 1].
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { rateAt } from "./schedule.ts";
 * assert.equal(rateAt({ start: 2, schedule: "linear", end: 0 }, 0.5), 1);
 * assert.equal(rateAt(0.01, 0.9), 0.01);
 * ```
 */
export function rateAt(rate: number | RateSchedule, fraction: number): number {
  if (typeof rate === "number") return rate;
  return rate.end + (rate.start - rate.end) * shapes[rate.schedule](fraction);
}

const shapes: Readonly<Record<RateSchedule["schedule"], (fraction: number) => number>> = {
  constant: () => 1,
  linear: (fraction) => 1 - fraction,
  cosine: (fraction) => (1 + cos(Math.PI * fraction)) / 2,
};
