/** Observations without which the posterior is elsewhere: draws of the posterior do not reach it. */
import type { GradientBudget } from "../inference/mcmc/budget.ts";
import { type LaplaceApproximation, laplaceApproximation } from "../inference/mcmc/laplace.ts";
import {
  log,
  type LogDensity,
  type PointwiseDensity,
  type PointwiseLikelihood,
} from "../../numerics/math/mod.ts";
import { distance } from "./proposals/modes.ts";
import { normalised } from "./proposals/weights.ts";
import type { ProposalDraws } from "./proposals/proposal.ts";
import { thresholds } from "./thresholds.ts";

/** log p(y_-i) of a posterior that lacks an observation, up to the constant of the whole posterior. */
export interface EvidenceWithout {
  /** The estimate, nats. */
  readonly value: number;
  /** Its Monte Carlo standard error. */
  readonly mcse: number;
  /** Tail shape of the weights. */
  readonly shape: number;
}

/** log p(y_-i) by observation, of those that draws of the posterior do not reach. */
export type Without = ReadonlyMap<number, EvidenceWithout>;

/** A posterior of which observations can be left out, unless it has no `without`. */
export type Leavable = PointwiseLikelihood & Partial<Pick<PointwiseDensity, "without">>;

/** An observation that may be distant. */
export interface Candidate {
  readonly observation: number;
  /** Whether its likelihood is so small somewhere that ratios to it lose their digits. */
  readonly isInexact: boolean;
}

/** Observations that may be distant by their likelihoods at these draws, the most influential first. */
export function candidatesAmong(
  { count, logLikelihood, logWeights }: ProposalDraws,
): readonly Candidate[] {
  const n = logLikelihood.length / count;
  const { weights } = normalised(logWeights);
  const [mean, square, least] = [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  for (let s = 0; s < count; s++) {
    const weight = weights[s];
    for (let i = 0; i < n; i++) {
      const value = logLikelihood[s * n + i];
      if (value < least[i]) least[i] = value;
      if (weight > 0) {
        mean[i] += weight * value;
        square[i] += weight * value * value;
      }
    }
  }
  const variance = square.map((one, i) => one - mean[i] * mean[i]);
  return Array.from(least, (one, observation) => ({
    observation,
    isInexact: one < -thresholds.mostExactNats,
  })).filter(({ observation: i, isInexact }) =>
    isInexact || variance[i] > thresholds.distantCandidateVariance
  ).sort((a, b) => variance[b.observation] - variance[a.observation]);
}

/**
 * The posterior without an observation, for draws of its own. Its constant is that of the whole posterior less the
 * observation's likelihood, by both densities at `position`.
 */
export function withoutObservation(
  density: Leavable,
  i: number,
  position: Float64Array,
): PointwiseLikelihood {
  const lacking = density.without!([i]);
  const { startingRegion } = density;
  const gradient = new Float64Array(density.dimension);
  const terms = new Float64Array(density.observations);
  density.logLikelihood(position, 0, terms, 0);
  const constant = density.logDensity(position, gradient, 0) - terms[i] -
    lacking.logDensity(position, gradient, 0);
  return {
    dimension: density.dimension,
    observations: 0,
    ...(startingRegion && { startingRegion }),
    logDensity: (at, slope, offset) => constant + lacking.logDensity(at, slope, offset),
    logLikelihood: () => {},
  };
}

/** How the normal approximation changes when an observation is left out. */
interface Deletion {
  /** The observation's part of the curvature, summed over standardised coordinates: its leverage. */
  readonly leverage: number;
  /** Standard deviations that one step of Newton's method without it goes. */
  readonly shift: number;
}

/**
 * Effects of leaving out each observation, from its likelihood one standard deviation to both sides of the mode (Cook
 * 1986). The curvature that an observation adds has rank one where it sees one combination of coordinates.
 */
export function deletionsAt(
  density: PointwiseLikelihood,
  { mode, factor }: LaplaceApproximation,
  budget: GradientBudget,
): readonly Deletion[] {
  const { dimension: d, observations: n } = density;
  const gradient = new Float64Array(d);
  const at = (k: number, side: number) => {
    const point = mode.map((m, j) => m + side * factor[j * d + k]);
    const out = new Float64Array(n);
    if (density.withLikelihood) density.withLikelihood(point, gradient, 0, out, 0);
    else density.logLikelihood(point, 0, out, 0);
    return out;
  };
  const middle = at(0, 0);
  const sides = Array.from(mode, (_, k) => [at(k, -1), at(k, 1)]);
  budget.used += 2 * d + 1;
  return Array.from(middle, (value, i) => {
    const leverage = sides.reduce((sum, [a, b]) => sum + 2 * value - a[i] - b[i], 0);
    const square = sides.reduce((sum, [a, b]) => sum + 0.25 * (b[i] - a[i]) * (b[i] - a[i]), 0);
    return { leverage, shift: Math.sqrt(square) / Math.max(0, 1 - leverage) };
  });
}

/** Whether leaving out may lead to a distant posterior: a part of what `isDistant` asks for is enough. */
export function mayBeDistant({ leverage, shift }: Deletion): boolean {
  const { distantShift, distantWidening, distantMargin } = thresholds;
  const isNear = shift <= distantMargin * distantShift &&
    -0.5 * log(1 - leverage) <= distantMargin * log(distantWidening);
  return !isNear;
}

/**
 * Whether a posterior without an observation is further away than a widened proposal of the whole posterior
 * reaches, by the normal approximations around both modes.
 */
export function isDistant(
  whole: LaplaceApproximation,
  lacking: LogDensity,
  budget: GradientBudget,
): boolean {
  const without = laplaceApproximation(lacking, whole.mode, budget);
  if (!without) return false;
  const { distantShift, distantWidening } = thresholds;
  return distance(whole, without.mode) > distantShift ||
    logVolume(without) - logVolume(whole) > log(distantWidening);
}

function logVolume({ mode, factor }: LaplaceApproximation): number {
  return mode.reduce((sum, _, k) => sum + log(factor[k * mode.length + k]), 0);
}
