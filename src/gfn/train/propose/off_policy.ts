/** Ranks, logarithms and rewards of whole trajectories, by which proposals draw and weigh. */
import { log } from "../../../numerics/math/mod.ts";
import type { Environment } from "../../environments/environment.ts";
import { terminablePrefixes } from "../../trajectories/batch.ts";
import type { Trajectory } from "../../trajectories/trajectory.ts";
import type { RandomStream } from "../../../base/random.ts";

/** Draws a rank, from 0, by weight 1 / (rank + 1) (Schaul et al. 2016, section 3.3, α = 1). */
export function rankDrawn(count: number, random: RandomStream): number {
  let total = 0;
  for (let rank = 1; rank <= count; rank++) total += 1 / rank;
  let u = random.uniform() * total;
  for (let rank = 1; rank < count; rank++) {
    u -= 1 / rank;
    if (u < 0) return rank - 1;
  }
  return count - 1;
}

/** log (ε + x), for x of 0 and above. */
export function softLog(x: number, epsilon: number): number {
  return log(epsilon + x);
}

/** Log rewards of complete prefixes, of which trajectory balance reads the last alone. */
export function rewardsAtEnds(
  environment: Environment,
  trajectories: readonly Trajectory[],
  values: readonly number[],
): number[][] {
  return trajectories.map(({ actions }, i) => {
    const count = terminablePrefixes(environment, actions).length;
    return [...new Array<number>(count - 1).fill(0), values[i]];
  });
}
