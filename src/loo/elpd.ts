/** The expected log predictive density of a posterior by leave-one-out: sampled, checked, refitted. */
import type { GradientBudget, SamplingFailure } from "../infer/budget.ts";
import { type ChainSet, countDivergences } from "../infer/chain_set.ts";
import { continueChains } from "../infer/sample_chains.ts";
import type { PointwiseDensity } from "../math/log_density.ts";
import { type Estimate, estimateElpd, refitLimit } from "./estimate.ts";
import { integratedPosterior } from "./integrated.ts";
import {
  type ChainSchedule,
  mixedRhat,
  notMixed,
  type NumericFailure,
  sampleMixed,
} from "./mixed_chains.ts";
import { type Mixing, mixing, pointwiseLogLikelihood, relativeEfficiency } from "./posterior.ts";
import { type PsisLoo, psisLoo, totals } from "./psis.ts";
import { drawsFor, Looks } from "./looks.ts";
import { farObservations, isRestless, mixtureLoo } from "./mixture.ts";
import { refitBad, refitEach, type Refitted } from "./refits.ts";
import { canIntegrate, unitPosterior } from "./units.ts";

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
  /** The same, with each observation's own latent integrated out. */
  "integrated_mixture",
  /** Ten folds. */
  "k_fold",
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

/** A cross-validated posterior; log quantities in nats. An observation is a unit. */
export interface ElpdEstimate {
  /** Tells estimates from failures. */
  readonly kind: "ok";
  /** How the values came about. */
  readonly method: LooMethod;
  /** With control variates and exact refits: the sum of `elpdPointwise`. */
  readonly elpdLoo: number;
  /** PSIS-LOO as arviz-stats computes it: nothing corrected, refitted or integrated. */
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
  /** Largest split R-hat of the unconstrained coordinates. */
  readonly rhatMax: number;
  /** Smallest bulk effective sample size of the coordinates. */
  readonly essBulkMin: number;
  /** Draws whose transition diverged. */
  readonly divergences: number;
  /** Gradient evaluations, refits and discarded chains included. */
  readonly gradients: number;
  /** Draws per chain. */
  readonly draws: number;
  /** The spelling of the posterior that was sampled. */
  readonly density: PointwiseDensity;
  /** The draws themselves. */
  readonly chainSet: ChainSet;
  /** Weights and influences of the draws. */
  readonly psis: PsisLoo;
}

/** A cross-validated posterior, or why it could not be. */
export type ElpdResult = ElpdEstimate | SamplingFailure | NumericFailure;

/** R-hat from which chains are drawn longer. */
const goodRhat = 1.02;
/** Draws per chain up to which drawing goes on for R-hat. */
const maxDrawsForRhat = 1000;

/**
 * Cross-validates a posterior: samples chains that mix (`sampleMixed`), draws on while R-hat > 1.02
 * or the standard error exceeds the target and the budget of gradients allows. Where the likelihood
 * pulls, values come from draws of a mixture (`mixtureLoo`) and refits of the observations that are
 * far; where that fails, from refits of those whose Pareto k is too high. A latent that each
 * observation has for itself is integrated out of its likelihood first. Yields every few dozen
 * gradients.
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
  const sampled = yield* sampleMixed(first, settings, budget, other);
  if (sampled.kind !== "chains") return sampled;
  const { density } = sampled;
  const units = unitPosterior(density, settings.unitOfRow);
  let set = sampled.chainSet;
  const integrated = canIntegrate(units);
  let mixed = mixing(set);
  let estimate = estimateElpd(integrated ? integratedPosterior(units, set) : units, set);
  const looks = new Looks();
  for (;;) {
    const mcse = looks.errorAfter(set.draws, estimate.mcse);
    estimate = { ...estimate, mcse };
    const draws = moreDraws(set, mixed, estimate, settings, budget);
    if (draws === 0) break;
    const longer = yield* continueChains(density, set, draws, budget);
    if (longer.kind === "budget" && mixed.rhatMax <= mixedRhat) break;
    if (longer.kind !== "chains") return longer;
    set = longer.chainSet;
    mixed = mixing(set);
    estimate = estimateElpd(estimate.full.density, set, estimate.full);
  }
  if (!(mixed.rhatMax <= mixedRhat)) return notMixed(set, mixed);
  const refitted = yield* settle(units, estimate, settings, budget);
  const elpdRaw = integrated ? plainPsis(units, set) : estimate.psis.elpdLoo;
  const gradients = budget.used - usedBefore;
  const found = assemble(estimate, refitted, mixed, elpdRaw, integrated, gradients);
  return found.kind === "ok" ? { ...found, density } : found;
}

/** Replaces what smoothing cannot be trusted with: by a mixture, by refits, by folds. */
function* settle(
  units: PointwiseDensity,
  estimate: Estimate,
  settings: ElpdSettings,
  budget: GradientBudget,
): Generator<void, Refitted> {
  const far = farObservations(estimate);
  if (isRestless(estimate) && far.length <= refitLimit(estimate.psis.observations)) {
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
  estimate: Estimate,
  settings: ElpdSettings,
  budget: GradientBudget,
): number {
  const { mcse, psis } = estimate;
  // A mixture is drawn anew, and judges its own chains.
  if (isRestless(estimate) && mixed.rhatMax <= mixedRhat) return 0;
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
  estimate: Estimate,
  refitted: Refitted,
  mixed: Mixing,
  elpdRaw: number,
  integrated: boolean,
  gradients: number,
): Omit<ElpdEstimate, "density"> | NumericFailure {
  const { psis, full: { chainSet } } = estimate;
  const sums = totals(refitted.pointwise, psis.lppdPointwise);
  if (!(Math.abs(sums.elpdLoo) < Infinity)) {
    return { kind: "numeric", reason: "a pointwise predictive density is not finite" };
  }
  return {
    kind: "ok",
    method: methodOf(refitted, integrated),
    ...sums,
    elpdRaw,
    mcse: refitted.mcse,
    elpdPointwise: refitted.pointwise,
    paretoK: psis.paretoK,
    goodK: psis.goodK,
    exactRefits: refitted.done,
    unresolved: refitted.left,
    rhatMax: mixed.rhatMax,
    essBulkMin: mixed.essBulkMin,
    divergences: countDivergences(chainSet),
    gradients,
    draws: chainSet.draws,
    chainSet,
    psis,
  };
}

function methodOf(
  { folds, done, mixture }: Refitted,
  integrated: boolean,
): LooMethod {
  if (folds > 0) return "k_fold";
  const way = mixture ? "mixture" : done.length > 0 ? "refit" : undefined;
  if (integrated) return way ? `integrated_${way}` : "integrated";
  return way === "refit" ? "psis_refit" : way ?? "psis";
}
