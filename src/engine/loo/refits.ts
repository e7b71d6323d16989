/** Refits the posterior without the observations that importance sampling cannot estimate. */
import type { GradientBudget } from "../inference/mcmc/budget.ts";
import type { ChainSet } from "../inference/mcmc/chain_set.ts";
import type { StreamKey } from "../inference/mcmc/sample_chains.ts";
import { log } from "../../numerics/math/mod.ts";
import { type CellGains, cellGains, lackingWeights } from "./cells.ts";
import { addTo, type Estimate } from "./estimate.ts";
import { type RefitSettings, refitWithout } from "./exact.ts";
import type { CellGain } from "./refit_gain.ts";
import { thresholds } from "./thresholds.ts";

/**
 * Share of what is left of the budget that is kept for refits, at most. A round number: refits
 * and the long schedule that chains lack get a half each.
 */
const maxReserveShare = 0.5;

/** Pointwise values with those of bad observations replaced, and the error of their sum. */
export interface Refitted {
  /** log p(y_i | y_-i) `[observations]`. */
  readonly pointwise: Float64Array;
  /** Observations that were refitted one by one, rising. */
  readonly done: readonly number[];
  /** Observations whose smoothed value stands although its k is too high, rising. */
  readonly left: readonly number[];
  /** Monte Carlo standard error of the sum. */
  readonly mcse: number;
  /** Whether the values come from draws of a mixture. */
  readonly mixture: boolean;
  /** Gains of cells over densities, if data were recorded to a step. */
  readonly gains?: CellGains;
}

/** Stopping rule of refits. */
interface RefitGoal {
  /** Draws per chain to begin with. */
  readonly draws: number;
  /** Monte Carlo standard error of the total, nats. */
  readonly targetMcse: number;
  /** Key of the random streams. */
  readonly seedKey: StreamKey;
}

/** Gradients that a warm-started refit takes, about, for steps as long as those so far. */
export function refitCost({ steps, chains, draws }: ChainSet, ofRefit: number): number {
  const perTransition = steps.reduce((sum, n) => sum + n, 0) / (chains * draws);
  return thresholds.costMargin * perTransition * chains * (thresholds.refitTune + ofRefit);
}

/**
 * Refits the observations with a bad Pareto k, at most `limit`. If that would mend less than half of
 * them, none is refitted: it would cost much and leave the rest.
 */
export function* refitBad(
  estimate: Estimate,
  goal: RefitGoal,
  budget: GradientBudget,
  limit: number,
): Generator<void, Refitted> {
  const { bad, corrected, mcse, full } = estimate;
  if (bad.length === 0) {
    const gains = smoothedGains(estimate);
    return {
      pointwise: corrected,
      done: [],
      left: [],
      mcse,
      mixture: false,
      ...(gains && { gains }),
    };
  }
  const each = refitCost(full.chainSet, goal.draws);
  const room = (budget.limit - budget.used) / each;
  const mends = 2 * Math.min(limit, room) >= bad.length;
  return yield* oneByOne(estimate, mends ? worst(estimate, limit) : [], goal, budget);
}

/** At most `limit` of the bad observations, those with the highest k, rising. */
function worst({ psis, bad }: Estimate, limit: number): readonly number[] {
  const worstFirst = [...bad].sort((a, b) => psis.paretoK[b] - psis.paretoK[a] || a - b);
  return worstFirst.slice(0, limit).sort((a, b) => a - b);
}

function* oneByOne(
  estimate: Estimate,
  chosen: readonly number[],
  goal: RefitGoal,
  budget: GradientBudget,
): Generator<void, Refitted> {
  const { psis, variates, bad } = estimate;
  const pointwise = Float64Array.from(estimate.corrected);
  const refits = yield* refitEach(estimate, chosen, goal, budget);
  const { values, influence, squaredError } = refits;
  addTo(influence, estimate.influence);
  for (const [i, value] of values) pointwise[i] = value;
  const left = bad.filter((i) => !values.has(i));
  for (const i of left) addTo(influence, psis.influence(i));
  const { mcse } = variates.correct(influence);
  const total = Math.sqrt(mcse * mcse + squaredError);
  const smoothed = smoothedGains(estimate, [...values.keys()]);
  const gains = smoothed && withRefits(smoothed, refits);
  return {
    pointwise,
    done: [...values.keys()],
    left,
    mcse: total,
    mixture: false,
    ...(gains && { gains }),
  };
}

/** Gains of all observations but those `skipped`, from the draws that are smoothed. */
function smoothedGains(
  { full, psis, variance, variates }: Estimate,
  skipped: readonly number[] = [],
): CellGains | undefined {
  const { density, chainSet, logLikelihood } = full;
  const count = psis.draws;
  const plain = lackingWeights(new Float64Array(count), logLikelihood);
  const logWeights = (i: number) => {
    if (variance[i] <= thresholds.plainVariance) return plain(i);
    const weights = psis.weights(i);
    return (s: number) => log(weights[s]);
  };
  const { positions } = chainSet;
  return cellGains(density, { positions, count, logLikelihood, logWeights, variates, skipped });
}

/** The gains with those of refits in their places. */
export function withRefits(smoothed: CellGains, { gains }: RefitsOfEach): CellGains {
  const pointwise = smoothed.pointwise.slice();
  let square = smoothed.mcse * smoothed.mcse;
  for (const [i, { value, mcse }] of gains) {
    pointwise[i] = value;
    square += mcse * mcse;
  }
  return { pointwise, mcse: Math.sqrt(square) };
}

/** Observations that were refitted one by one. */
interface RefitsOfEach {
  /** log p(y_i | y_-i) by observation, rising. */
  readonly values: ReadonlyMap<number, number>;
  /** Influence of the draws of the full posterior on their sum. */
  readonly influence: Float64Array;
  /** Squared error of the sum that the draws of the refits add. */
  readonly squaredError: number;
  /** Gains of their cells, if data were recorded to a step. */
  readonly gains: ReadonlyMap<number, CellGain>;
}

/** Refits as many of the observations as the budget allows. */
export function* refitEach(
  { full, variates, psis }: Estimate,
  chosen: readonly number[],
  goal: RefitGoal,
  budget: GradientBudget,
): Generator<void, RefitsOfEach> {
  const values = new Map<number, number>();
  const gains = new Map<number, CellGain>();
  const influence = new Float64Array(psis.draws);
  let squaredError = 0;
  for (const [n, i] of chosen.entries()) {
    if (budget.used + refitCost(full.chainSet, goal.draws) > budget.limit) break;
    const settings = shareOf(goal, budget, chosen.length, n);
    const allowance = { used: budget.used, limit: settings.softLimit };
    const one = yield* refitWithout(full, i, settings, goal.seedKey, allowance);
    budget.used = allowance.used;
    // One that needs more than its share keeps its smoothed value, and is named.
    if (one.kind !== "refit") continue;
    values.set(i, one.elpd + variates.correction(one.influence));
    if (one.gain) gains.set(i, one.gain);
    addTo(influence, one.influence);
    squaredError += one.mcse * one.mcse;
  }
  return { values, influence, squaredError, gains };
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

/** Refits for which gradients are kept, at most: more rows are rarely bad. */
const mostReserved = 10;

/**
 * Gradients to reserve for refits, by the draws so far: none where no observation has a bad Pareto
 * k, at most half of what is left.
 */
export function reserveFor({ bad, full }: Estimate, draws: number, budget: GradientBudget) {
  const runs = Math.min(bad.length, mostReserved);
  return Math.min(
    runs * refitCost(full.chainSet, draws),
    maxReserveShare * Math.max(0, budget.limit - budget.used),
  );
}
