/** Effect of the engine's Monte Carlo errors on the target. */
import { fillNormal } from "../numerics/math/mod.ts";
import type { RandomStream } from "../base/random.ts";
import type { ScoredSpace } from "./scored_space.ts";
import { normalised, totalVariation } from "./weights.ts";

const replicates = 200;

/**
 * Total variation `[200]` between the target and that of another seed of the engine:
 * each program's log reward moved by a normal draw with its Monte Carlo standard error.
 */
export function engineNoise(
  { logReward, mcse }: Pick<ScoredSpace, "logReward" | "mcse">,
  weights: Float64Array,
  random: RandomStream,
): Float64Array {
  const moves = new Float64Array(logReward.length);
  const own = new Float64Array(logReward.length);
  return Float64Array.from({ length: replicates }, () => {
    fillNormal(random, moves);
    for (let k = 0; k < own.length; k++) own[k] = logReward[k] + mcse[k] * moves[k];
    return totalVariation(normalised(own, own), weights);
  });
}
