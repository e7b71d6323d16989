/** Known rewards, renormalised: an estimate of the target from scored objects alone. */
import { logSumExp } from "../../numerics/math/mod.ts";

/**
 * `[objects]` log probabilities: R / Σ R over known objects, 0 for all others.
 *
 * @param known Indices of known objects.
 * @param logReward `[objects]`; read at known ones alone.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { knownRewards } from "./known_rewards.ts";
 * const logP = knownRewards([0, 2], Float64Array.of(Math.log(3), 9, 0));
 * assert.ok(Math.abs(logP[0] - Math.log(0.75)) < 1e-12);
 * assert.equal(logP[1], -Infinity);
 * ```
 */
export function knownRewards(known: Iterable<number>, logReward: Float64Array): Float64Array {
  const places = [...known];
  const total = logSumExp([-Infinity, ...places.map((x) => logReward[x])]);
  const logP = new Float64Array(logReward.length).fill(-Infinity);
  if (total > -Infinity) { for (const x of places) logP[x] = logReward[x] - total; }
  return logP;
}
