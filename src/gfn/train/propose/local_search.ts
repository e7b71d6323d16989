/** Local search: ways are cut and grown again by the policy, and kept where that was better. */
import type { RandomStream } from "../../../base/random.ts";
import type { Environment } from "../../environments/environment.ts";
import type { Policy } from "../../policies/policy.ts";
import type { Trajectory } from "../../trajectories/trajectory.ts";
import type { Known } from "./best_known.ts";
import { anotherWay } from "./off_policy.ts";

/** How a search goes on. */
export interface LocalSearchOptions {
  /** Rounds of cutting and growing. */
  readonly rounds: number;
  /** Of the actions of a way, the share that is cut at most. */
  readonly cut: number;
  readonly random: RandomStream;
  /** Log rewards of trajectories. */
  readonly rewards: (trajectories: readonly Trajectory[]) => Promise<ArrayLike<number>>;
}

/**
 * From each start in every round: a way back of random length, uniform over what leads here, then
 * forward by the policy; the better of the two goes on (Kim et al. 2024, section 4.1, with the
 * deterministic filter). Everything that was grown is returned, better or not.
 */
export async function cutAndRegrow(
  policy: Policy,
  environment: Environment,
  starts: readonly Known[],
  { rounds, cut, random, rewards }: LocalSearchOptions,
): Promise<Trajectory[]> {
  let at = [...starts];
  const grown: Trajectory[] = [];
  for (let round = 0; round < rounds && at.length > 0; round++) {
    const given = at.map(({ actions }) => {
      const way = anotherWay(environment, actions, random);
      const most = Math.max(1, Math.ceil(cut * way.length));
      return way.slice(0, way.length - 1 - random.below(most));
    });
    const walk = { count: given.length, given, random, epsilon: 0, temperature: 1 };
    const made = await policy.sample(environment, walk);
    const values = await rewards(made);
    grown.push(...made);
    at = at.map((before, i) => {
      const { text, actions } = made[i];
      return values[i] > before.logReward ? { text, actions, logReward: values[i] } : before;
    });
  }
  return grown;
}
