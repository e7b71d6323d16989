/** The explorers that never ask a policy: one exploration serves every policy that is certified. */
import type { RandomStream } from "../../base/random.ts";
import type { Environment, TerminalObject } from "../environments/environment.ts";
import { annealedParticles } from "./annealed_particles.ts";
import { BroadWalks } from "./broad_walks.ts";
import { chains } from "./chains.ts";
import type { Exploration } from "./exploration.ts";
import { fittedSample } from "./fitted_sample.ts";
import { FittedWalks } from "./fitted_walks.ts";
import { listedSample, type WeighedDraws } from "./listed_sample.ts";
import { localSearch } from "./local_search.ts";
import { broadWalk, objectOf } from "./moves.ts";
import { reachedObjects } from "./reached_objects.ts";
import { type AskRewards, type Scored, ScoredObjects } from "./scored_objects.ts";

/** The space that is explored, and the budget. */
export interface ExploreOptions {
  /** Environment whose objects are explored. */
  readonly environment: Environment;
  /** Asks rewards that are not known yet. */
  readonly ask: AskRewards;
  /** Distinct objects whose reward the whole certificate may ask for. */
  readonly budget: number;
  /** All objects, where they can be enumerated: their own log rewards are not read. */
  readonly objects?: readonly TerminalObject[];
  /** Rewards that were asked for before, in training: they cost nothing. */
  readonly given?: readonly Scored[];
  /** A stream of random numbers by name. */
  readonly random: (name: string) => RandomStream;
}

/** Explorations that are made before the policy is asked. */
export interface Explored {
  /** Trajectories by the prior and by walkers with preferences. */
  readonly base: BroadWalks;
  /** Every reward that was asked for, or known before. */
  readonly scored: ScoredObjects;
  /** One for each explorer, in the order in which they ran. */
  readonly explorations: readonly Exploration[];
  /** Objects of the importance sample: all, those that trajectories reached, or none. */
  readonly listed: readonly TerminalObject[];
  /** Draws of these that bound sums of rewards. */
  readonly weighed?: WeighedDraws;
  /** Trajectories that imitate the target, where the reached objects are too small a part of it. */
  readonly walks?: FittedWalks;
}

/** Shares of the budget; the rest is for the policy's own explorers and samples. */
const walkedShares = { particles: 0.07, chains: 0.07, search: 0.08, listed: 0.38 } as const;

/** Objects that trajectories reach, per evaluation of the budget, and at most. */
const reach = { each: 20, most: 20_000 } as const;

/** The same where objects can be enumerated. */
const listedShares = { particles: 0.06, chains: 0.05, search: 0.06, listed: 0.5 } as const;

/**
 * Annealed particles from the prior, Metropolis–Hastings and local search from starts all over; then an
 * importance sample of unscored objects: of all where they can be enumerated, else of those
 * that trajectories reach.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { RandomStream } from "../../base/random.ts";
 * import { explore } from "./explore.ts";
 * const environment = environmentNamed("numbers", { max: 9, base: 10 });
 * const { explorations } = await explore({
 *   environment,
 *   ask: (some) => Promise.resolve(some.map(({ logReward }) => logReward!)),
 *   budget: 20,
 *   random: (name) => new RandomStream(name, 1),
 * });
 * assert(explorations.every(({ evaluations }) => evaluations <= 20));
 * ```
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
  const most = shares.listed * budget < 1 ? 0 : Math.min(reach.most, reach.each * budget);
  const reached = objects ??
    reachedObjects(base, scored, { most, random: random("reached_objects") });
  if (!objects && most > 0 && isPart(reached, scored, { ...options, most })) {
    const ways = reached.map(({ actions }) => actions);
    const before = scored.all;
    for (const name of ["fitted_sample", "second_fitted_sample"]) {
      const { limit, random: own } = given("listed", name);
      const half = { name, limit: Math.floor(limit / 2), random: own };
      explorations.push(await fittedSample(environment, scored, { before, ways }, half));
    }
    const walks = new FittedWalks(environment, scored.all, ways, random("last fitted walks"));
    return { base, scored, explorations, listed: [], walks };
  }
  const listed = reached;
  const name = objects ? "listed_sample" : "reached_sample";
  const sample = await listedSample(environment, listed, scored, {
    ...given("listed", name),
    name,
  });
  const { weighed } = sample;
  const all = [...explorations, sample];
  return { base, scored, explorations: all, listed, ...(weighed && { weighed }) };
}

/**
 * Whether the reached objects are too small a part: trajectories that imitate the target seldom end in
 * it. These have an exact density on trees alone; elsewhere the part is not tested.
 */
function isPart(
  reached: readonly TerminalObject[],
  scored: ScoredObjects,
  { environment, most, random }: ExploreOptions & { readonly most: number },
): boolean {
  if (environment.backward || reached.length < most) return false;
  const stream = random("fitted_walks");
  const ways = reached.map(({ actions }) => actions);
  const walks = new FittedWalks(environment, scored.all, ways, stream);
  const texts = new Set(reached.map(({ text }) => text));
  const ends = Array.from({ length: 400 }, () => objectOf(environment, walks.draw(stream).actions));
  return ends.filter(({ text }) => texts.has(text)).length < 0.8 * ends.length;
}
