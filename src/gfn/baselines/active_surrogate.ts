/** A surrogate that chooses the next objects to score: without a policy, in rounds, within a budget. */
import type { RandomStream } from "../../base/random.ts";
import { exp, log, logAddExp, logSumExp } from "../../numerics/math/mod.ts";
import { BroadWalks } from "../certificates/broad_walks.ts";
import { broadWalk, reached, walkOf } from "../certificates/moves.ts";
import type { Environment, TerminalObject } from "../environments/environment.ts";
import { Z_90 } from "../evaluation/surrogate/calibration_factor.ts";
import { foretold } from "../evaluation/surrogate/prior_mean.ts";
import { ProductionSets } from "../evaluation/surrogate/production_sets.ts";
import {
  RewardSurrogate,
  type ScoredObject,
  type SurrogateOptions,
} from "../evaluation/surrogate/reward_surrogate.ts";
import { drawByBelief } from "./draw_by_belief.ts";
import { neighboursOf } from "./neighbours.ts";
import { surrogateChains } from "./surrogate_chains.ts";

/** Objects to search, their rewards, and the budget. */
export interface ActiveOptions extends SurrogateOptions {
  /** Environment whose objects are searched. */
  readonly environment: Environment;
  /** All objects, where they can be enumerated; their own log rewards are not read. */
  readonly objects?: readonly TerminalObject[];
  /** Returns log rewards of objects that are not known yet, in their order. */
  readonly ask: (objects: readonly TerminalObject[]) => Promise<ArrayLike<number>>;
  /** Most objects whose reward may be asked for. */
  readonly budget: number;
  /** Number of these that are asked for before the first surrogate. */
  readonly first: number;
  /** Objects that a round adds, as a share of those known. */
  readonly growth: number;
  /** Objects whose rewards are known already, and cost nothing. */
  readonly given?: readonly ScoredObject[];
  /** Source of all randomness of the search. */
  readonly random: RandomStream;
  /** Called after every round. */
  readonly onRound?: (round: ActiveRound) => void;
}

/** Results of a round. */
export interface ActiveRound {
  /** Number of the round, from 1. */
  readonly round: number;
  /** Objects that were asked for so far. */
  readonly asked: number;
  /** log of the sum of known rewards and of those expected of the other objects. */
  readonly logZ: number;
  /**
   * Total variation that the surrogate expects of its own renormalised rewards: half the absolute
   * error, summed over the heaviest unknown objects. It is right where the posterior is calibrated.
   */
  readonly expectedTv: number;
  /** Share of this round's objects whose reward lies in the calibrated 90 % interval predicted before. */
  readonly coverage: number;
  /** Surrogate after this round, of the rewards of all objects. */
  readonly surrogate: RewardSurrogate;
}

/** Heaviest objects, whose variance a round computes. */
const poolSize = 1024;

/** Log variances above which counts as this: beyond, nothing is known. */
const mostVariance = 4;

/** Share of a round drawn in proportion to the posterior mean, to measure coverage. */
const probeShare = 0.1;

/** Share that lies a few moves from the best known objects, independent of the surrogate. */
const neighbours = 0.1;

/** Known objects grow by so much before parameters are chosen again. */
const refitGrowth = 1.25;

/** Chains on the surrogate, and their steps, where objects cannot be listed. */
const [CHAINS, STEPS] = [32, 150] as const;

/** Trajectories per new object, at first. */
const mostTries = 20;

/** √(2 / π) / 2: half the mean absolute value of a standard normal number. */
const halfAbsolute = 0.3989423;

/** Objects that may be asked for next, by sets of productions. */
interface Candidates {
  readonly objects: readonly TerminalObject[];
  readonly codes: Uint8Array;
}

/**
 * Scores `first` broad walks (or any objects, where they are listed), then in rounds those objects in
 * which the error of the renormalised rewards is expected to be largest: expected mass times standard
 * deviation, a tenth by belief, and a tenth a few moves from the best. The first draws cost nothing but
 * rewards, so that no policy is needed.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { environmentNamed } from "../environments/built_in_environments.ts";
 * import { RandomStream } from "../../base/random.ts";
 * import { defaultSurrogate } from "../evaluation/surrogate/reward_surrogate.ts";
 * import { activeSurrogate } from "./active_surrogate.ts";
 * const environment = environmentNamed("regressions", { terms: 6 });
 * const objects = [...environment.enumerate()];
 * const surrogate = await activeSurrogate({
 *   ...defaultSurrogate,
 *   environment,
 *   objects,
 *   budget: 30,
 *   first: 16,
 *   growth: 0.25,
 *   ask: (some) => Promise.resolve(some.map(({ logReward }) => logReward!)),
 *   random: new RandomStream("seed 1"),
 * });
 * assert.equal(surrogate.size, 30);
 * ```
 *
 * @throws InputError if objects have no features, or none has a reward above 0.
 */
export async function activeSurrogate(options: ActiveOptions): Promise<RewardSurrogate> {
  const { environment, budget, given = [], growth, random, onRound } = options;
  const scored = new Map<string, ScoredObject>(given.map((one) => [one.object.text, one]));
  const base = new BroadWalks(environment, random);
  let asked = 0;
  const ask = async (objects: readonly TerminalObject[]) => {
    const rewards = await options.ask(objects);
    objects.forEach((object, i) => {
      scored.set(object.text, { object, logReward: rewards[i] });
    });
    asked += objects.length;
  };
  const missing = Math.min(budget, Math.max(0, options.first - scored.size));
  await ask(firstObjects(base, options, scored, missing));
  const first = new ProductionSets(environment);
  const listed = options.objects &&
    { objects: options.objects, codes: first.encode(options.objects) };
  let fitted = scored.size;
  let surrogate = RewardSurrogate.fit(environment, [...scored.values()], options, random, first);
  for (let round = 1;; round++) {
    const candidates = listed ?? walked(base, surrogate, [...scored.values()], random);
    const weighedUp = weighUp(surrogate, candidates, logKnown(scored));
    const room = Math.min(budget - asked, Math.max(8, Math.floor(growth * scored.size)));
    const near = neighboursOf(base, [...scored.values()], Math.floor(neighbours * room), random);
    const { probes, chosen } = choose(surrogate, candidates, weighedUp, room - near.length, random);
    const believed = [...probes, ...chosen].map(({ place }) => candidates.objects[place]);
    await ask(distinct([...believed, ...near]));
    const heightOf = ({ place }: Predicted) => {
      const { logReward } = scored.get(candidates.objects[place].text)!;
      return Math.max(logReward, surrogate.json.floor);
    };
    const { factor } = surrogate.calibration;
    const scaled = probes.map((one) => errorOf(one, heightOf(one)));
    const all = [
      ...scaled.map((one) => one / factor),
      ...chosen.map((one) => errorOf(one, heightOf(one))),
    ];
    const { logZ, expectedTv } = weighedUp;
    const coverage = all.filter((one) => one <= Z_90).length / all.length;
    onRound?.({ round, asked, logZ, expectedTv, coverage, surrogate });
    if (all.length === 0) return surrogate;
    const refit = scored.size >= refitGrowth * fitted;
    if (refit) fitted = scored.size;
    const known = [...scored.values()];
    surrogate = RewardSurrogate.fit(environment, known, options, random, surrogate, refit, scaled);
  }
}

/** Distinct objects to begin with: where they are listed, by the prior mean or random; else ends of broad walks. */
function firstObjects(
  base: BroadWalks,
  { objects, random, mean, environment }: ActiveOptions,
  scored: ReadonlyMap<string, ScoredObject>,
  count: number,
): TerminalObject[] {
  if (objects && mean) {
    const sets = new ProductionSets(environment);
    const codes = sets.encode(objects);
    const said = foretold(mean, codes, objects.length, sets.names, -Infinity);
    const open = [...objects.keys()].filter((place) => !scored.has(objects[place].text));
    return drawByBelief(said, open, count, random).map((place) => objects[place]);
  }
  const found = new Map<string, TerminalObject>();
  for (let tries = 0; found.size < count && tries < mostTries * count; tries++) {
    const one = objects && tries % 2 === 0
      ? objects[random.below(objects.length)]
      : reached(base.environment, broadWalk(base, random)).object;
    if (!scored.has(one.text)) found.set(one.text, one);
  }
  return [...found.values()];
}

/** Objects that chains on the surrogate pass, from the heaviest known objects. */
function walked(
  base: BroadWalks,
  surrogate: RewardSurrogate,
  scored: readonly ScoredObject[],
  random: RandomStream,
): Candidates {
  const best = scored.toSorted((a, b) => b.logReward - a.logReward).slice(0, CHAINS / 2);
  const starts = Array.from({ length: CHAINS }, (_, k) => {
    const { object } = best[k >> 1] ?? best[0];
    return k % 2 === 0 ? walkOf(base.environment, object.actions)! : broadWalk(base, random);
  });
  const met = new Map<string, TerminalObject>();
  for (const walks of surrogateChains(base, surrogate, { starts, steps: STEPS, random })) {
    for (const { object } of walks) {
      if (surrogate.known(object.text) === undefined) met.set(object.text, object);
    }
  }
  const objects = [...met.values()];
  return { objects, codes: surrogate.sets.encode(objects) };
}

function distinct(objects: readonly TerminalObject[]): TerminalObject[] {
  return [...new Map(objects.map((one) => [one.text, one])).values()];
}

interface Predicted {
  /** Index among the candidates. */
  readonly place: number;
  readonly mean: number;
  readonly variance: number;
}

/** Absolute error in standard deviations. */
function errorOf({ mean, variance }: Predicted, height: number): number {
  return Math.abs(height - mean) / Math.sqrt(variance);
}

interface WeighedUp {
  /** Posterior means of all candidates. */
  readonly means: Float64Array;
  /** Places of those that are not known, heaviest first. */
  readonly open: readonly number[];
  /** The heaviest of them, largest expected error first. */
  readonly order: readonly Predicted[];
  readonly logZ: number;
  readonly expectedTv: number;
}

/** The unknown candidates of largest expected error first, and the posterior means of all. */
function weighUp(
  surrogate: RewardSurrogate,
  { objects, codes }: Candidates,
  logKnown: number,
): WeighedUp {
  const means = surrogate.means(codes, objects.length);
  const open = [...objects.keys()].filter((x) => surrogate.known(objects[x].text) === undefined)
    .sort((a, b) => means[b] - means[a] || a - b);
  const pool = open.slice(0, poolSize);
  const variances = surrogate.variances(codesOf(codes, objects.length, pool), pool.length);
  const order = pool.map((place, i) => {
    const [mean, variance] = [means[place], variances[i]];
    const bounded = Math.min(mostVariance, variance);
    return { place, mean, variance, logError: mean + bounded / 2 + 0.5 * log(exp(bounded) - 1) };
  });
  const logZ = logAddExp(logKnown, logSumExp([-Infinity, ...open.map((x) => means[x])]));
  const expectedTv = order.reduce((sum, { mean, variance }) => {
    return sum + halfAbsolute * Math.min(1, Math.sqrt(variance)) * exp(mean - logZ);
  }, 0);
  return { means, open, order: order.sort((a, b) => b.logError - a.logError), logZ, expectedTv };
}

/** Objects that a round asks for: probes by belief, with the process's own variance, and by expected error. */
function choose(
  surrogate: RewardSurrogate,
  { objects, codes }: Candidates,
  { means, open, order }: WeighedUp,
  room: number,
  random: RandomStream,
): { readonly probes: readonly Predicted[]; readonly chosen: readonly Predicted[] } {
  const places = drawByBelief(means, open, Math.ceil(probeShare * Math.max(0, room)), random);
  const own = surrogate.ownVariances(codesOf(codes, objects.length, places), places.length);
  const probes = places.map((place, i) => ({ place, mean: means[place], variance: own[i] }));
  const drawn = new Set(places);
  const rest = order.filter(({ place }) => !drawn.has(place));
  return { probes, chosen: rest.slice(0, Math.max(0, room - probes.length)) };
}

function codesOf(codes: Uint8Array, count: number, places: readonly number[]): Uint8Array {
  const pieces = codes.length / Math.max(1, count);
  const own = new Uint8Array(places.length * pieces);
  places.forEach((x, i) => own.set(codes.subarray(x * pieces, (x + 1) * pieces), i * pieces));
  return own;
}

function logKnown(scored: ReadonlyMap<string, ScoredObject>): number {
  return logSumExp([-Infinity, ...[...scored.values()].map(({ logReward }) => logReward)]);
}
