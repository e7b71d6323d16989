/** The explorers that never ask a policy: one exploration serves every policy that is certified. */
import type { RandomStream } from "../../base/random.ts";
import type { Environment } from "../environments/environment.ts";
import { annealedParticles } from "./annealed_particles.ts";
import { BroadWalks } from "./broad_walks.ts";
import { chains } from "./chains.ts";
import type { Exploration } from "./exploration.ts";
import { localSearch } from "./local_search.ts";
import { broadWalk } from "./moves.ts";
import { type AskRewards, ScoredObjects } from "./scored_objects.ts";

/** What is explored, and for how much. */
export interface ExploreOptions {
  readonly environment: Environment;
  /** Asks rewards that are not known yet. */
  readonly ask: AskRewards;
  /** Distinct objects whose reward the whole certificate may ask for. */
  readonly budget: number;
  /** A stream of random numbers by name. */
  readonly random: (name: string) => RandomStream;
}

/** What is known before a policy is looked at. */
export interface Explored {
  readonly base: BroadWalks;
  readonly scored: ScoredObjects;
  readonly explorations: readonly Exploration[];
}

/** Shares of the budget; what is left is for the policy's own explorers and samples. */
const SHARES = { particles: 0.25, chains: 0.25, search: 0.15 } as const;

/** Annealed particles from the prior, Metropolis–Hastings and local search from starts all over. */
export async function explore(options: ExploreOptions): Promise<Explored> {
  const { environment, ask, budget, random } = options;
  const base = new BroadWalks(environment, random("broad walks"));
  const scored = new ScoredObjects(ask);
  const share = (part: number) => Math.floor(part * budget);
  const particles = await annealedParticles(base, scored, {
    limit: share(SHARES.particles),
    random: random("sequential_monte_carlo"),
  });
  const chained = await chains(base, scored, {
    limit: share(SHARES.chains),
    random: random("metropolis_hastings"),
  });
  const stream = random("local_search");
  const searched = await localSearch(base, scored, {
    name: "local_search",
    consultsPolicy: false,
    limit: share(SHARES.search),
    random: stream,
    start: () => broadWalk(base, stream),
  });
  return { base, scored, explorations: [particles, chained, searched] };
}
