/** An importance sample of objects that are listed, all or in part, and not scored yet. */
import type { RandomStream } from "../../base/random.ts";
import { exp, indexAbove, log, logAddExp, logSumExp } from "../../numerics/math/mod.ts";
import type { Environment, TerminalObject } from "../environments/environment.ts";
import type { Draw } from "./drawn_sum_bound.ts";
import type { Exploration, ExplorerOptions, WeightedObject } from "./exploration.ts";
import { type ObjectBits, objectBits } from "./object_bits.ts";
import { expectedLogRewards } from "./expected_rewards.ts";
import { Allowance, type Scored, type ScoredObjects } from "./scored_objects.ts";

/** Share of the draws that are uniform, independent of the surrogate. */
const uniform = 0.1;

/** Groups of draws, from which standard errors are estimated. */
const groupCount = 8;

/** Rounds, before each of which the surrogate learns from all that was scored. */
const roundCount = 8;

/** Share of first draws that means leave out, when the surrogate knew little. */
const learning = 0.5;

/** An object with the probability with which it was drawn. */
export type DrawnObject = Required<Draw>;

/** A sample from which lower bounds of sums of rewards can be made. */
export interface WeighedDraws {
  /** Objects that were scored before the first draw. */
  readonly before: ReadonlyMap<string, Scored>;
  /** Draws in their order, each from the objects that were then unscored. */
  readonly draws: readonly DrawnObject[];
  /** Number of planned draws. */
  readonly planned: number;
  /**
   * Draws that fell into a set, each as drawn from the then unscored members of that set.
   *
   * @param isIn Members by text; chosen independently of the draws.
   */
  within(isIn: (text: string) => boolean): readonly Draw[];
  /**
   * Expected reward of each object before the first draw, by text: R itself where it was scored then;
   * 1 in sum over those that were not.
   */
  readonly first: ReadonlyMap<string, number>;
}

/** An exploration that also bounds log Z from below. */
interface ListedSample extends Exploration {
  /** Absent where nothing was drawn. */
  readonly weighed?: WeighedDraws;
}

/**
 * With S the objects scored before a draw, Z = R(S) + E_q[R / q] over the others for any q that is
 * above 0 there: q follows a Gaussian process on log R, mixed with uniform choice (sampling without
 * replacement, Raj 1956). So the estimate is unbiased, its error small where the process is right, and
 * its lower bound holds in any case.
 *
 * @param objects All of them, or a part, of whose sum of rewards everything then is; their own log
 *   rewards are not read.
 */
export async function listedSample(
  environment: Environment,
  objects: readonly TerminalObject[],
  scored: ScoredObjects,
  { limit, random, name = "listed_sample" }: ExplorerOptions & { readonly name?: string },
): Promise<ListedSample> {
  const allowance = new Allowance(limit);
  const before = new Map(objects.flatMap(({ text }) => {
    const one = scored.get(text);
    return one ? [[text, one] as const] : [];
  }));
  const rounds: DrawnRound[] = [];
  if (before.size > 0 && limit > 0) {
    const bits = objectBits(environment, objects);
    for (let round = 1; round <= roundCount; round++) {
      const count = Math.floor(limit * round / roundCount) - allowance.evaluations;
      rounds.push(await drawRound({ objects, bits, scored, allowance, random }, count));
    }
  }
  return {
    name,
    consultsPolicy: false,
    samples: true,
    evaluations: allowance.evaluations,
    found: allowance.found,
    ...summaryOf(before, rounds, limit),
  };
}

/** Draws from one surrogate. */
interface DrawnRound {
  readonly draws: readonly DrawnObject[];
  /** Texts of all that it drew from, and their weights. */
  readonly texts: readonly string[];
  readonly weights: readonly number[];
  /** log of the sum of rewards that the surrogate expected of all these. */
  readonly logExpected: number;
}

/** Objects that a round draws from, and its means. */
interface Round {
  readonly objects: readonly TerminalObject[];
  readonly bits: ObjectBits;
  readonly scored: ScoredObjects;
  readonly allowance: Allowance;
  readonly random: RandomStream;
  /** The set that is drawn from, by text; all if left out. */
  readonly has?: (text: string) => boolean;
  /** The share of all mass, as expected, that the set has to hold to be drawn from. */
  readonly least?: number;
}

/** A round that drew nothing. */
const nothing: DrawnRound = { draws: [], texts: [], weights: [], logExpected: 0 };

/** Draws so many unscored objects, by a surrogate that learned from all objects scored before the round. */
export async function drawRound(round: Round, count: number): Promise<DrawnRound> {
  const { objects, bits, scored, allowance, random, has = () => true, least = 0 } = round;
  const [known, others] = [[], []] as [number[], number[]];
  objects.forEach(({ text }, x) => {
    if (scored.knows(text)) known.push(x);
    else if (has(text)) others.push(x);
  });
  if (others.length === 0 || count <= 0) return nothing;
  const rewards = known.map((x) => scored.get(objects[x].text)!.logReward);
  const expected = expectedLogRewards(bits, known, rewards, random);
  const logExpected = logSumExp(others.map((x) => expected[x]));
  if (logExpected < log(least) + logSumExp([...rewards, ...expected])) return nothing;
  const weights = others.map((x) =>
    (1 - uniform) * exp(expected[x] - logExpected) + uniform / others.length
  );
  const drawn = drawDistinct(weights, Math.min(count, others.length), random);
  const drawnObjects = drawn.map(({ place }) => objects[others[place]]);
  const asked = await scored.ask(drawnObjects, allowance);
  const draws = drawn.map(({ q }, k) => {
    return { text: drawnObjects[k].text, logReward: asked[k]!, logQ: log(q) };
  });
  return { draws, texts: others.map((x) => objects[x].text), weights, logExpected };
}

/** Places, each drawn by q from those that were not drawn before, with the probability of that. */
function drawDistinct(weights: readonly number[], count: number, random: RandomStream) {
  const left = Float64Array.from(weights);
  const cumulative = new Float64Array(left.length);
  const drawn: { readonly place: number; readonly q: number }[] = [];
  const total = () => left.reduce((sum, one, x) => cumulative[x] = sum + one, 0);
  let [whole, rest] = [total(), 0];
  rest = whole;
  while (drawn.length < count) {
    if (rest < whole / 2) rest = whole = total();
    const place = indexAbove(cumulative, random.uniform() * whole);
    if (left[place] === 0) continue;
    drawn.push({ place, q: left[place] / rest });
    rest -= left[place];
    left[place] = 0;
  }
  return drawn;
}

/**
 * Samples in groups, and log Z. Draw t estimates every sum by the rewards scored before t, plus
 * R / q of the drawn object if it is a member; the later half of the draws is averaged.
 */
function summaryOf(
  before: ReadonlyMap<string, Scored>,
  rounds: readonly DrawnRound[],
  planned: number,
) {
  const draws = rounds.flatMap((round) => round.draws);
  if (draws.length === 0) return { groups: [] };
  const first = Math.floor(learning * draws.length);
  const groups = Array.from({ length: groupCount }, (_, g) => {
    const own = draws.map((_, t) => t).filter((t) => t >= first && (t - first) % groupCount === g);
    return own.length === 0 ? [] : groupOf(before, draws, own);
  });
  return {
    groups: groups.filter((group) => group.length > 0),
    effective: draws.length - first,
    logZ: estimateOf(sumsOf(before, draws).slice(first)),
    weighed: {
      before,
      draws,
      planned,
      first: firstExpected(before, rounds.find((round) => round.draws.length > 0)!),
      within: (isIn: (text: string) => boolean) => rounds.flatMap((round) => drawnIn(round, isIn)),
    },
  };
}

/** log (R(S) + R / q) of each draw: each is log of an estimate of Z. */
function sumsOf(before: ReadonlyMap<string, Scored>, draws: readonly DrawnObject[]): number[] {
  let scored = logSumExp([-Infinity, ...[...before.values()].map(({ logReward }) => logReward)]);
  return draws.map(({ logReward, logQ }) => {
    const estimate = logAddExp(scored, logReward - logQ);
    scored = logAddExp(scored, logReward);
    return estimate;
  });
}

/** Expected reward of each object before any draw, in units of the sum over those not scored. */
function firstExpected(
  before: ReadonlyMap<string, Scored>,
  { texts, weights, logExpected }: DrawnRound,
): ReadonlyMap<string, number> {
  const scored = [...before].map(([text, { logReward }]) => {
    return [text, exp(logReward - logExpected)] as const;
  });
  return new Map([...scored, ...texts.map((text, x) => [text, weights[x]] as const)]);
}

/** Objects weighed by some draws: everything scored before each in full, and its own object by R / q. */
function groupOf(
  before: ReadonlyMap<string, Scored>,
  draws: readonly DrawnObject[],
  own: readonly number[],
): WeightedObject[] {
  const isOwn = new Set(own);
  let later = own.length;
  const drawn = draws.map(({ text, logReward, logQ }, t) => {
    if (isOwn.has(t)) later--;
    const times = later + (isOwn.has(t) ? exp(-logQ) : 0);
    return { text, logWeight: logReward + log(times / own.length) };
  });
  const sure = [...before].map(([text, { logReward }]) => ({ text, logWeight: logReward }));
  return [...sure, ...drawn.filter(({ logWeight }) => logWeight > -Infinity)];
}

/**
 * log of the mean, its error by the delta method, as if one more draw had been as heavy as the
 * heaviest: of a few skewed weights the variance is seen too small more often than not.
 */
export function estimateOf(logs: readonly number[]) {
  const n = logs.length;
  const value = logSumExp(logs) - log(n);
  if (value === -Infinity) return { value, mcse: Infinity };
  const shares = logs.map((one) => exp(one - value));
  const heaviest = Math.max(...shares) - 1;
  const squares = shares.reduce((sum, one) => sum + (one - 1) ** 2, heaviest ** 2);
  return { value, mcse: n > 1 ? Math.sqrt(squares / (n - 1) / n) : Infinity };
}

/** The draws of a round that fell into a set, given that they did. */
function drawnIn({ draws, texts, weights }: DrawnRound, isIn: (text: string) => boolean): Draw[] {
  const own = new Map(texts.flatMap((text, x) => isIn(text) ? [[text, weights[x]] as const] : []));
  let rest = own.values().reduce((sum, one) => sum + one, 0);
  return draws.flatMap((draw) => {
    const weight = own.get(draw.text);
    if (weight === undefined) return [];
    const logQ = log(weight / rest);
    rest -= weight;
    return [{ ...draw, logQ }];
  });
}
