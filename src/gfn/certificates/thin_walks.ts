/** Draws trajectories to objects of little policy mass, to prove what it misses in spaces too large to list. */
import { log } from "../../numerics/math/mod.ts";
import type { Environment } from "../environments/environment.ts";
import { logLowerBoundOfMean, lowerBoundOfMean } from "./betting_bound.ts";
import type { Exploration, ExplorerOptions } from "./exploration.ts";
import type { FittedWalks } from "./fitted_walks.ts";
import type { KnownObject } from "./known_object.ts";
import { objectOf } from "./moves.ts";
import { type CertifiedPolicy, logProbabilityOfWalks } from "./policy_mass.ts";
import { Allowance, type ScoredObjects } from "./scored_objects.ts";

/** An object is thin where the policy's mass is less than this share of its density under the proposals. */
const logThin = log(0.1);

/** Trajectories that are drawn to find thin objects, without asking rewards. */
const trials = 3000;

/** Share of thin trajectories below which no reward is asked. */
const least = 0.02;

/** A set of objects that was fixed before it was drawn from, and the proof of its rewards. */
export interface ThinSet {
  readonly has: (one: KnownObject) => boolean;
  /** log of a number that Σ R over the set exceeds with probability 1 − α. */
  readonly logBound: (alpha: number) => number;
}

/** An exploration that proves what a policy misses. */
interface ThinWalks extends Exploration {
  readonly thin?: ThinSet;
}

/**
 * Let the set A hold the objects with P < q / 10, for the density q of the walks fitted before:
 * log P and log q are exact on trees, so that whether an object is in A costs no reward. The share of
 * draws in A and the mean of R / q over these, each bounded by bets, have the sum of rewards over A as
 * their product.
 */
export async function thinWalks(
  policy: CertifiedPolicy,
  { environment, scored, walks }: {
    readonly environment: Environment;
    readonly scored: ScoredObjects;
    readonly walks: FittedWalks;
  },
  { limit, random }: ExplorerOptions,
): Promise<ThinWalks> {
  const allowance = new Allowance(limit);
  const ways = limit > 0 ? Array.from({ length: trials }, () => walks.draw(random)) : [];
  const logP = await logProbabilityOfWalks(policy, environment, ways);
  const isThin = ways.map(({ logQ }, i) => logP[i] < logThin + logQ);
  const inside = ways.filter((_, i) => isThin[i]);
  const used = inside.length < least * trials ? [] : inside.slice(0, limit);
  const objects = used.map(({ actions }) => objectOf(environment, actions));
  const rewards = await scored.ask(objects, allowance);
  const logWeights = used.map(({ logQ }, i) => rewards[i]! - logQ);
  const shares = isThin.map((one) => one ? 1 : 0);
  const thin: ThinSet = {
    has: ({ object, logP }) => logP! < logThin + walks.logOf(object.actions),
    logBound: (alpha) =>
      log(lowerBoundOfMean(shares, alpha / 4)) +
      logLowerBoundOfMean(logWeights, Math.max(...logWeights), 3 * alpha / 4),
  };
  return {
    name: "thin_walks",
    consultsPolicy: true,
    samples: false,
    evaluations: allowance.evaluations,
    found: allowance.found,
    groups: [],
    ...(used.length > 0 && logWeights.some((one) => one > -Infinity) && { thin }),
  };
}
