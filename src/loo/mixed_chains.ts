/** Chains that have mixed: on the short schedule, retuned, or on the long one; or why they have not. */
import type { GradientBudget } from "../infer/budget.ts";
import type { ChainSet } from "../infer/chain_set.ts";
import { rhat } from "../infer/diagnostics.ts";
import { pooledAdaptations } from "../infer/pooled_adaptations.ts";
import { sampleChains, type SamplingResult, type StreamKey } from "../infer/sample_chains.ts";
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
const maxDivergent = 0.01;
/** Transitions in which chains retune that did not mix on the short schedule. */
const retune = 50;
/** Shares of what is left of the budget that the short and the long schedule may use. */
const shortShare = 0.15;
const longShare = 0.9;
/** Gradients that any attempt may use if they are there. */
const alwaysAllowed = 200_000;
/** Unconstrained coordinates beyond which no proper posterior of this engine's programs lies. */
const faraway = 1e12;

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

/** Chains of one of two spellings of a posterior. */
export interface MixedChains<D extends LogDensity> {
  readonly kind: "chains";
  /** The spelling that the positions belong to. */
  readonly density: D;
  /** The chains. */
  readonly chainSet: ChainSet;
}

/**
 * Samples `chains` × (`tune` + `draws`). If R-hat > 1.05, a chain is stuck or more than 1 % of the
 * transitions diverge, the other spelling of the posterior is tried, if there is one; if that fares
 * no better, the chains are retuned with a metric from the draws of all (50 + 2 `draws`, acceptance
 * 0.9); if that does not help, they start anew as Stan does, on a long schedule (500 + 1000,
 * acceptance 0.95): Laplace's approximation may have led them into a funnel's neck. Where the budget
 * does not allow that, retuned chains with R-hat ≤ 1.05 stand.
 */
export function* sampleMixed<D extends LogDensity>(
  density: D,
  schedule: ChainSchedule,
  budget: GradientBudget,
  other?: () => D,
): Generator<void, MixedChains<D> | Exclude<SamplingResult, { kind: "chains" }> | NumericFailure> {
  const first = yield* shortChains(density, schedule, budget);
  if (isGood(first)) return { ...first, density };
  if (other) {
    const spelling = other();
    const key = [...schedule.seedKey, "other"];
    const second = yield* shortChains(spelling, { ...schedule, seedKey: key }, budget);
    if (isGood(second)) return { ...second, density: spelling };
  }
  if (first.kind === "no_finite_start") return first;
  const result = yield* longerChains(density, schedule, first, budget);
  return result.kind === "chains" ? { ...result, density } : result;
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
  return result.kind === "chains" && isHealthy(mixing(result.chainSet));
}

/** Retunes chains that have not mixed, or starts them anew on a long schedule. */
function* longerChains(
  density: LogDensity,
  schedule: ChainSchedule,
  short: SamplingResult,
  budget: GradientBudget,
): Generator<void, SamplingResult | NumericFailure> {
  const { chains, tune, draws, seedKey } = schedule;
  const again = short.kind === "chains"
    ? yield* retuned(density, schedule, short.chainSet, budget)
    : short;
  if (isGood(again)) return again;
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
  const mixed = mixing(last.chainSet);
  return mixed.rhatMax <= mixedRhat ? last : notMixed(last.chainSet, mixed);
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

function isHealthy(mixed: Mixing): boolean {
  return mixed.rhatMax <= mixedRhat && mixed.divergent <= maxDivergent && !mixed.stuck;
}

/** Says that chains did not mix, and which of the usual causes it looks like. */
export function notMixed(set: ChainSet, mixed: Mixing): NumericFailure {
  const reason = `chains did not mix: R-hat ${mixed.rhatMax.toFixed(3)}`;
  const cause = runsAway(set)
    ? "; draws run off towards infinity, as they do where a posterior is improper"
    : stayApart(set)
    ? "; each chain keeps to a mode of its own"
    : "";
  return { kind: "numeric", reason: reason + cause };
}

function runsAway({ positions }: ChainSet): boolean {
  return positions.some((q) => !(Math.abs(q) < faraway));
}

/** Whether every chain alone has settled in every coordinate. */
function stayApart(set: ChainSet): boolean {
  for (let k = 0; k < set.dimension; k++) {
    const values = coordinate(set, k);
    for (let c = 0; c < set.chains; c++) {
      const own = values.subarray(c * set.draws, (c + 1) * set.draws);
      if (!(rhat(own, 1) <= 1.1)) return false;
    }
  }
  return true;
}
