/** The expected log predictive density of a posterior by leave-one-out: sampled, checked, refitted. */
import type { GradientBudget, SamplingFailure } from "../infer/budget.ts";
import { type ChainSet, countDivergences } from "../infer/chain_set.ts";
import {
  continueChains,
  sampleChains,
  type SamplingResult,
  type StreamKey,
} from "../infer/sample_chains.ts";
import type { PointwiseDensity } from "../math/log_density.ts";
import { pooledAdaptations } from "../infer/pooled_adaptations.ts";
import { ControlVariates } from "./control_variates.ts";
import { type FullPosterior, type RefitSettings, refitWithout } from "./exact.ts";
import { type Mixing, mixing, pointwiseLogLikelihood, relativeEfficiency } from "./posterior.ts";
import { type PsisLoo, psisLoo, totals } from "./psis.ts";

/** log p(y_i | y) − log p(y_i | y_-i), nats, above which an observation pulls hard. */
const hardPull = 0.5;

/** How a posterior is cross-validated. */
export interface ElpdSettings {
  /** How many chains. */
  readonly chains: number;
  /** Transitions that tune a chain. */
  readonly tune: number;
  /** Draws per chain to begin with. */
  readonly draws: number;
  /** Monte Carlo standard error of the total, nats, above which drawing goes on. */
  readonly targetMcse: number;
  /** Key of the random streams. */
  readonly seedKey: StreamKey;
}

/** A cross-validated posterior; log quantities in nats. */
export interface ElpdEstimate {
  /** Tells estimates from failures. */
  readonly kind: "ok";
  /** With control variates and exact refits: the sum of `elpdPointwise`. */
  readonly elpdLoo: number;
  /** PSIS-LOO as arviz-stats computes it. */
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
  /** The draws themselves. */
  readonly chainSet: ChainSet;
}

/** Chains did not mix even on the long schedule, or the estimate is not a number. */
export interface NumericFailure {
  /** Tells this failure from others. */
  readonly kind: "numeric";
  /** What went wrong, for a message. */
  readonly reason: string;
}

/** A cross-validated posterior, or why it could not be. */
export type ElpdResult = ElpdEstimate | SamplingFailure | NumericFailure;

/** R-hat from which chains are drawn longer, and from which they are started anew. */
const goodRhat = 1.02;
const mixedRhat = 1.05;
const maxDivergent = 0.01;
/** Transitions in which chains retune that did not mix on the short schedule. */
const retune = 50;
/** Draws per chain up to which drawing goes on for R-hat, and for the standard error. */
const maxDrawsForRhat = 1000;
const maxDrawsForMcse = 8000;
const maxDrawsForRefit = 2000;
/** Pointwise log likelihoods that more draws may need; there are three arrays of that length. */
const maxCells = 4e6;
/** Share of the error's budget that is left to refits, as a fraction of the target. */
const refitShare = 0.6;
/** Observations up to which all with a bad Pareto k are refitted. */
const refitAllBelow = 50;

/**
 * Cross-validates a posterior. Samples `chains` × (`tune` + `draws`). If R-hat > 1.05, a chain is
 * stuck or more than 1 % of the transitions diverge, the chains are retuned with a metric from the
 * draws of all (50 + 2 `draws`, acceptance 0.9); if that does not help, they start anew on a long
 * schedule (500 + 1000, acceptance 0.95). Draws on while R-hat > 1.02 or the standard error exceeds the target and
 * the budget of gradients allows; refits observations whose Pareto k is too high. Yields about once
 * per transition.
 */
export function* elpdLoo(
  density: PointwiseDensity,
  settings: ElpdSettings,
  budget: GradientBudget,
): Generator<void, ElpdResult> {
  const usedBefore = budget.used;
  const sampled = yield* sampleMixed(density, settings, budget);
  if (sampled.kind !== "chains") return sampled;
  let set = sampled.chainSet;
  let mixed = mixing(set);
  let estimate = estimateElpd(density, set);
  for (;;) {
    const draws = moreDraws(set, mixed, estimate, settings, budget);
    if (draws === 0) break;
    const longer = yield* continueChains(density, set, draws, budget);
    if (longer.kind !== "chains") return longer;
    set = longer.chainSet;
    mixed = mixing(set);
    estimate = estimateElpd(density, set);
  }
  if (!(mixed.rhatMax <= mixedRhat)) return notMixed(mixed);
  const refitted = yield* refitBad(estimate, settings, budget);
  if (refitted.kind !== "refitted") return refitted;
  return assemble(estimate, refitted, mixed, budget.used - usedBefore);
}

/** Chains on the short schedule; retuned, or anew on the long schedule, if they do not mix. */
function* sampleMixed(
  density: PointwiseDensity,
  settings: ElpdSettings,
  budget: GradientBudget,
): Generator<void, SamplingResult | NumericFailure> {
  const { chains, tune, draws, seedKey } = settings;
  const short = yield* sampleChains(density, { chains, tune, draws }, seedKey, budget);
  if (short.kind !== "chains" || isHealthy(mixing(short.chainSet))) return short;
  const retuned = {
    ...{ chains, tune: retune, draws: 2 * draws, targetAcceptance: 0.9 },
    warmStart: pooledAdaptations(short.chainSet),
  };
  const again = yield* sampleChains(density, retuned, [...seedKey, "retuned"], budget);
  if (again.kind !== "chains" || isHealthy(mixing(again.chainSet))) return again;
  const long = {
    chains,
    tune: Math.max(500, tune),
    draws: Math.max(1000, draws),
    targetAcceptance: 0.95,
  };
  const last = yield* sampleChains(density, long, [...seedKey, "long"], budget);
  if (last.kind !== "chains") return last;
  const mixed = mixing(last.chainSet);
  return mixed.rhatMax <= mixedRhat ? last : notMixed(mixed);
}

function isHealthy(mixed: Mixing): boolean {
  return mixed.rhatMax <= mixedRhat && mixed.divergent <= maxDivergent && !mixed.stuck;
}

function notMixed(mixed: Mixing): NumericFailure {
  return { kind: "numeric", reason: `chains did not mix: R-hat ${mixed.rhatMax.toFixed(3)}` };
}

/** Estimates from one chain set. */
interface Estimate {
  readonly full: FullPosterior;
  readonly psis: PsisLoo;
  readonly variates: ControlVariates;
  /** Pointwise corrected values. */
  readonly corrected: Float64Array;
  /** Observations with a bad Pareto k that are to be refitted, rising. */
  readonly bad: readonly number[];
  /** Influence of the draws on the sum over all others. */
  readonly influence: Float64Array;
  /** Monte Carlo standard error of the sum over all others. */
  readonly mcse: number;
}

function estimateElpd(density: PointwiseDensity, set: ChainSet): Estimate {
  const draws = set.chains * set.draws;
  const logLikelihood = pointwiseLogLikelihood(density, set);
  const rEff = relativeEfficiency(density, set);
  const psis = psisLoo(logLikelihood, draws, density.observations, rEff);
  const bad = chooseRefits(psis);
  const variates = new ControlVariates(set);
  const corrected = Float64Array.from(psis.elpdPointwise);
  const influence = new Float64Array(draws);
  for (let i = 0; i < density.observations; i++) {
    const at = i * draws;
    corrected[i] += variates.correction(variates.slopes(psis.influence, at));
    if (!bad.includes(i)) add(influence, psis.influence, at);
  }
  const { mcse } = variates.correct(influence);
  const full = { density, chainSet: set, logLikelihood };
  return { full, psis, variates, corrected, bad, influence, mcse };
}

/** sum += values[offset …). */
function add(sum: Float64Array, values: Float64Array, offset: number): void {
  for (let s = 0; s < sum.length; s++) sum[s] += values[offset + s];
}

/** Observations above the threshold: all if they are few in all, else the worst. */
function chooseRefits(psis: PsisLoo): readonly number[] {
  const n = psis.observations;
  const limit = n <= refitAllBelow ? n : Math.max(5, Math.floor(0.1 * n));
  const bad = Array.from({ length: n }, (_, i) => i).filter((i) => needsRefit(psis, i));
  const worstFirst = bad.sort((a, b) => psis.paretoK[b] - psis.paretoK[a] || a - b);
  return worstFirst.slice(0, limit).sort((a, b) => a - b);
}

/**
 * Above the threshold always; and already where the ratios have no finite variance (k > ½, Vehtari
 * et al. 2024, section 3) if the observation pulls hard on the posterior: held against long runs
 * of PyMC, smoothing was too optimistic there by up to 0.2 nats.
 */
function needsRefit({ paretoK, goodK, lppdPointwise, elpdPointwise }: PsisLoo, i: number): boolean {
  if (!(paretoK[i] <= goodK)) return true;
  return paretoK[i] > 0.5 && lppdPointwise[i] - elpdPointwise[i] > hardPull;
}

/** Draws per chain to go on to; 0 to stop. */
function moreDraws(
  set: ChainSet,
  mixed: Mixing,
  estimate: Estimate,
  settings: ElpdSettings,
  budget: GradientBudget,
): number {
  const draws = 2 * set.draws;
  const forRhat = mixed.rhatMax > goodRhat && draws <= maxDrawsForRhat;
  const wanted = settings.targetMcse *
    (estimate.bad.length > 0 ? Math.sqrt(1 - refitShare * refitShare) : 1);
  const cells = draws * set.chains * estimate.psis.observations;
  const forMcse = estimate.mcse > wanted && draws <= maxDrawsForMcse && cells <= maxCells;
  // As many gradients again as the chains have cost is more than the draws alone will.
  const allowance = estimate.bad.length > 0 ? 0.5 * budget.limit : budget.limit;
  const affordable = budget.used + 1.2 * set.gradientEvaluations <= allowance;
  return (forRhat || forMcse) && affordable ? draws : 0;
}

/** Pointwise values with those of bad observations replaced, and the error of their sum. */
interface Refitted {
  readonly kind: "refitted";
  readonly pointwise: Float64Array;
  /** Observations that were refitted. */
  readonly done: readonly number[];
  readonly mcse: number;
}

/** Refits bad observations as far as the budget goes; the others keep their smoothed values. */
function* refitBad(
  estimate: Estimate,
  settings: ElpdSettings,
  budget: GradientBudget,
): Generator<void, Refitted | SamplingFailure> {
  const { full, psis, variates, bad } = estimate;
  const pointwise = Float64Array.from(estimate.corrected);
  const done: number[] = [];
  if (bad.length === 0) return { kind: "refitted", pointwise, done, mcse: estimate.mcse };
  const influence = Float64Array.from(estimate.influence);
  let squaredError = 0;
  for (const [n, i] of bad.entries()) {
    if (budget.used + 1.2 * full.chainSet.gradientEvaluations > budget.limit) {
      add(influence, psis.influence, i * psis.draws);
      continue;
    }
    const refit = refitSettings(settings, budget, bad.length, n);
    const one = yield* refitWithout(full, i, refit, settings.seedKey, budget);
    if (one.kind !== "refit") return one;
    pointwise[i] = one.elpd + variates.correction(variates.slopes(one.influence));
    add(influence, one.influence, 0);
    squaredError += one.mcse * one.mcse;
    done.push(i);
  }
  const { mcse } = variates.correct(influence);
  return { kind: "refitted", pointwise, done, mcse: Math.sqrt(mcse * mcse + squaredError) };
}

/** Settings of refit `n` of `count`: an equal share of what is left of the budget. */
function refitSettings(
  settings: ElpdSettings,
  budget: GradientBudget,
  count: number,
  n: number,
): RefitSettings {
  return {
    draws: settings.draws,
    maxDraws: maxDrawsForRefit,
    targetMcse: refitShare * settings.targetMcse / Math.sqrt(count),
    softLimit: budget.used + (budget.limit - budget.used) / (count - n),
  };
}

function assemble(
  estimate: Estimate,
  refitted: Refitted,
  mixed: Mixing,
  gradients: number,
): ElpdEstimate | NumericFailure {
  const { psis, full: { chainSet } } = estimate;
  const sums = totals(refitted.pointwise, psis.lppdPointwise);
  if (!(Math.abs(sums.elpdLoo) < Infinity)) {
    return { kind: "numeric", reason: "a pointwise predictive density is not finite" };
  }
  return {
    kind: "ok",
    ...sums,
    elpdRaw: psis.elpdLoo,
    mcse: refitted.mcse,
    elpdPointwise: refitted.pointwise,
    paretoK: psis.paretoK,
    goodK: psis.goodK,
    exactRefits: refitted.done,
    rhatMax: mixed.rhatMax,
    essBulkMin: mixed.essBulkMin,
    divergences: countDivergences(chainSet),
    gradients,
    draws: chainSet.draws,
    chainSet,
  };
}
