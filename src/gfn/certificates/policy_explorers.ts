/** Explorers that ask the policy: its tempered samples, and climbers to objects to which it gives too little. */
import type { RandomStream } from "../../base/random.ts";
import { exp } from "../../numerics/math/mod.ts";
import type { Explored } from "./explore.ts";
import type { Exploration } from "./exploration.ts";
import { localSearch } from "./local_search.ts";
import { objectOf, walkOf, type WeighedWalk } from "./moves.ts";
import { type CertifiedPolicy, logProbabilityOfWalks } from "./policy_mass.ts";
import { Allowance, type Scored } from "./scored_objects.ts";

interface Options {
  readonly limit: number;
  readonly random: RandomStream;
}

/** Most trajectories of the tempered policy per evaluation. */
const walksPerReward = 4;

/** Finds of others from which climbers start. */
const startCount = 24;

/** Trajectories of the policy at twice its temperature, mixed with uniform choice. */
export async function temperedPolicy(
  policy: CertifiedPolicy,
  { base: { environment }, scored }: Explored,
  { limit, random }: Options,
): Promise<Exploration> {
  const allowance = new Allowance(limit);
  if (limit > 0) {
    const count = walksPerReward * limit;
    const walks = await policy.sample(environment, { count, random, epsilon: 0.1, temperature: 2 });
    await scored.ask(walks.map(({ actions }) => objectOf(environment, actions)), allowance);
  }
  return explorationOf("tempered_policy", allowance);
}

/**
 * Particles of the policy: its trajectories, resampled by their weights for the target; each is cut at
 * random and completed by the policy (the ratio of the two rests is that of the trajectories).
 */
export async function policyParticles(
  policy: CertifiedPolicy,
  { base, scored }: Explored,
  { limit, random }: Options,
): Promise<Exploration> {
  const allowance = new Allowance(limit);
  const { environment } = base;
  const own = { random, epsilon: 0, temperature: 1 };
  let given: readonly (readonly number[])[] = Array.from({ length: 32 }, () => []);
  for (let round = 0; round < 8 && allowance.left > 0; round++) {
    const walks = await policy.sample(environment, { ...own, count: given.length, given });
    const objects = walks.map(({ actions }) => objectOf(environment, actions));
    const rewards = await scored.ask(objects, allowance);
    const logWeights = walks.map(({ logPf, logPb }, i) =>
      (rewards[i] ?? -Infinity) + logPb - logPf
    );
    const most = logWeights.reduce((a, b) => Math.max(a, b), -Infinity);
    const heavy = walks.filter((_, i) => random.uniform() < exp(logWeights[i] - most));
    if (heavy.length === 0) break;
    given = walks.map((_, i) => {
      const { actions } = heavy[i % heavy.length];
      return actions.slice(0, random.below(actions.length));
    });
  }
  return explorationOf("policy_particles", allowance);
}

/**
 * Climbers that start at the finds of the others and maximise log R − log P_F, the excess of the
 * target over the policy.
 */
export async function crossedSearch(
  policy: CertifiedPolicy,
  explored: Explored,
  { limit, random }: Options,
): Promise<Exploration> {
  const { base, scored } = explored;
  const { environment } = base;
  const starts = startsOf(explored);
  if (starts.length === 0 || limit <= 0) return explorationOf("crossed_search", new Allowance(0));
  return await localSearch(base, scored, {
    name: "crossed_search",
    consultsPolicy: true,
    limit,
    random,
    start: () => walkOf(environment, starts[random.below(starts.length)].object.actions)!,
    heights: async (walks: readonly WeighedWalk[], logRewards) => {
      const logP = await logProbabilityOfWalks(policy, environment, walks);
      return walks.map(({ logPb }, i) => logRewards[i] + logPb - logP[i]);
    },
  });
}

/** The best finds of each explorer. */
function startsOf({ explorations }: Explored): Scored[] {
  return explorations.flatMap(({ found }) => {
    const best = [...found.values()].filter(({ logReward }) => logReward > -Infinity);
    return best.sort((a, b) => b.logReward - a.logReward).slice(0, startCount / 3);
  });
}

function explorationOf(name: string, { evaluations, found }: Allowance): Exploration {
  return { name, consultsPolicy: true, samples: false, evaluations, found, groups: [] };
}
