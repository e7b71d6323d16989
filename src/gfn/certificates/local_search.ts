/** Local search: climbers that move uphill from starts of their own, and restart at a maximum. */
import type { RandomStream } from "../../base/random.ts";
import type { BroadWalks } from "./broad_walks.ts";
import type { Exploration } from "./exploration.ts";
import { propose, type Walk, weighed, type WeighedWalk } from "./moves.ts";
import { Allowance, type ScoredObjects } from "./scored_objects.ts";

/** Climbers side by side. */
const climberCount = 8;

/** Neighbours that were no better, after which a climber restarts. */
const patience = 16;

/** Proposals per evaluation at most. */
const mostProposals = 12;

/** Starts of climbers, and the height that they maximise. */
interface Climb {
  readonly name: string;
  readonly consultsPolicy: boolean;
  readonly limit: number;
  readonly random: RandomStream;
  /** A start. */
  readonly start: () => Walk;
  /** Heights of trajectories, given their log rewards; the log rewards themselves if left out. */
  readonly heights?: (
    walks: readonly WeighedWalk[],
    logRewards: readonly number[],
  ) => Promise<readonly number[]>;
}

interface Climber {
  readonly walk: WeighedWalk;
  readonly height: number;
  readonly failures: number;
}

/** Climbers that take every neighbour that is as high; random restarts. */
export async function localSearch(
  base: BroadWalks,
  scored: ScoredObjects,
  climb: Climb,
): Promise<Exploration> {
  const allowance = new Allowance(climb.limit);
  const { random } = climb;
  const climbers = new Array<Climber | undefined>(climberCount).fill(undefined);
  const most = mostProposals * climb.limit / climberCount;
  for (let step = 0; step < most && allowance.left > 0; step++) {
    const proposed = climbers.map((climber) => {
      if (!climber) return weighed(base, climb.start());
      const proposal = propose(base, climber.walk, random);
      return proposal && weighed(base, proposal.walk);
    });
    if (allowance.left >= climberCount) {
      allowance.countPrior(startsOf(climbers, proposed), climberCount);
    }
    const heights = await heightsOf(scored, allowance, proposed, climb);
    climbers.forEach((climber, k) => climbers[k] = stepOf(climber, proposed[k], heights[k]));
  }
  return {
    name: climb.name,
    consultsPolicy: climb.consultsPolicy,
    samples: false,
    evaluations: allowance.evaluations,
    found: allowance.found,
    priorDraws: allowance.priorDraws,
    groups: [],
  };
}

/** Trajectories from which climbers restart. */
function startsOf(
  climbers: readonly (Climber | undefined)[],
  proposed: readonly (WeighedWalk | undefined)[],
): WeighedWalk[] {
  return proposed.flatMap((walk, k) => walk && !climbers[k] ? [walk] : []);
}

/** Place of a climber after a proposal; undefined if it restarts. */
function stepOf(
  climber: Climber | undefined,
  walk: WeighedWalk | undefined,
  height: number | undefined,
): Climber | undefined {
  const isHigher = height !== undefined && height > (climber?.height ?? -Infinity);
  if (walk && height !== undefined && (isHigher || !climber)) return { walk, height, failures: 0 };
  const failures = (climber?.failures ?? 0) + 1;
  return climber && failures < patience ? { ...climber, failures } : undefined;
}

async function heightsOf(
  scored: ScoredObjects,
  allowance: Allowance,
  proposed: readonly (WeighedWalk | undefined)[],
  { heights }: Climb,
): Promise<(number | undefined)[]> {
  const made = proposed.filter((one) => one !== undefined);
  const rewards = await scored.ask(made.map(({ object }) => object), allowance);
  const known = made.filter((_, i) => rewards[i] !== undefined);
  const knownRewards = rewards.filter((one) => one !== undefined);
  const values = heights ? await heights(known, knownRewards) : knownRewards;
  const byWalk = new Map(known.map((walk, i) => [walk, values[i]]));
  return proposed.map((walk) => walk && byWalk.get(walk));
}
