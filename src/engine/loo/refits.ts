/** Replaces what importance sampling cannot estimate by sampling without it: one by one, or in folds. */
import type { GradientBudget } from "../mcmc/budget.ts";
import type { StreamKey } from "../mcmc/sample_chains.ts";
import { addTo, type Estimate } from "./estimate.ts";
import { type RefitSettings, refitWithout } from "./exact.ts";
import { foldCount, kFold } from "./k_fold.ts";
import { thresholds } from "./thresholds.ts";

/** Pointwise values with those of bad observations replaced, and the error of their sum. */
export interface Refitted {
  /** log p(y_i | y_-i) `[observations]`; in folds, without all of the fold. */
  readonly pointwise: Float64Array;
  /** Observations that were refitted one by one, rising. */
  readonly done: readonly number[];
  /** Observations whose smoothed value stands although its k is too high, rising. */
  readonly left: readonly number[];
  /** Monte Carlo standard error of the sum. */
  readonly mcse: number;
  /** Folds, if the values come from folds. */
  readonly folds: number;
  /** Whether the values come from draws of a mixture. */
  readonly mixture: boolean;
}

/** What refits have to reach. */
export interface RefitGoal {
  /** Draws per chain to begin with. */
  readonly draws: number;
  /** Monte Carlo standard error of the total, nats. */
  readonly targetMcse: number;
  /** Key of the random streams. */
  readonly seedKey: StreamKey;
}

/**
 * Refits the observations with a bad Pareto k, at most `limit`. Where they are more, all values come
 * from ten folds instead, if there may be folds and the budget has room for them. If neither would
 * mend at least half of them, nothing is refitted: it would cost much and leave the rest.
 */
export function* refitBad(
  estimate: Estimate,
  goal: RefitGoal,
  budget: GradientBudget,
  limit: number,
): Generator<void, Refitted> {
  const { psis, bad, corrected, mcse, full } = estimate;
  if (bad.length === 0) {
    return { pointwise: corrected, done: [], left: [], mcse, folds: 0, mixture: false };
  }
  const each = thresholds.costMargin * full.chainSet.gradientEvaluations;
  const room = (budget.limit - budget.used) / each;
  const folds = foldCount(psis.observations);
  if (full.density.factorises !== false && bad.length > limit && folds <= room) {
    const found = yield* inFolds(estimate, goal, folds, budget);
    if (found) return found;
  }
  const mends = 2 * Math.min(limit, room) >= bad.length;
  return yield* oneByOne(estimate, mends ? worst(estimate, limit) : [], goal, budget);
}

/** At most `limit` of the bad observations, those with the highest k, rising. */
function worst({ psis, bad }: Estimate, limit: number): readonly number[] {
  const worstFirst = [...bad].sort((a, b) => psis.paretoK[b] - psis.paretoK[a] || a - b);
  return worstFirst.slice(0, limit).sort((a, b) => a - b);
}

function* inFolds(
  { full }: Estimate,
  { seedKey, draws }: RefitGoal,
  folds: number,
  budget: GradientBudget,
): Generator<void, Refitted | undefined> {
  const found = yield* kFold(full, folds, { draws, maxDraws: draws, targetMcse: 0, softLimit: 0 }, [
    ...seedKey,
    "folds",
  ], budget);
  if (found.kind !== "k_fold") return undefined;
  const { pointwise, mcse } = found;
  return { pointwise, done: [], left: [], mcse, folds, mixture: false };
}

function* oneByOne(
  estimate: Estimate,
  chosen: readonly number[],
  goal: RefitGoal,
  budget: GradientBudget,
): Generator<void, Refitted> {
  const { psis, variates, bad } = estimate;
  const pointwise = Float64Array.from(estimate.corrected);
  const { values, influence, squaredError } = yield* refitEach(estimate, chosen, goal, budget);
  addTo(influence, estimate.influence);
  for (const [i, value] of values) pointwise[i] = value;
  const left = bad.filter((i) => !values.has(i));
  for (const i of left) addTo(influence, psis.influence(i));
  const { mcse } = variates.correct(influence);
  const total = Math.sqrt(mcse * mcse + squaredError);
  return { pointwise, done: [...values.keys()], left, mcse: total, folds: 0, mixture: false };
}

/** Observations that were refitted one by one. */
export interface RefitsOfEach {
  /** log p(y_i | y_-i) by observation, rising. */
  readonly values: ReadonlyMap<number, number>;
  /** Influence of the draws of the full posterior on their sum. */
  readonly influence: Float64Array;
  /** What the draws of the refits add to the squared error of their sum. */
  readonly squaredError: number;
}

/** Refits as many of the observations as the budget allows. */
export function* refitEach(
  { full, variates, psis }: Estimate,
  chosen: readonly number[],
  goal: RefitGoal,
  budget: GradientBudget,
): Generator<void, RefitsOfEach> {
  const values = new Map<number, number>();
  const influence = new Float64Array(psis.draws);
  let squaredError = 0;
  for (const [n, i] of chosen.entries()) {
    if (budget.used + thresholds.costMargin * full.chainSet.gradientEvaluations > budget.limit) {
      break;
    }
    const settings = shareOf(goal, budget, chosen.length, n);
    const allowance = { used: budget.used, limit: settings.softLimit };
    const one = yield* refitWithout(full, i, settings, goal.seedKey, allowance);
    budget.used = allowance.used;
    // One that needs more than its share keeps its smoothed value, and is named.
    if (one.kind !== "refit") continue;
    values.set(i, one.elpd + variates.correction(one.influence));
    addTo(influence, one.influence);
    squaredError += one.mcse * one.mcse;
  }
  return { values, influence, squaredError };
}

/** Settings of refit `n` of `count`: an equal share of what is left of the budget. */
function shareOf(
  goal: RefitGoal,
  budget: GradientBudget,
  count: number,
  n: number,
): RefitSettings {
  return {
    draws: goal.draws,
    maxDraws: thresholds.maxDrawsForRefit,
    targetMcse: thresholds.refitShare * goal.targetMcse / Math.sqrt(count),
    softLimit: budget.used + (budget.limit - budget.used) / (count - n),
  };
}
