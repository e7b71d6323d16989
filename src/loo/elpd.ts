/** The expected log predictive density of a posterior by leave-one-out: sampled, checked, refitted. */
import type { GradientBudget, SamplingFailure } from "../infer/budget.ts";
import { type ChainSet, countDivergences } from "../infer/chain_set.ts";
import { continueChains } from "../infer/sample_chains.ts";
import type { PointwiseDensity } from "../math/log_density.ts";
import { type Estimate, estimateElpd, refitLimit } from "./estimate.ts";
import { importanceByChains, importanceLoo } from "./importance.ts";
import { integratedPosterior } from "./integrated.ts";
import {
  type ChainSchedule,
  type MixedChains,
  mixedRhat,
  notMixed,
  type NumericFailure,
  sampleMixed,
} from "./mixed_chains.ts";
import { type Mixing, mixing, pointwiseLogLikelihood, relativeEfficiency } from "./posterior.ts";
import { goodParetoK, type PsisLoo, psisLoo, totals } from "./psis.ts";
import { drawsFor, Looks } from "./looks.ts";
import { marginalPosterior } from "./marginal.ts";
import { farObservations, isRestless, mixtureLoo } from "./mixture.ts";
import { refitBad, refitEach, type Refitted } from "./refits.ts";
import { canIntegrate, unitPosterior } from "./units.ts";
import type { ImportanceEstimate } from "./weighted_estimate.ts";

export type { NumericFailure } from "./mixed_chains.ts";

/** How the values of a cross-validation came about. */
export const looMethods = [
  /** Smoothed importance sampling alone. */
  "psis",
  /** And exact refits of the observations with a high Pareto k. */
  "psis_refit",
  /** Smoothed importance sampling with each observation's own latent integrated out. */
  "integrated",
  /** And exact refits. */
  "integrated_refit",
  /** Draws of a mixture of the posterior with those that lack an observation. */
  "mixture",
  /** Ten folds. */
  "k_fold",
  /** Weighted draws of a distribution fitted to the posterior. */
  "importance",
  /** The same, with each observation's own latent integrated out. */
  "integrated_importance",
] as const;
/** How the values of a cross-validation came about. */
export type LooMethod = (typeof looMethods)[number];

/** How a posterior is cross-validated. */
export interface ElpdSettings extends ChainSchedule {
  /** Monte Carlo standard error of the total, nats, above which drawing goes on. */
  readonly targetMcse: number;
  /** The unit 0, 1, … of every row, if whole groups are left out and not rows. */
  readonly unitOfRow?: ArrayLike<number>;
}

/** Chains that have mixed, and what smoothed importance sampling makes of them. */
export interface SampledChains {
  /** The spelling of the posterior that was sampled. */
  readonly density: PointwiseDensity;
  /** The draws. */
  readonly chainSet: ChainSet;
  /** Weights and influences of the draws. */
  readonly psis: PsisLoo;
  /** Whether each observation's own latent was integrated out of the likelihoods behind `psis`. */
  readonly integrated: boolean;
  /** Largest split R-hat of the unconstrained coordinates. */
  readonly rhatMax: number;
  /** Smallest bulk effective sample size of the coordinates. */
  readonly essBulkMin: number;
  /** Draws whose transition diverged. */
  readonly divergences: number;
}

/** A cross-validated posterior; log quantities in nats. An observation is a unit. */
export interface ElpdEstimate {
  /** Tells estimates from failures. */
  readonly kind: "ok";
  /** How the values came about. */
  readonly method: LooMethod;
  /** With control variates and exact refits: the sum of `elpdPointwise`. */
  readonly elpdLoo: number;
  /**
   * Of chains, PSIS-LOO as arviz-stats computes it: nothing corrected, refitted or integrated. Of
   * weighted draws, their averages as they are.
   */
  readonly elpdRaw: number;
  /** From the spread of the pointwise values over observations. */
  readonly se: number;
  /** Effective number of parameters. */
  readonly pLoo: number;
  /** Monte Carlo standard error of `elpdLoo`. */
  readonly mcse: number;
  /** log p(y_i | y_-i) `[observations]`. */
  readonly elpdPointwise: Float64Array;
  /** Tail shapes of the importance ratios `[observations]`. */
  readonly paretoK: Float64Array;
  /** Tail shape up to which smoothing is trusted. */
  readonly goodK: number;
  /** Observations whose value comes from sampling without them, rising. */
  readonly exactRefits: readonly number[];
  /** Observations whose k is too high, but for whose refit the budget had no room, rising. */
  readonly unresolved: readonly number[];
  /** Gradient evaluations, refits and discarded draws included. */
  readonly gradients: number;
  /** Draws per chain; of weighted draws, all. */
  readonly draws: number;
  /** Chains, where they were needed. */
  readonly sampled?: SampledChains;
}

/** A cross-validated posterior, or why it could not be. */
export type ElpdResult = ElpdEstimate | SamplingFailure | NumericFailure;

/** R-hat from which chains are drawn longer. */
const goodRhat = 1.02;
/** Draws per chain up to which drawing goes on for R-hat. */
const maxDrawsForRhat = 1000;

/**
 * Cross-validates a posterior. Where a distribution that is easy to draw from can be fitted to it,
 * by weighted draws of that (`importanceLoo`); elsewhere by chains that mix (`sampleMixed`), drawn on
 * while R-hat > 1.02 or the standard error exceeds the target and the budget of gradients allows.
 * Where the likelihood pulls, values come then from draws of a mixture (`mixtureLoo`) and refits of
 * the observations that are far; where that fails, from refits of those whose Pareto k is too high.
 * A latent that each observation has for itself is integrated out of its likelihood first. Yields
 * every few dozen gradients.
 *
 * @param other another spelling of the same posterior, for where chains of the first do not mix.
 */
export function* elpdLoo(
  first: PointwiseDensity,
  settings: ElpdSettings,
  budget: GradientBudget,
  other?: () => PointwiseDensity,
): Generator<void, ElpdResult> {
  const usedBefore = budget.used;
  const units = unitPosterior(first, settings.unitOfRow);
  const integrated = canIntegrate(units);
  const target = integrated ? marginalPosterior(units) : units;
  const direct = yield* importanceLoo(target, settings, budget);
  if (direct) return ofWeightedDraws(direct, budget.used - usedBefore, integrated);
  const found = yield* sampleMixed(first, settings, budget, other);
  if (found.kind !== "chains") return found;
  const weighted = yield* weightedByChains(found, settings, budget);
  if (weighted) return ofWeightedDraws(weighted, budget.used - usedBefore, integrated);
  return yield* ofChains(found, settings, budget, usedBefore);
}

/** From weighted draws of a proposal that is fitted to chains, latents integrated out or not. */
function* weightedByChains(
  { density, chainSet }: MixedChains<PointwiseDensity>,
  settings: ElpdSettings,
  budget: GradientBudget,
): Generator<void, ImportanceEstimate | undefined> {
  const units = unitPosterior(density, settings.unitOfRow);
  if (!canIntegrate(units)) {
    return yield* importanceByChains(units, chainSet, settings, budget);
  }
  const marginal = marginalPosterior(units);
  return yield* importanceByChains(marginal, marginal.project(chainSet), settings, budget);
}

/**
 * Chains of a posterior as `elpdLoo` would draw them, for what needs draws and not their weights; or
 * why there are none.
 */
export function* sampleForDraws(
  first: PointwiseDensity,
  settings: ElpdSettings,
  budget: GradientBudget,
  other?: () => PointwiseDensity,
): Generator<void, SampledChains | SamplingFailure | NumericFailure> {
  const anyError = { ...settings, targetMcse: Infinity };
  const found = yield* sampleMixed(first, settings, budget, other);
  if (found.kind !== "chains") return found;
  const drawn = yield* drawOn(found, anyError, budget);
  return "kind" in drawn ? drawn : drawn.sampled;
}

/** The same from the draws of chains, whatever weighted draws might say. */
export function* elpdByChains(
  first: PointwiseDensity,
  settings: ElpdSettings,
  budget: GradientBudget,
  other?: () => PointwiseDensity,
): Generator<void, ElpdResult> {
  const usedBefore = budget.used;
  const found = yield* sampleMixed(first, settings, budget, other);
  return found.kind === "chains" ? yield* ofChains(found, settings, budget, usedBefore) : found;
}

/** From chains that have mixed: drawn on, and what they cannot tell replaced. */
function* ofChains(
  found: MixedChains<PointwiseDensity>,
  settings: ElpdSettings,
  budget: GradientBudget,
  usedBefore: number,
): Generator<void, ElpdResult> {
  const drawn = yield* drawOn(found, settings, budget);
  if ("kind" in drawn) return drawn;
  const { units, estimate, sampled } = drawn;
  const refitted = yield* settle(units, estimate, settings, budget);
  const elpdRaw = sampled.integrated ? plainPsis(units, sampled.chainSet) : estimate.psis.elpdLoo;
  return assemble(estimate, refitted, sampled, elpdRaw, budget.used - usedBefore);
}

/** Chains of a posterior, and what they say of it before anything is replaced. */
interface DrawnChains {
  readonly units: PointwiseDensity;
  readonly estimate: Estimate;
  readonly sampled: SampledChains;
}

/** Draws chains on until their error is small, or not to be made smaller. */
function* drawOn(
  { density, chainSet }: MixedChains<PointwiseDensity>,
  settings: ElpdSettings,
  budget: GradientBudget,
): Generator<void, DrawnChains | SamplingFailure | NumericFailure> {
  const units = unitPosterior(density, settings.unitOfRow);
  let set = chainSet;
  const integrated = canIntegrate(units);
  let mixed = mixing(set);
  let estimate = estimateElpd(integrated ? integratedPosterior(units, set) : units, set);
  const looks = new Looks();
  for (;;) {
    const mcse = looks.errorAfter(set.draws, estimate.mcse);
    estimate = { ...estimate, mcse };
    const draws = moreDraws(set, mixed, { units, estimate }, settings, budget);
    if (draws === 0) break;
    const longer = yield* continueChains(density, set, draws, budget);
    if (longer.kind === "budget" && mixed.rhatMax <= mixedRhat) break;
    if (longer.kind !== "chains") return longer;
    set = longer.chainSet;
    mixed = mixing(set);
    estimate = estimateElpd(estimate.full.density, set, estimate.full);
  }
  if (!(mixed.rhatMax <= mixedRhat)) return notMixed(set, mixed);
  const { rhatMax, essBulkMin } = mixed;
  const divergences = countDivergences(set);
  const { psis } = estimate;
  const sampled = { density, chainSet: set, psis, integrated, rhatMax, essBulkMin, divergences };
  return { units, estimate, sampled };
}

function ofWeightedDraws(
  found: ImportanceEstimate,
  gradients: number,
  integrated: boolean,
): ElpdEstimate {
  const { pointwise, lppd, raw, mcse, shapes, draws } = found;
  return {
    kind: "ok",
    method: integrated ? "integrated_importance" : "importance",
    ...totals(pointwise, lppd),
    elpdRaw: raw,
    mcse,
    elpdPointwise: pointwise,
    paretoK: shapes,
    goodK: goodParetoK(draws),
    exactRefits: [],
    unresolved: [],
    gradients,
    draws,
  };
}

/** Whether the likelihood pulls, and no latents are integrated out of it. */
function wantsMixture(units: PointwiseDensity, estimate: Estimate): boolean {
  return isRestless(estimate) && estimate.full.density === units;
}

/** Replaces what smoothing cannot be trusted with: by a mixture, by refits, by folds. */
function* settle(
  units: PointwiseDensity,
  estimate: Estimate,
  settings: ElpdSettings,
  budget: GradientBudget,
): Generator<void, Refitted> {
  const far = farObservations(estimate);
  const fewFar = far.length <= refitLimit(estimate.psis.observations);
  if (wantsMixture(units, estimate) && fewFar) {
    const found = yield* mixtureAndRefits(units, estimate, far, settings, budget);
    if (found) return found;
  }
  return yield* refitBad(estimate, settings, budget);
}

/** Refits of those that are far, and a mixture for all others; `undefined` if one of both fails. */
function* mixtureAndRefits(
  units: PointwiseDensity,
  estimate: Estimate,
  far: readonly number[],
  settings: ElpdSettings,
  budget: GradientBudget,
): Generator<void, Refitted | undefined> {
  const refits = yield* refitEach(estimate, far, settings, budget);
  if (refits.values.size < far.length) return undefined;
  const { mcse } = estimate.variates.correct(refits.influence);
  const squaredError = refits.squaredError + mcse * mcse;
  const { targetMcse } = settings;
  const left = Math.max(0.25 * targetMcse * targetMcse, targetMcse * targetMcse - squaredError);
  const goal = { ...settings, targetMcse: Math.sqrt(left) };
  const found = yield* mixtureLoo(units, estimate, goal, budget);
  if (!found) return undefined;
  for (const [i, value] of refits.values) found.pointwise[i] = value;
  const total = Math.sqrt(found.mcse * found.mcse + squaredError);
  return { ...found, mcse: total, done: far, left: [], folds: 0, mixture: true };
}

/** PSIS-LOO of the likelihood as it stands. */
function plainPsis(density: PointwiseDensity, set: ChainSet): number {
  const logLikelihood = pointwiseLogLikelihood(density, set);
  const rEff = relativeEfficiency(density, set);
  return psisLoo(logLikelihood, set.chains * set.draws, density.observations, rEff).elpdLoo;
}

/** Draws per chain to go on to; 0 to stop. */
function moreDraws(
  set: ChainSet,
  mixed: Mixing,
  { units, estimate }: Pick<DrawnChains, "units" | "estimate">,
  settings: ElpdSettings,
  budget: GradientBudget,
): number {
  const { mcse, psis } = estimate;
  // A mixture is drawn anew, and judges its own chains.
  if (wantsMixture(units, estimate) && mixed.rhatMax <= mixedRhat) return 0;
  const draws = Math.max(
    mixed.rhatMax > goodRhat ? atMost(2 * set.draws, maxDrawsForRhat) : 0,
    drawsFor(set, mcse, settings.targetMcse, psis.observations),
  );
  // What the chains have cost so far, tuning included, is more per draw than going on will.
  const cost = set.gradientEvaluations * (draws - set.draws) / set.draws;
  return draws > 0 && budget.used + cost <= budget.limit ? draws : 0;
}

function atMost(draws: number, limit: number): number {
  return draws <= limit ? draws : 0;
}

function assemble(
  { psis }: Estimate,
  refitted: Refitted,
  sampled: SampledChains,
  elpdRaw: number,
  gradients: number,
): ElpdEstimate | NumericFailure {
  const sums = totals(refitted.pointwise, psis.lppdPointwise);
  if (!(Math.abs(sums.elpdLoo) < Infinity)) {
    return { kind: "numeric", reason: "a pointwise predictive density is not finite" };
  }
  return {
    kind: "ok",
    method: methodOf(refitted, sampled.integrated),
    ...sums,
    elpdRaw,
    mcse: refitted.mcse,
    elpdPointwise: refitted.pointwise,
    paretoK: psis.paretoK,
    goodK: psis.goodK,
    exactRefits: refitted.done,
    unresolved: refitted.left,
    gradients,
    draws: sampled.chainSet.draws,
    sampled,
  };
}

function methodOf(
  { folds, done, mixture }: Refitted,
  integrated: boolean,
): LooMethod {
  if (folds > 0) return "k_fold";
  if (mixture) return "mixture";
  const smoothed = integrated ? "integrated" : "psis";
  return done.length > 0 ? `${smoothed}_refit` : smoothed;
}
