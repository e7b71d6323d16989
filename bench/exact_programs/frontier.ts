/** Distance from the target against executions, and the area under it. */
import { exp } from "../../src/numerics/math/elementary.ts";
import { logSumExp } from "../../src/numerics/math/log_sum_exp.ts";

/** After so many distinct executions, so far from the target. */
export interface Point {
  readonly executions: number;
  readonly tv: number;
}

/** ½ Σ |exp(a) / Σ − exp(b) / Σ|, both renormalised. */
export function totalVariation(a: ArrayLike<number>, b: ArrayLike<number>): number {
  const [za, zb] = [logSumExp(Float64Array.from(a)), logSumExp(Float64Array.from(b))];
  let sum = 0;
  for (let x = 0; x < a.length; x++) sum += Math.abs(exp(a[x] - za) - exp(b[x] - zb));
  return sum / 2;
}

/**
 * TV of the known rewards, renormalised, after each mark.
 *
 * @param order Indices in the order in which they were asked for; twice is free.
 */
export function knownFrontier(
  order: Iterable<number>,
  logReward: ArrayLike<number>,
  marks: readonly number[],
): Point[] {
  const known = new Float64Array(logReward.length).fill(-Infinity);
  const points: Point[] = [];
  let executions = 0;
  for (const x of order) {
    if (known[x] !== -Infinity) continue;
    known[x] = logReward[x];
    executions++;
    if (marks.includes(executions)) {
      points.push({ executions, tv: totalVariation(known, logReward) });
    }
  }
  return points;
}

/**
 * Area under TV against executions, by the executions: the mean distance while the budget was spent.
 * Before the first point it is 1, between points linear, after the last as it was there.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { area } from "./frontier.ts";
 * assert.equal(area([{ executions: 50, tv: 0.5 }, { executions: 100, tv: 0 }], 100), 0.5);
 * ```
 */
export function area(points: readonly Point[], budget: number): number {
  let [sum, at, tv] = [0, 0, 1];
  for (const [i, point] of points.entries()) {
    const width = Math.min(point.executions, budget) - at;
    sum += width * (i === 0 ? 0.5 * (1 + point.tv) : 0.5 * (tv + point.tv));
    [at, tv] = [Math.min(point.executions, budget), point.tv];
  }
  return (sum + (budget - at) * tv) / budget;
}
