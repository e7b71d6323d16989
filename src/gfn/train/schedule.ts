/** Learning rates in the course of training: constant, linear or cosine, with a warm-up. */
import type { z } from "../../base/zod.ts";
import { cos } from "../../numerics/math/mod.ts";
import type { learningRate } from "./training_settings.ts";

/** A learning rate, as {@linkcode learningRate} reads it; `warm_up` is a fraction of training. */
export type LearningRate = z.output<typeof learningRate>;

type RateSchedule = Exclude<LearningRate, number>;

/**
 * The learning rate at a fraction of training; a number is a constant. Cosine is
 * end + (start − end) (1 + cos(π fraction)) / 2 (Loshchilov and Hutter 2017, eq. (5)). A warm-up
 * multiplies the rate of the shape by fraction / warm_up while that is below 1.
 *
 * @param fraction In [0, 1].
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { rateAt } from "./schedule.ts";
 * assert.equal(rateAt({ start: 2, schedule: "linear", end: 0 }, 0.5), 1);
 * assert.equal(rateAt({ start: 2, schedule: "constant", end: 0, warm_up: 0.5 }, 0.25), 1);
 * assert.equal(rateAt(0.01, 0.9), 0.01);
 * ```
 */
export function rateAt(rate: LearningRate, fraction: number): number {
  if (typeof rate === "number") return rate;
  const { start, schedule, end, warm_up = 0 } = rate;
  const shape = end + (start - end) * shapes[schedule](fraction);
  return fraction < warm_up ? shape * (fraction / warm_up) : shape;
}

const shapes: Readonly<Record<RateSchedule["schedule"], (fraction: number) => number>> = {
  constant: () => 1,
  linear: (fraction) => 1 - fraction,
  cosine: (fraction) => (1 + cos(Math.PI * fraction)) / 2,
};
