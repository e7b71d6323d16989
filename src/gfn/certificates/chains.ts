/** Metropolis–Hastings from starts all over the environment: chains in parallel. */
import { exp } from "../../numerics/math/mod.ts";
import type { BroadWalks } from "./broad_walks.ts";
import type { Exploration, ExplorerOptions, WeightedObject } from "./exploration.ts";
import { broadWalk, propose, weighed, type WeighedWalk } from "./moves.ts";
import { Allowance, type ScoredObjects } from "./scored_objects.ts";

/** Chains. */
const chainCount = 8;

/** Share of a chain that is discarded as warm-up. */
const burnIn = 0.25;

/** Proposals per evaluation at most: a chain that has seen every object would not end. */
const mostProposals = 12;

interface State {
  readonly walk: WeighedWalk;
  readonly logTarget: number;
}

/**
 * Chains whose trajectories are distributed as R(x) P_B(τ|x) in the limit, so that their objects are as
 * R / Z, on graphs too (Hastings 1970). They start at broad walks, independent of the policy.
 */
export async function chains(
  base: BroadWalks,
  scored: ScoredObjects,
  { limit, random }: ExplorerOptions,
): Promise<Exploration> {
  const allowance = new Allowance(limit);
  const count = limit > 0 ? chainCount : 0; // a trajectory may cost more than a reward
  const starts = Array.from({ length: count }, () => weighed(base, broadWalk(base, random)));
  allowance.countPrior(starts, allowance.left);
  const first = await statesOf(scored, allowance, starts);
  let states = first.filter((one) => one !== undefined);
  const visited: string[][] = states.map(() => []);
  const heights: number[][] = states.map(() => []);
  const most = mostProposals * limit / chainCount;
  for (let step = 0; step < most && states.length === chainCount; step++) {
    const proposals = states.map(({ walk }) => {
      const proposal = propose(base, walk, random);
      return proposal && { walk: weighed(base, proposal.walk), logRatio: proposal.logRatio };
    });
    const made = proposals.filter((one) => one !== undefined);
    const next = await statesOf(scored, allowance, made.map(({ walk }) => walk));
    if (next.includes(undefined)) break;
    let i = 0;
    states = states.map((current, k) => {
      const proposal = proposals[k];
      if (!proposal) return current;
      const to = next[i++]!;
      const logAccept = to.logTarget - current.logTarget + proposal.logRatio;
      const accepts = !(current.logTarget > -Infinity) ||
        random.uniform() < exp(Math.min(0, logAccept));
      return accepts ? to : current;
    });
    states.forEach(({ walk, logTarget }, k) => {
      visited[k].push(walk.object.text);
      heights[k].push(logTarget - walk.logPb);
    });
  }
  return {
    name: "metropolis_hastings",
    consultsPolicy: false,
    samples: true,
    evaluations: allowance.evaluations,
    found: allowance.found,
    priorDraws: allowance.priorDraws,
    groups: visited.map(kept).filter((group) => group.length > 0),
    effective: effectiveVisits(heights.map((one) => one.slice(Math.floor(burnIn * one.length)))),
  };
}

/**
 * Independent samples that visits amount to: the variance of log R over that of the chains' means, at
 * most one for each change of place.
 */
function effectiveVisits(heights: readonly (readonly number[])[]): number {
  const all = heights.flat();
  const moves = heights.reduce((sum, one) => {
    return sum + one.filter((height, i) => i === 0 || height !== one[i - 1]).length;
  }, 0);
  if (all.length === 0) return 0;
  const means = heights.map(mean);
  const ratio = spread(all, mean(all)) / spread(means, mean(means));
  return Math.min(moves, Number.isFinite(ratio) ? ratio * heights.length : moves);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / values.length;
}

function spread(values: readonly number[], centre: number): number {
  return values.reduce((sum, one) => sum + (one - centre) ** 2, 0) / values.length;
}

function kept(texts: readonly string[]): WeightedObject[] {
  return texts.slice(Math.floor(burnIn * texts.length)).map((text) => ({ text, logWeight: 0 }));
}

async function statesOf(
  scored: ScoredObjects,
  allowance: Allowance,
  walks: readonly WeighedWalk[],
): Promise<(State | undefined)[]> {
  const rewards = await scored.ask(walks.map(({ object }) => object), allowance);
  return walks.map((walk, i) => {
    const logReward = rewards[i];
    return logReward === undefined ? undefined : { walk, logTarget: logReward + walk.logPb };
  });
}
