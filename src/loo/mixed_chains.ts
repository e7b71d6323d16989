/** Chains that have mixed: on the short schedule, retuned, or on the long one; or why they have not. */
import type { GradientBudget } from "../infer/budget.ts";
import type { ChainSet } from "../infer/chain_set.ts";
import { rhat } from "../infer/diagnostics.ts";
import { pooledAdaptations } from "../infer/pooled_adaptations.ts";
import {
  continueChains,
  sampleChains,
  type SamplingResult,
  type StreamKey,
} from "../infer/sample_chains.ts";
import { log } from "../math/elementary.ts";
import type { LogDensity } from "../math/log_density.ts";
import { coordinate, type Mixing, mixing } from "./posterior.ts";

/** Chains did not mix even on the long schedule, or the estimate is not a number. */
export interface NumericFailure {
  /** Tells this failure from others. */
  readonly kind: "numeric";
  /** What went wrong, for a message. */
  readonly reason: string;
}

/** R-hat from which chains are started anew. */
export const mixedRhat = 1.05;
/** R-hat up to which chains may lack no more than draws. */
const nearlyMixedRhat = 1.2;
const maxDivergent = 0.01;
/** Transitions in which chains retune that did not mix on the short schedule. */
const retune = 50;
/** Shares of what is left of the budget that the short and the long schedule may use. */
const shortShare = 0.15;
const longShare = 0.9;
/** Gradients that any attempt may use if they are there. */
const alwaysAllowed = 200_000;
/** How many times as many draws the long schedule may come to. */
const maxFactor = 4;
/** Unconstrained coordinates beyond which no proper posterior of this engine's programs lies. */
const faraway = 1e12;

/** R-hat of a chain alone that has settled. */
const settledRhat = 1.1;
/** R-hat of chains in modes that are far from each other, and nats between good ones. */
const farRhat = 1.4;
const comparable = 5;

/** How many chains, and how long. */
export interface ChainSchedule {
  /** How many chains. */
  readonly chains: number;
  /** Transitions that tune a chain. */
  readonly tune: number;
  /** Draws per chain to begin with. */
  readonly draws: number;
  /** Key of the random streams. */
  readonly seedKey: StreamKey;
}

/**
 * R-hat up to which short chains go on as they are: 1.05 in up to 20 coordinates. Squared, it grows
 * with the largest of as many variances between chains, and that with the logarithm of how many
 * there are: 1.06 in 100, 1.08 in 1,000. Draws to come bring it down to 1.05, or the chains fail.
 */
function rhatOfShortChains(dimension: number): number {
  return 1 + (mixedRhat - 1) * Math.max(1, 1 + 0.15 * log(dimension / 20));
}

/** Chains of one of two spellings of a posterior. */
export interface MixedChains<D extends LogDensity> {
  readonly kind: "chains";
  /** The spelling that the positions belong to. */
  readonly density: D;
  /** The chains. */
  readonly chainSet: ChainSet;
}

/** What one spelling has come to. */
interface Attempt<D extends LogDensity> {
  readonly density: D;
  readonly schedule: ChainSchedule;
  readonly result: SamplingResult;
}

/** Chains that have mixed, or why there are none. */
type MixedResult<D extends LogDensity> =
  | MixedChains<D>
  | Exclude<SamplingResult, { kind: "chains" }>
  | NumericFailure;

/**
 * Samples `chains` × (`tune` + `draws`). If R-hat > 1.05, a chain is stuck or more than 1 % of the
 * transitions diverge, the other spelling of the posterior is tried, if there is one; if that fares
 * no better, chains are retuned with a metric from the draws of all (50 + 2 `draws`, acceptance
 * 0.9), those of the spelling with more effective draws per gradient first. Chains that seem to lack
 * nothing but draws are retuned before another spelling is tried. If none of it helps, chains of the
 * spelling that fares better start anew as Stan does, on a long schedule (500 + 1000, acceptance
 * 0.95), for Laplace's approximation may have led them into a funnel's neck; these go on to 4,000
 * draws where they lack no more. Chains in far modes that are about as good as each other fail
 * instead. Where the budget does not allow that, retuned chains with R-hat ≤ 1.05
 * stand. Of many coordinates some have a high R-hat by chance: see `rhatOfShortChains`.
 */
export function* sampleMixed<D extends LogDensity>(
  density: D,
  schedule: ChainSchedule,
  budget: GradientBudget,
  other?: () => D,
): Generator<void, MixedResult<D>> {
  const first = { density, schedule, result: yield* shortChains(density, schedule, budget) };
  if (isGood(first.result)) return { ...first.result, density };
  const attempts: Attempt<D>[] = [];
  let open: Attempt<D>[] = [first];
  if (other && !lacksDraws(first.result)) {
    const second = yield* otherSpelling(other(), schedule, budget);
    if (isGood(second.result)) return { ...second.result, density: second.density };
    open = [first, second].sort((a, b) => efficiency(b.result) - efficiency(a.result));
  }
  for (const one of open) {
    const next = yield* again(one, budget);
    if (isGood(next.result)) return { ...next.result, density: next.density };
    attempts.push(next);
  }
  if (other && open.length === 1) {
    const second = yield* otherSpelling(other(), schedule, budget);
    if (isGood(second.result)) return { ...second.result, density: second.density };
    attempts.push(second);
  }
  const best = attempts.reduce((a, b) => efficiency(b.result) > efficiency(a.result) ? b : a);
  const apart = [...open, ...attempts].map(({ result }) => result).find(haveModes);
  if (apart) return notMixed(apart.chainSet, mixing(apart.chainSet));
  if (best.result.kind === "no_finite_start") return best.result;
  const last = yield* longChains(best, budget);
  return last.kind === "chains" ? { ...last, density: best.density } : last;
}

function* otherSpelling<D extends LogDensity>(
  density: D,
  schedule: ChainSchedule,
  budget: GradientBudget,
): Generator<void, Attempt<D>> {
  const own = { ...schedule, seedKey: [...schedule.seedKey, "other"] };
  return { density, schedule: own, result: yield* shortChains(density, own, budget) };
}

/** The attempt, retuned. */
function* again<D extends LogDensity>(
  attempt: Attempt<D>,
  budget: GradientBudget,
): Generator<void, Attempt<D>> {
  const { density, schedule, result } = attempt;
  if (result.kind !== "chains") return attempt;
  return { ...attempt, result: yield* retuned(density, schedule, result.chainSet, budget) };
}

/** Effective draws of the worst coordinate per gradient. */
function efficiency(result: SamplingResult): number {
  if (result.kind !== "chains") return 0;
  const { chainSet } = result;
  return mixing(chainSet).essBulkMin / chainSet.gradientEvaluations;
}

/** Whether chains seem to lack nothing but draws. */
function lacksDraws(result: SamplingResult): boolean {
  if (result.kind !== "chains") return false;
  const { rhatMax, divergent, stuck } = mixing(result.chainSet);
  return rhatMax <= nearlyMixedRhat && divergent <= maxDivergent && !stuck;
}

function shortChains(
  density: LogDensity,
  { chains, tune, draws, seedKey }: ChainSchedule,
  budget: GradientBudget,
): Generator<void, SamplingResult> {
  const options = { chains, tune, draws };
  return within(
    shortShare,
    budget,
    (allowance) => sampleChains(density, options, seedKey, allowance),
  );
}

function isGood(result: SamplingResult): result is SamplingResult & { kind: "chains" } {
  if (result.kind !== "chains") return false;
  const { chainSet } = result;
  const { rhatMax, divergent, stuck } = mixing(chainSet);
  const limit = rhatOfShortChains(chainSet.dimension);
  return rhatMax <= limit && divergent <= maxDivergent && !stuck;
}

/** Starts anew on a long schedule, or keeps retuned chains that have mixed but for divergences. */
function* longChains<D extends LogDensity>(
  { density, schedule, result: again }: Attempt<D>,
  budget: GradientBudget,
): Generator<void, SamplingResult | NumericFailure> {
  const { chains, tune, draws, seedKey } = schedule;
  const long = {
    chains,
    tune: Math.max(500, tune),
    draws: Math.max(1000, draws),
    targetAcceptance: 0.95,
    start: "uniform" as const,
  };
  // Chains that have mixed are worth more than none, though some of their steps diverged.
  const fallback = again.kind === "chains" && mixing(again.chainSet).rhatMax <= mixedRhat;
  const rest = budget.limit - budget.used;
  if (again.kind === "chains" && leastCost(again.chainSet, long) > longShare * rest) {
    return fallback ? again : { kind: "budget" };
  }
  const last = yield* within(
    longShare,
    budget,
    (allowance) => sampleChains(density, long, [...seedKey, "long"], allowance),
  );
  if (last.kind === "budget" && fallback) return again;
  if (last.kind !== "chains") return last;
  const longest = yield* drawOn(density, last.chainSet, budget);
  const mixed = mixing(longest);
  if (mixed.rhatMax <= mixedRhat) return { kind: "chains", chainSet: longest };
  return notMixed(longest, mixed);
}

/** Draws on, twice and twice again, while chains seem to lack nothing but draws. */
function* drawOn(
  density: LogDensity,
  first: ChainSet,
  budget: GradientBudget,
): Generator<void, ChainSet> {
  let set = first;
  while (mixing(set).rhatMax > mixedRhat && lacksDraws({ kind: "chains", chainSet: set })) {
    const more = first.draws * maxFactor > set.draws ? 2 * set.draws : 0;
    const cost = set.steps.reduce((sum, n) => sum + n, 0);
    if (more === 0 || budget.used + 1.2 * cost > budget.limit) break;
    const longer = yield* continueChains(density, set, more, budget);
    if (longer.kind !== "chains") break;
    set = longer.chainSet;
  }
  return set;
}

/** Gradients that the long schedule takes at least: its steps are no longer than those so far. */
function leastCost({ chains, draws, steps }: ChainSet, long: { tune: number; draws: number }) {
  const perTransition = steps.reduce((sum, n) => sum + n, 0) / (chains * draws);
  return 0.75 * perTransition * chains * (long.tune + long.draws);
}

/** Goes on from chains that have not mixed, with a metric from the draws of all. */
function* retuned(
  density: LogDensity,
  { chains, draws, seedKey }: ChainSchedule,
  set: ChainSet,
  budget: GradientBudget,
): Generator<void, SamplingResult> {
  const options = {
    ...{ chains, tune: retune, draws: 2 * draws, targetAcceptance: 0.9 },
    warmStart: pooledAdaptations(set),
  };
  return yield* within(
    shortShare,
    budget,
    (allowance) => sampleChains(density, options, [...seedKey, "retuned"], allowance),
  );
}

/** Samples with a share of what is left of the budget. */
function* within(
  share: number,
  budget: GradientBudget,
  work: (allowance: GradientBudget) => Generator<void, SamplingResult>,
): Generator<void, SamplingResult> {
  const rest = Math.max(0, budget.limit - budget.used);
  const limit = budget.used + Math.max(share * rest, Math.min(rest, alwaysAllowed));
  const allowance = { used: budget.used, limit };
  const result = yield* work(allowance);
  budget.used = allowance.used;
  return result;
}

/** Says that chains did not mix, and which of the usual causes it looks like. */
export function notMixed(set: ChainSet, mixed: Mixing): NumericFailure {
  const reason = `chains did not mix: R-hat ${mixed.rhatMax.toFixed(3)}`;
  const cause = runsAway(set)
    ? "; draws run off towards infinity, as they do where a posterior is improper"
    : stayApart(set) || keepToModes(set)
    ? "; each chain keeps to a mode of its own"
    : "";
  return { kind: "numeric", reason: reason + cause };
}

function runsAway({ positions }: ChainSet): boolean {
  return positions.some((q) => !(Math.abs(q) < faraway));
}

/**
 * Whether chains keep to far modes that are about as good as each other: then chains that start anew
 * would agree by luck alone.
 */
function haveModes(result: SamplingResult): result is SamplingResult & { kind: "chains" } {
  return result.kind === "chains" && keepToModes(result.chainSet) &&
    areAlikeInDensity(result.chainSet);
}

/** Whether the chains are far from each other in a coordinate in which each has settled. */
function keepToModes(set: ChainSet): boolean {
  if (!(mixing(set).rhatMax > farRhat)) return false;
  return Array.from({ length: set.dimension }, (_, k) => coordinate(set, k)).some((values) =>
    rhat(values, set.chains) > farRhat && haveSettled(values, set)
  );
}

/** Whether no chain sits where there is hardly any mass. */
function areAlikeInDensity({ logDensities, chains, draws }: ChainSet): boolean {
  const means = Array.from({ length: chains }, (_, c) => {
    const own = logDensities.subarray(c * draws, (c + 1) * draws);
    return own.reduce((sum, value) => sum + value, 0) / draws;
  });
  return Math.max(...means) - Math.min(...means) <= comparable;
}

/** Whether every chain alone has settled in every coordinate in which they disagree. */
function stayApart(set: ChainSet): boolean {
  return Array.from({ length: set.dimension }, (_, k) => coordinate(set, k)).every((values) =>
    rhat(values, set.chains) <= mixedRhat || haveSettled(values, set)
  );
}

/** Whether R-hat of every chain alone is at most 1.1 in this coordinate. */
function haveSettled(values: Float64Array, { chains, draws }: ChainSet): boolean {
  return Array.from({ length: chains }, (_, c) => values.subarray(c * draws, (c + 1) * draws))
    .every((own) => rhat(own, 1) <= settledRhat);
}
