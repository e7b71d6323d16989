/** Local search: trajectories are cut and completed by the policy, and kept where that was better. */
import type { RandomStream } from "../../../base/random.ts";
import { walkOf } from "../../certificates/moves.ts";
import type { Environment } from "../../environments/environment.ts";
import type { Policy } from "../../policies/policy.ts";
import type { Trajectory } from "../../trajectories/trajectory.ts";
import type { Known } from "./best_known.ts";
import { anotherWay, offPolicyTrajectories } from "../../policies/given_ways.ts";

/** Options of a search. */
interface LocalSearchOptions {
  /** Rounds of cutting and growing. */
  readonly rounds: number;
  /** Largest share of a trajectory's actions that is cut. */
  readonly cut: number;
  /** Whether the actions behind the cut follow again, where they are legal. */
  readonly rejoin?: boolean;
  readonly random: RandomStream;
  /** Log rewards of trajectories. */
  readonly rewards: (trajectories: readonly Trajectory[]) => Promise<ArrayLike<number>>;
}

/** A trajectory and its cut: actions from `from` on are drawn again, up to `to` or the end. */
interface Cut {
  readonly way: readonly number[];
  readonly from: number;
  readonly to?: number;
}

/**
 * From each start in every round: backward steps of random number, uniform over parents, then
 * forward by the policy; the better of the two is kept (Kim et al. 2024, section 4.1, with the
 * deterministic filter). With `rejoin` the cut is a piece from anywhere, and the old actions go on
 * behind its replacement: on trees, where backward steps begin at the end alone, an early action
 * could otherwise not be changed without losing all after it. All new trajectories are
 * returned, better or not.
 */
export async function cutAndRegrow(
  policy: Policy,
  environment: Environment,
  starts: readonly Known[],
  { rounds, cut, rejoin = false, random, rewards }: LocalSearchOptions,
): Promise<Trajectory[]> {
  let at = [...starts];
  const grown: Trajectory[] = [];
  for (let round = 0; round < rounds && at.length > 0; round++) {
    const cuts = at.map(({ actions }) => {
      const way = anotherWay(environment, actions, random);
      const most = Math.max(1, Math.ceil(cut * way.length));
      return rejoin ? pieceOf(way, most, random) : endOf(way, most, random);
    });
    const given = cuts.map(({ way, from }) => way.slice(0, from));
    const walk = { count: given.length, given, random, epsilon: 0, temperature: 1 };
    const free = await policy.sample(environment, walk);
    const made = rejoin ? await rejoined(policy, environment, cuts, free) : free;
    const values = await rewards(made);
    grown.push(...made);
    at = at.map((before, i) => {
      const { text, actions } = made[i];
      return values[i] > before.logReward ? { text, actions, logReward: values[i] } : before;
    });
  }
  return grown;
}

function endOf(way: readonly number[], most: number, random: RandomStream): Cut {
  return { way, from: way.length - 1 - random.below(most) };
}

function pieceOf(way: readonly number[], most: number, random: RandomStream): Cut {
  const length = 1 + random.below(Math.min(most, way.length));
  const from = random.below(way.length - length + 1);
  return { way, from, to: from + length };
}

/** Old actions behind the new piece; where they are illegal, the new trajectory to its end. */
async function rejoined(
  policy: Policy,
  environment: Environment,
  cuts: readonly Cut[],
  free: readonly Trajectory[],
): Promise<Trajectory[]> {
  const ways = cuts.map(({ way, to = way.length }, i) => {
    const joined = [...free[i].actions.slice(0, to), ...way.slice(to)];
    return walkOf(environment, joined) ? joined : free[i].actions;
  });
  return await offPolicyTrajectories(policy, environment, ways);
}
