/** What importance sampling draws from, and its draws. */
import { type GradientBudget, gradientsPerYield } from "../infer/budget.ts";
import { log } from "../math/elementary.ts";
import type { PointwiseLikelihood } from "../math/log_density.ts";
import type { SobolNets } from "../math/sobol_nets.ts";

/** A distribution over vectors that is easy to draw from, with its normalised density. */
export interface Proposal {
  /** Length of the vectors. */
  readonly dimension: number;
  /** Log of a density that is about the largest. */
  readonly logPeak: number;
  /**
   * Writes a draw into `out[offset .. offset + dimension)`, and returns its relative density.
   *
   * @param chooser in (0, 1): which part of a mixture the draw comes from.
   * @param noise in (0, 1) `[dimension]`: quantiles of the coordinates given those before them.
   */
  draw(chooser: number, noise: Float64Array, out: Float64Array, offset: number): number;
  /** Density at `position[offset .. offset + dimension)`, over e^logPeak: 0 where it is too small. */
  relativeDensity(position: Float64Array, offset: number): number;
}

/** Draws `from .. to`, in nets of this size: each net is independent of the others. */
export interface NetRange {
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

/** Draws from a proposal, and the target's log density at each. */
export interface ProposalDraws {
  /** What they were drawn from. */
  readonly proposal: Proposal;
  /** How many. */
  readonly count: number;
  /** Length of each. */
  readonly dimension: number;
  /** `[count, dimension]`. */
  readonly positions: Float64Array;
  /** Gradients of the target's log density `[count, dimension]`. */
  readonly gradients: Float64Array;
  /** Log density of the target, up to a constant `[count]`. */
  readonly logDensities: Float64Array;
  /** log target / proposal `[count]`; −∞ outside of the target's support. */
  readonly logWeights: Float64Array;
  /** log L_i `[count, observations]`; 0 where a draw has no weight. */
  readonly logLikelihood: Float64Array;
  /** The nets that the draws are, one range after the other. */
  readonly nets: readonly NetRange[];
}

/** How many draws there shall be. */
export interface DrawRequest {
  /** In all. */
  readonly count: number;
  /** In each net of those that are new. */
  readonly netSize: number;
  /** Draws of the same proposal that are the first of them. */
  readonly earlier?: ProposalDraws;
}

/**
 * Draws from a proposal, its noise from `nets` of one dimension more than it has. Yields about every
 * 64 draws; `undefined` if the budget of gradients does not allow that many.
 */
export function* drawFrom(
  proposal: Proposal,
  target: PointwiseLikelihood,
  { count, netSize, earlier }: DrawRequest,
  nets: SobolNets,
  budget: GradientBudget,
): Generator<void, ProposalDraws | undefined> {
  const from = earlier?.count ?? 0;
  if (budget.used + count - from > budget.limit) return undefined;
  budget.used += count - from;
  const d = proposal.dimension;
  const draws = {
    ...{ proposal, count, dimension: d },
    positions: longer(count * d, earlier?.positions),
    gradients: longer(count * d, earlier?.gradients),
    logDensities: longer(count, earlier?.logDensities),
    logWeights: longer(count, earlier?.logWeights),
    logLikelihood: longer(count * target.observations, earlier?.logLikelihood),
    nets: [...earlier?.nets ?? [], { from, to: count, size: netSize }],
  };
  for (let s = from; s < count; s += gradientsPerYield) {
    fill(draws, target, nets, s, Math.min(count, s + gradientsPerYield));
    yield;
  }
  return draws;
}

/** Draws number `from` to `to`, which are of the last range of nets. */
function fill(
  draws: ProposalDraws,
  target: PointwiseLikelihood,
  nets: SobolNets,
  from: number,
  to: number,
): void {
  const { proposal, dimension: d, positions, logDensities, logWeights, logLikelihood } = draws;
  const n = target.observations;
  const { from: first, size } = draws.nets[draws.nets.length - 1];
  const noise = nets.point.subarray(1);
  for (let s = from; s < to; s++) {
    if ((s - first) % size === 0) nets.begin(size);
    nets.next();
    const density = proposal.draw(nets.point[0], noise, positions, s * d);
    const value = evaluate(draws, target, s);
    const weight = value - proposal.logPeak - log(density);
    logDensities[s] = value;
    logWeights[s] = Math.abs(weight) < Infinity ? weight : -Infinity;
    if (logWeights[s] === -Infinity) logLikelihood.fill(0, s * n, (s + 1) * n);
  }
}

/** Writes gradient and likelihood of a draw; returns the log density. */
function evaluate(
  { dimension, positions, gradients, logLikelihood }: ProposalDraws,
  target: PointwiseLikelihood,
  s: number,
): number {
  const at = s * dimension;
  const row = s * target.observations;
  if (target.withLikelihood) {
    return target.withLikelihood(positions, gradients, at, logLikelihood, row);
  }
  target.logLikelihood(positions, at, logLikelihood, row);
  return target.logDensity(positions, gradients, at);
}

function longer(length: number, first?: Float64Array): Float64Array {
  const out = new Float64Array(length);
  if (first) out.set(first);
  return out;
}
