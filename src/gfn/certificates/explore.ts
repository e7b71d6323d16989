/** The explorers that never ask a policy: one exploration serves every policy that is certified. */
import type { RandomStream } from "../../base/random.ts";
import type { Environment, TerminalObject } from "../environments/environment.ts";
import { annealedParticles } from "./annealed_particles.ts";
import { BroadWalks } from "./broad_walks.ts";
import { chains } from "./chains.ts";
import type { Exploration } from "./exploration.ts";
import { listedSample, type WeighedDraws } from "./listed_sample.ts";
import { localSearch } from "./local_search.ts";
import { broadWalk } from "./moves.ts";
import { type AskRewards, type Scored, ScoredObjects } from "./scored_objects.ts";

/** What is explored, and for how much. */
export interface ExploreOptions {
  /** Environment whose objects are explored. */
  readonly environment: Environment;
  /** Asks rewards that are not known yet. */
  readonly ask: AskRewards;
  /** Distinct objects whose reward the whole certificate may ask for. */
  readonly budget: number;
  /** All objects, where they can be listed: their own log rewards are not read. */
  readonly objects?: readonly TerminalObject[];
  /** Rewards that were asked for before, in training: they cost nothing. */
  readonly given?: readonly Scored[];
  /** A stream of random numbers by name. */
  readonly random: (name: string) => RandomStream;
}

/** What is known before a policy is looked at. */
export interface Explored {
  /** Walks by the prior and by walkers with preferences. */
  readonly base: BroadWalks;
  /** Every reward that was asked for, or known before. */
  readonly scored: ScoredObjects;
  /** One for each explorer, in the order in which they ran. */
  readonly explorations: readonly Exploration[];
  /** Draws that bound sums of rewards, where objects can be listed. */
  readonly weighed?: WeighedDraws;
}

/** Shares of the budget; what is left is for the policy's own explorers and samples. */
const walkedShares = { particles: 0.25, chains: 0.25, search: 0.15, listed: 0 } as const;

/** The same where objects can be listed. */
const listedShares = { particles: 0.06, chains: 0.05, search: 0.06, listed: 0.5 } as const;

/**
 * Annealed particles from the prior, Metropolis–Hastings and local search from starts all over; where
 * objects can be listed, also an importance sample of those that were not scored.
 */
export async function explore(options: ExploreOptions): Promise<Explored> {
  const { environment, ask, budget, random, objects } = options;
  const base = new BroadWalks(environment, random("broad walks"));
  const scored = new ScoredObjects(ask);
  scored.admit(options.given ?? []);
  const shares = objects ? listedShares : walkedShares;
  const given = (part: keyof typeof walkedShares, name: string) => ({
    limit: Math.floor(shares[part] * budget),
    random: random(name),
  });
  const search = given("search", "local_search");
  const explorations: Exploration[] = [
    await annealedParticles(base, scored, given("particles", "sequential_monte_carlo")),
    await chains(base, scored, given("chains", "metropolis_hastings")),
    await localSearch(base, scored, {
      ...search,
      name: "local_search",
      consultsPolicy: false,
      start: () => broadWalk(base, search.random),
    }),
  ];
  if (!objects) return { base, scored, explorations };
  const listed = await listedSample(environment, objects, scored, given("listed", "listed_sample"));
  const { weighed } = listed;
  return { base, scored, explorations: [...explorations, listed], ...(weighed && { weighed }) };
}
