/** Leave-one-out from draws of a mixture of the posterior with those that lack an observation. */
import type { GradientBudget } from "../inference/mcmc/budget.ts";
import type { ChainSet } from "../inference/mcmc/chain_set.ts";
import { pooledAdaptations } from "../inference/mcmc/pooled_adaptations.ts";
import { continueChains, sampleChains, type StreamKey } from "../inference/mcmc/sample_chains.ts";
import {
  log,
  type LogDensity,
  logSumExp,
  meanSquare,
  type MixtureComponents,
  type PointwiseDensity,
  sumRange,
} from "../../numerics/math/mod.ts";
import { leaveOneOutAverages } from "./averages.ts";
import { type CellGains, cellGains, lackingWeights } from "./cells.ts";
import { ControlVariates } from "./control_variates.ts";
import type { Estimate } from "./estimate.ts";
import { drawsFor, maxDrawsOf, SequentialError } from "./sequential_error.ts";
import { type KnownLikelihood, mixing, pointwiseLogLikelihood } from "./posterior.ts";
import { rhatOfFewDraws } from "./rhat_limits.ts";
import { thresholds } from "./thresholds.ts";

/**
 * Draws per chain from which chains of a mixture that have not mixed are given up. Stan's
 * default number of draws per chain.
 */
const maxUnmixedDraws = 1000;

/** Stopping rule of the mixture. */
interface MixtureGoal {
  /** Draws per chain to begin with, at least. */
  readonly draws: number;
  /** Monte Carlo standard error of the total, nats. */
  readonly targetMcse: number;
  /** Key of the random streams. */
  readonly seedKey: StreamKey;
}

/** Leave-one-out from draws of a mixture. */
interface MixtureEstimate {
  /** log p(y_i | y_-i) `[observations]`; 0 for those that are distant. */
  readonly pointwise: Float64Array;
  /** Monte Carlo standard error of the sum. */
  readonly mcse: number;
  /** Gains of cells over densities, if data were recorded to a step; 0 for those that are distant. */
  readonly gains?: CellGains;
}

/**
 * Observations whose leave-one-out posterior is distant from the posterior: chains of the mixture
 * would not go back and forth between the two.
 */
export function distantObservations({ variance }: Estimate): readonly number[] {
  const { distantVariance } = thresholds;
  return indicesOf(variance, (v) => !(v <= distantVariance));
}

/** Observations that are to have components of their own. */
function components({ variance }: Estimate): readonly number[] {
  const { componentVariance, distantVariance } = thresholds;
  return indicesOf(variance, (v) => v > componentVariance && v <= distantVariance);
}

function indicesOf(values: Float64Array, holds: (value: number) => boolean): number[] {
  const found: number[] = [];
  values.forEach((value, i) => holds(value) && found.push(i));
  return found;
}

/** Whether the influential observations are few enough for a mixture. */
export function fitsMixture(estimate: Estimate): boolean {
  return components(estimate).length <= thresholds.maxComponents;
}

/**
 * Whether smoothing cannot be trusted with the total. k alone, fitted to a few dozen draws, is too
 * noisy: an observation must also be influential, which the variance of its log likelihood measures
 * without tails.
 */
export function isUnreliable(estimate: Estimate): boolean {
  const { variance, psis: { paretoK } } = estimate;
  return components(estimate).some((i) =>
    !(variance[i] <= thresholds.unreliableVariance && paretoK[i] <= thresholds.unreliableK)
  );
}

/**
 * The posterior has a quarter of the mass, and the posteriors without an influential observation
 * share three quarters, as far as their normalising constants, Z_-u / Z = 1 / p(y_u | y_-u), are
 * known from smoothing; the tempered posterior has up to a quarter as much as all of them.
 */
function mixtureOf(unit: PointwiseDensity, estimate: Estimate): MixtureComponents {
  const own = components(estimate);
  const share = log((1 - thresholds.mixturePosteriorShare) / own.length);
  const { elpdPointwise } = estimate.psis;
  const parts = own.map((u) => ({ rows: [u], logWeight: share + elpdPointwise[u] }));
  return {
    whole: log(thresholds.mixturePosteriorShare),
    tempered: temperedOf(unit, estimate),
    parts,
  };
}

/**
 * L^-t has a standard deviation of one half, relative to its mean, which is Z_t / Z. Where terms of
 * observations do not add up to log L, t is 0: the posterior has that weight too.
 */
function temperedOf(
  unit: PointwiseDensity,
  { full, left }: Estimate,
): MixtureComponents["tempered"] {
  const share = temperedShare(left);
  if (unit.factorises === false) return { logWeight: log(share), power: 0 };
  const totals = rowSums(full.logLikelihood, unit.observations);
  const mean = sumRange(totals, 0, totals.length) / totals.length;
  const variance = meanSquare(totals.map((v) => v - mean), 0, totals.length);
  const power = Math.min(
    thresholds.maxTemperedPower,
    thresholds.temperedSpread / Math.sqrt(variance),
  );
  const logMean = logSumExp(totals.map((v) => -power * v)) - log(totals.length);
  return { logWeight: log(share) - logMean, power };
}

/**
 * Where polynomials of second order explain nearly all that draws differ in, there is no tail to
 * look for, and tempered draws, which they explain less well, would double the error.
 */
function temperedShare(left: number): number {
  const { minTempered, maxTempered, temperedFrom, temperedRange } = thresholds;
  return Math.min(
    maxTempered,
    Math.max(minTempered, maxTempered * (left - temperedFrom) / temperedRange),
  );
}

/** Sums over the rows `[draws, columns]`. */
function rowSums(values: Float64Array, columns: number): Float64Array {
  const sums = new Float64Array(values.length / columns);
  for (let s = 0; s < sums.length; s++) {
    for (let i = s * columns; i < (s + 1) * columns; i++) sums[s] += values[i];
  }
  return sums;
}

/**
 * Samples q ∝ p(θ | y) (e^a + e^b / L(θ)^t + Σ_u e^(c_u) / L_u(θ)), the mixture of the posterior
 * with a tempered one (a defence, Hesterberg 1995) and with those that lack an observation that is
 * not distant (Silva and Zanella 2022, arXiv:2209.09190), and estimates from its draws
 * p(y_i | y_-i) = E_q[w] / E_q[w / L_i], w = p / q. As w ≤ e^-a and w / L_u ≤ e^-c_u, no tail of the
 * ratios has to be guessed: the variance of what is averaged is finite and draws show it. Chains are
 * warm-started from those of the posterior and drawn on until the error is small.
 *
 * @param unit the posterior whose observations are left out.
 * @param estimate from its draws. Not where latents are integrated out: a draw without an observation
 * has a latent that this observation all but excludes, and so hardly any weight.
 * @returns `undefined` where the chains do not mix within the budget.
 */
export function* mixtureLoo(
  unit: PointwiseDensity,
  estimate: Estimate,
  goal: MixtureGoal,
  budget: GradientBudget,
): Generator<void, MixtureEstimate | undefined> {
  const { chainSet } = estimate.full;
  const mixture = mixtureOf(unit, estimate);
  const density = unit.mixture(mixture);
  const options = {
    chains: chainSet.chains,
    tune: thresholds.mixtureTune,
    draws: firstDraws(estimate, goal),
    targetAcceptance: thresholds.mixtureAcceptance,
    warmStart: pooledAdaptations(chainSet),
  };
  const first = yield* sampleChains(density, options, [...goal.seedKey, "mixture"], budget);
  if (first.kind !== "chains") return undefined;
  const distant = distantObservations(estimate);
  const averages = new MixtureAverages(unit, mixture, distant);
  return yield* drawOn(density, first.chainSet, averages, goal, budget);
}

/**
 * Draws per chain to begin with: as many as the error from smoothing predicts, taken for twice as
 * large, for where draws have missed a tail it looks small.
 */
function firstDraws({ mcse, psis, full }: Estimate, { draws, targetMcse }: MixtureGoal): number {
  const { errorInflation, minMixtureFactor, maxMixtureFactor, drawsStep } = thresholds;
  const factor = (errorInflation * mcse / targetMcse) * (errorInflation * mcse / targetMcse);
  const more = Math.min(maxMixtureFactor, Math.max(minMixtureFactor, factor)) * draws;
  const wanted = drawsStep * Math.ceil(more / drawsStep);
  return Math.min(wanted, Math.max(draws, maxDrawsOf(full.chainSet, psis.observations)));
}

/** Draws on until the error is small, or the budget or the memory ends. */
function* drawOn(
  density: LogDensity,
  first: ChainSet,
  averages: MixtureAverages,
  { targetMcse }: MixtureGoal,
  budget: GradientBudget,
): Generator<void, MixtureEstimate | undefined> {
  const { observations } = averages.unit;
  const error = new SequentialError();
  let set = first;
  for (;;) {
    const found = averages.estimate(set);
    const mcse = error.errorAfter(set.draws, found.mcse);
    const mixed = mixing(set).rhatMax <= rhatOfFewDraws(thresholds.mixedRhat, set.dimension);
    const wanted = drawsFor(set, mcse, targetMcse, observations);
    const draws = mixed ? wanted : Math.min(2 * set.draws, maxDrawsOf(set, observations));
    const cost = set.gradientEvaluations * (draws - set.draws) / set.draws;
    const last = !mixed && set.draws >= maxUnmixedDraws;
    if (draws <= set.draws || last || budget.used + cost > budget.limit) {
      return mixed ? { pointwise: found.pointwise, mcse, ...averages.gains(set) } : undefined;
    }
    const longer = yield* continueChains(density, set, draws, budget);
    if (longer.kind !== "chains") {
      return mixed ? { pointwise: found.pointwise, mcse, ...averages.gains(set) } : undefined;
    }
    set = longer.chainSet;
  }
}

/** Averages over the draws of a mixture; likelihoods of the first draws are kept. */
class MixtureAverages {
  #known: KnownLikelihood | undefined;

  /** @param unit whose observations are left out, all but those `distant`. */
  constructor(
    readonly unit: PointwiseDensity,
    readonly mixture: MixtureComponents,
    readonly distant: readonly number[],
  ) {}

  /** Estimates of all observations, and the error of their sum. */
  estimate(set: ChainSet): MixtureEstimate {
    const { logLikelihood, whole } = this.#densities(set);
    return leaveOneOutAverages(logLikelihood, whole, new ControlVariates(set), this.distant);
  }

  /** Gains of cells at the draws. */
  gains(set: ChainSet): Pick<MixtureEstimate, "gains"> {
    const { logLikelihood, whole } = this.#densities(set);
    const gains = cellGains(this.unit, {
      positions: set.positions,
      count: set.chains * set.draws,
      logLikelihood,
      logWeights: lackingWeights(whole, logLikelihood),
      variates: new ControlVariates(set),
      skipped: this.distant,
    });
    return gains ? { gains } : {};
  }

  /** log L_i `[draws, observations]`, and log p / q `[draws]`. */
  #densities(set: ChainSet) {
    const logLikelihood = pointwiseLogLikelihood(this.unit, set, this.#known);
    this.#known = { chainSet: set, logLikelihood };
    return { logLikelihood, whole: this.#shares(logLikelihood) };
  }

  /** log p / q `[draws]`, from the likelihoods of the units. */
  #shares(own: Float64Array): Float64Array {
    const n = this.unit.observations;
    const { whole, tempered, parts } = this.mixture;
    const terms = new Float64Array(2 + parts.length).fill(whole);
    return rowSums(own, n).map((total, s) => {
      terms[1] = tempered.logWeight - tempered.power * total;
      parts.forEach(({ rows: [u], logWeight }, k) => {
        terms[2 + k] = logWeight - own[s * n + u];
      });
      return -logSumExp(terms);
    });
  }
}
