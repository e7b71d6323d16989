/** Draws objects in proportion to the rewards that a surrogate expects. */
import { exp } from "../../numerics/math/mod.ts";
import type { RandomStream } from "../../base/random.ts";

/**
 * Places of distinct objects, drawn by expected reward to the power of ½, so that light ones are
 * among them.
 *
 * @param means Of their log rewards, nats.
 * @param open Places that may be drawn.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { RandomStream } from "../../base/random.ts";
 * import { drawByBelief } from "./draw_by_belief.ts";
 * const drawn = drawByBelief([-900, 0, 0.1], [0, 1, 2], 2, new RandomStream("seed 1"));
 * assert.deepEqual(drawn.toSorted(), [1, 2]);
 * ```
 */
export function drawByBelief(
  means: ArrayLike<number>,
  open: readonly number[],
  count: number,
  random: RandomStream,
): number[] {
  const best = open.reduce((a, x) => Math.max(a, means[x]), -Infinity);
  const weights = open.map((x) => exp((means[x] - best) / 2));
  const drawn: number[] = [];
  while (drawn.length < Math.min(count, open.length)) {
    let u = random.uniform() * weights.reduce((sum, one) => sum + one, 0);
    const found = weights.findIndex((one) => (u -= one) < 0);
    const at = found < 0 || weights[found] === 0 ? weights.findIndex((one) => one > 0) : found;
    if (at < 0) break;
    drawn.push(open[at]);
    weights[at] = 0;
  }
  return drawn;
}
