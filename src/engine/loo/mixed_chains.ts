/** Chains that have mixed: on the short schedule, retuned, or on the long one; or why they have not. */
import type { GradientBudget } from "../inference/mcmc/budget.ts";
import type { ChainSet } from "../inference/mcmc/chain_set.ts";
import { pooledAdaptations } from "../inference/mcmc/pooled_adaptations.ts";
import {
  continueChains,
  sampleChains,
  type SamplingResult,
  type StreamKey,
} from "../inference/mcmc/sample_chains.ts";
import type { LogDensity } from "../../numerics/math/mod.ts";
import { haveModes, notMixed, type NumericFailure } from "./not_mixed.ts";
import { mixing } from "./posterior.ts";
import { rhatOfFewDraws } from "./rhat_limits.ts";
import { thresholds } from "./thresholds.ts";

/**
 * Share of the long schedule's cost at the present steps for which there must be room. A round
 * number: its steps are longer than those of chains that have not mixed.
 */
const longRoom = 0.75;

/**
 * How many times the draws of the long schedule chains may come to before they have mixed. A
 * round number: as `maxDrawsToMix`.
 */
const maxLongFactor = 4;

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

/** Chains of one of two parametrisations of a posterior. */
export interface MixedChains<D extends LogDensity> {
  readonly kind: "chains";
  /** The parametrisation that the positions belong to. */
  readonly density: D;
  /** The chains. */
  readonly chainSet: ChainSet;
}

/** Result of one parametrisation. */
interface Attempt<D extends LogDensity> {
  readonly density: D;
  readonly schedule: ChainSchedule;
  readonly result: SamplingResult;
}

/** Gradients to reserve for estimators after chains, by the present, unmixed chains if there are some. */
type Reserve<D extends LogDensity> = (density: D, set?: ChainSet) => number;

/** Chains that have mixed, or why there are none. */
type MixedResult<D extends LogDensity> =
  | MixedChains<D>
  | Exclude<SamplingResult, { kind: "chains" }>
  | NumericFailure;

/**
 * Samples `chains` × (`tune` + `draws`). If R-hat > 1.05, a chain is stuck or more than 1 % of the
 * transitions diverge, the other parametrisation of the posterior is tried, if there is one; if that fares
 * no better, chains are retuned with a metric from the draws of all (50 + 2 `draws`, acceptance 0.9), those
 * of the parametrisation with more effective draws per gradient first. Chains that seem to lack nothing but
 * draws are retuned before another parametrisation is tried. If none of it helps, chains of the
 * parametrisation that fares better are drawn on, to 4,000 draws at most, with half of what is left of the
 * budget. Then they restart as Stan does, on a long schedule (500 + 1000, acceptance 0.95), for Laplace's
 * approximation may have led them into a funnel's neck; these go on likewise. Chains in separated modes of
 * similar mass fail instead. Where the budget does not allow that, retuned chains with R-hat ≤ 1.05 stand.
 * Before chains are drawn on, budget is reserved for the refits that the draws so far suggest. Of many
 * coordinates some have a high R-hat by chance (`rhatOfFewDraws`): further draws bring it down to 1.05, or
 * the chains fail.
 */
export function* sampleMixed<D extends LogDensity>(
  density: D,
  schedule: ChainSchedule,
  budget: GradientBudget,
  other?: () => D,
  reserve: Reserve<D> = () => 0,
): Generator<void, MixedResult<D>> {
  const first = { density, schedule, result: yield* shortChains(density, schedule, budget) };
  if (isGood(first.result)) return { ...first.result, density };
  const attempts: Attempt<D>[] = [];
  let open: Attempt<D>[] = [first];
  if (other && !lacksDraws(first.result)) {
    const second = yield* otherParametrisation(other(), schedule, budget);
    if (isGood(second.result)) return { ...second.result, density: second.density };
    open = [first, second].sort((a, b) => efficiency(b.result) - efficiency(a.result));
  }
  for (const one of open) {
    const next = yield* again(one, budget);
    if (isGood(next.result)) return { ...next.result, density: next.density };
    attempts.push(next);
  }
  if (other && open.length === 1) {
    const second = yield* otherParametrisation(other(), schedule, budget);
    if (isGood(second.result)) return { ...second.result, density: second.density };
    attempts.push(second);
  }
  const best = attempts.reduce((a, b) => efficiency(b.result) > efficiency(a.result) ? b : a);
  const apart = [...open, ...attempts].map(({ result }) => result).find(haveModes);
  if (apart) return notMixed(apart.chainSet, mixing(apart.chainSet));
  if (best.result.kind === "no_finite_start") return best.result;
  const chains = best.result.kind === "chains" ? best.result.chainSet : undefined;
  const kept = reserve(best.density, chains);
  const rest = { used: budget.used, limit: budget.limit - kept };
  const longer = yield* longerChains(best, rest);
  const good = isGood(longer);
  const last = good ? longer : yield* longChains({ ...best, result: longer }, rest);
  budget.used = rest.used;
  return last.kind === "chains" ? { ...last, density: best.density } : last;
}

function* otherParametrisation<D extends LogDensity>(
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
  const next = yield* retuned(density, schedule, result.chainSet, budget);
  return next.kind === "chains" ? { ...attempt, result: next } : attempt;
}

/** Chains that seem to lack nothing but draws, drawn on; with the whole budget, if no others fit. */
function* longerChains<D extends LogDensity>(
  { density, schedule, result }: Attempt<D>,
  budget: GradientBudget,
): Generator<void, SamplingResult> {
  if (result.kind !== "chains") return result;
  const share = fitsLong(result.chainSet, schedule, budget) ? thresholds.drawOnShare : 1;
  const limit = budget.used + share * (budget.limit - budget.used);
  const allowance = { used: budget.used, limit };
  const most = {
    draws: maxLongFactor * longSchedule(schedule).draws,
    rhat: thresholds.separatedRhat,
  };
  const chainSet = yield* drawOn(density, result.chainSet, most, allowance);
  budget.used = allowance.used;
  return { kind: "chains", chainSet };
}

/** Effective draws of the worst coordinate per gradient. */
function efficiency(result: SamplingResult): number {
  if (result.kind !== "chains") return 0;
  const { chainSet } = result;
  return mixing(chainSet).essBulkMin / chainSet.gradientEvaluations;
}

/** Whether chains seem to lack nothing but draws. */
function lacksDraws(result: SamplingResult, limit: number = thresholds.nearlyMixedRhat): boolean {
  if (result.kind !== "chains") return false;
  const { rhatMax, divergent, stuck } = mixing(result.chainSet);
  return rhatMax <= limit && divergent <= thresholds.maxDivergent && !stuck;
}

function shortChains(
  density: LogDensity,
  { chains, tune, draws, seedKey }: ChainSchedule,
  budget: GradientBudget,
): Generator<void, SamplingResult> {
  const options = { chains, tune, draws };
  return within(
    thresholds.shortShare,
    budget,
    (allowance) => sampleChains(density, options, seedKey, allowance),
  );
}

function isGood(result: SamplingResult): result is SamplingResult & { kind: "chains" } {
  if (result.kind !== "chains") return false;
  const { chainSet } = result;
  const { rhatMax, divergent, stuck } = mixing(chainSet);
  const limit = rhatOfFewDraws(thresholds.mixedRhat, chainSet.dimension);
  return rhatMax <= limit && divergent <= thresholds.maxDivergent && !stuck;
}

/** Restarts on a long schedule, or keeps retuned chains that have mixed but for divergences. */
function* longChains<D extends LogDensity>(
  { density, schedule, result: again }: Attempt<D>,
  budget: GradientBudget,
): Generator<void, SamplingResult | NumericFailure> {
  // Mixed chains are better than none, though some of their steps diverged.
  const fallback = again.kind === "chains" &&
    mixing(again.chainSet).rhatMax <= thresholds.mixedRhat;
  if (again.kind === "chains" && !fitsLong(again.chainSet, schedule, budget)) {
    return fallback ? again : { kind: "budget" };
  }
  const long = {
    chains: schedule.chains,
    ...longSchedule(schedule),
    targetAcceptance: thresholds.longAcceptance,
    start: "uniform" as const,
  };
  const last = yield* within(
    thresholds.longShare,
    budget,
    (allowance) => sampleChains(density, long, [...schedule.seedKey, "long"], allowance),
  );
  if (last.kind === "budget" && fallback) return again;
  if (last.kind !== "chains") return last;
  const most = { draws: maxLongFactor * long.draws, rhat: thresholds.nearlyMixedRhat };
  const longest = yield* drawOn(density, last.chainSet, most, budget);
  const mixed = mixing(longest);
  if (mixed.rhatMax <= thresholds.mixedRhat) return { kind: "chains", chainSet: longest };
  return notMixed(longest, mixed);
}

/** Draws on, twice and twice again, while chains seem to lack nothing but draws. */
function* drawOn(
  density: LogDensity,
  first: ChainSet,
  most: { readonly draws: number; readonly rhat: number },
  budget: GradientBudget,
): Generator<void, ChainSet> {
  let set = first;
  for (;;) {
    const lacks = lacksDraws({ kind: "chains", chainSet: set }, most.rhat);
    if (!lacks || mixing(set).rhatMax <= thresholds.mixedRhat || 2 * set.draws > most.draws) {
      return set;
    }
    const cost = set.steps.reduce((sum, n) => sum + n, 0);
    if (budget.used + thresholds.costMargin * cost > budget.limit) return set;
    const longer = yield* continueChains(density, set, 2 * set.draws, budget);
    if (longer.kind !== "chains") return set;
    set = longer.chainSet;
  }
}

function longSchedule({ tune, draws }: ChainSchedule) {
  return {
    tune: Math.max(thresholds.longTune, tune),
    draws: Math.max(thresholds.longDraws, draws),
  };
}

/** Whether there is room for the long schedule, whose steps are no longer than those so far. */
function fitsLong(
  { chains, draws, steps }: ChainSet,
  schedule: ChainSchedule,
  budget: GradientBudget,
): boolean {
  const perTransition = steps.reduce((sum, n) => sum + n, 0) / (chains * draws);
  const long = longSchedule(schedule);
  const least = longRoom * perTransition * chains * (long.tune + long.draws);
  return least <= thresholds.longShare * (budget.limit - budget.used);
}

/** Goes on from chains that have not mixed, with a metric from the draws of all. */
function* retuned(
  density: LogDensity,
  { chains, draws, seedKey }: ChainSchedule,
  set: ChainSet,
  budget: GradientBudget,
): Generator<void, SamplingResult> {
  const options = {
    chains,
    tune: thresholds.retuneTransitions,
    draws: 2 * draws,
    targetAcceptance: thresholds.retunedAcceptance,
    warmStart: pooledAdaptations(set),
  };
  return yield* within(
    thresholds.shortShare,
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
  const limit = budget.used + Math.max(share * rest, Math.min(rest, thresholds.alwaysAllowed));
  const allowance = { used: budget.used, limit };
  const result = yield* work(allowance);
  budget.used = allowance.used;
  return result;
}
