/** ELPD by smoothed importance sampling from one chain set, with control variates. */
import type { ChainSet } from "../inference/mcmc/chain_set.ts";
import { meanSquare, type PointwiseDensity } from "../../numerics/math/mod.ts";
import { ControlVariates, logGain } from "./control_variates.ts";
import type { FullPosterior } from "./full_posterior.ts";
import { pointwiseLogLikelihood, relativeEfficiency } from "./posterior.ts";
import { goodParetoK, type PsisLoo, psisLoo, type Smoothed } from "./psis.ts";
import { thresholds } from "./thresholds.ts";

/** Estimates from one chain set. */
export interface Estimate {
  /** The posterior and its draws. */
  readonly full: FullPosterior;
  /** Smoothed importance sampling. */
  readonly psis: PsisLoo;
  /** Control variates of the draws. */
  readonly variates: ControlVariates;
  /** Pointwise corrected values. */
  readonly corrected: Float64Array;
  /** Posterior variance of log L_i `[observations]`: p_waic by observation. */
  readonly variance: Float64Array;
  /** Observations whose Pareto k is too high, rising. */
  readonly bad: readonly number[];
  /** Influence of the draws on the sum over all others. */
  readonly influence: Float64Array;
  /** Monte Carlo standard error of the sum over all others. */
  readonly mcse: number;
  /** Share of a draw's standard deviation that the control variates leave in that sum. */
  readonly left: number;
}

/**
 * Cross-validates from draws alone; `known` are likelihoods of the first draws of each chain. The
 * logarithm of the mean of 1 / p is that of the mean less its noise; with a squared error v that is
 * left it is too high by v / 2, to second order, which is taken off. Over 27 observations and 500
 * draws that adds up to as much as the whole error that is asked for, if nothing takes noise off.
 * Ratios of a variance up to 0.35 in their logarithm are averaged as they are: the prior of
 * smoothing, k about one half, takes their tails for heavier than they are, which over 200
 * observations was 0.08 nats.
 */
export function estimateElpd(
  density: PointwiseDensity,
  set: ChainSet,
  known?: FullPosterior,
): Estimate {
  const draws = set.chains * set.draws;
  const logLikelihood = pointwiseLogLikelihood(density, set, known);
  const rEff = relativeEfficiency(density, set);
  const variance = variances(logLikelihood, draws, density.observations);
  const { plainVariance } = thresholds;
  const plain = Uint8Array.from(variance, (v) => v <= plainVariance ? 1 : 0);
  const variates = new ControlVariates(set);
  const influence = new Float64Array(draws);
  const bad: number[] = [];
  const corrections = new Float64Array(density.observations);
  const squares = new Float64Array(density.observations);
  const goodK = goodParetoK(draws);
  const psis = psisLoo(logLikelihood, draws, density.observations, rEff, plain, (i, own, one) => {
    if (needsRefit(one, goodK)) bad.push(i);
    else addTo(influence, own);
    corrections[i] = logGain(-variates.correction(own));
    squares[i] = meanSquare(own, 0, draws);
  });
  const corrected = psis.elpdPointwise.map((e, i) => plain[i] === 1 ? psis.plainPointwise[i] : e);
  const { mcse, perDraw } = variates.correct(influence);
  for (let i = 0; i < density.observations; i++) {
    corrected[i] -= corrections[i];
    corrected[i] -= 0.5 * perDraw * squares[i];
  }
  const full = { density, chainSet: set, logLikelihood };
  return {
    full,
    psis,
    variates,
    corrected,
    variance,
    bad,
    influence,
    mcse,
    left: Math.sqrt(perDraw * draws),
  };
}

/** Posterior variance of the log likelihood of each observation. */
function variances(logLikelihood: Float64Array, draws: number, observations: number) {
  const mean = new Float64Array(observations);
  const square = new Float64Array(observations);
  for (let s = 0; s < draws; s++) {
    for (let i = 0; i < observations; i++) {
      const rest = logLikelihood[s * observations + i] - mean[i];
      mean[i] += rest / (s + 1);
      square[i] += rest * (logLikelihood[s * observations + i] - mean[i]);
    }
  }
  return square.map((v) => v / (draws - 1));
}

/** sum += values. */
export function addTo(sum: Float64Array, values: Float64Array): void {
  for (let s = 0; s < sum.length; s++) sum[s] += values[s];
}

/** How many observations are refitted one by one at most; with more, folds are cheaper. */
export function refitLimit(observations: number): number {
  return observations <= thresholds.maxRefitAll
    ? observations
    : Math.max(thresholds.minRefits, Math.floor(thresholds.refitShareOfRows * observations));
}

/**
 * Above the threshold always; and already where the ratios have no finite variance (k > ½, Vehtari
 * et al. 2024, section 3) if the observation is influential at all: compared with long runs of
 * PyMC, smoothing was too optimistic there by up to 0.3 nats, and neither k nor that difference,
 * both estimated from the same few draws, showed by how much.
 */
function needsRefit({ elpd, lppd, k }: Smoothed, goodK: number): boolean {
  const { finiteVarianceK, influentialDifference } = thresholds;
  return !(k <= goodK) || (k > finiteVarianceK && lppd - elpd > influentialDifference);
}
