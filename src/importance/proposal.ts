/** What importance sampling draws from, and its draws. */
import type { Uniforms } from "../base/uniforms.ts";
import { type GradientBudget, gradientsPerYield } from "../infer/budget.ts";
import { log } from "../math/elementary.ts";
import type { PointwiseLikelihood } from "../math/log_density.ts";

/** A distribution over vectors that is easy to draw from, with its normalised density. */
export interface Proposal {
  /** Length of the vectors. */
  readonly dimension: number;
  /** Log of a density that is about the largest. */
  readonly logPeak: number;
  /** Writes a draw into `out[offset .. offset + dimension)`. */
  draw(uniforms: Uniforms, out: Float64Array, offset: number): void;
  /** Density at `position[offset .. offset + dimension)`, over e^logPeak: 0 where it is too small. */
  relativeDensity(position: Float64Array, offset: number): number;
}

/** Independent draws from a proposal, and the target's log density at each. */
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
}

/**
 * Draws `count` times; the result begins with `earlier` draws of the same proposal. Yields about
 * every 64 draws; `undefined` if the budget of gradients does not allow that many.
 */
export function* drawFrom(
  proposal: Proposal,
  target: PointwiseLikelihood,
  count: number,
  uniforms: Uniforms,
  budget: GradientBudget,
  earlier?: ProposalDraws,
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
  };
  for (let s = from; s < count; s += gradientsPerYield) {
    fill(draws, target, uniforms, s, Math.min(count, s + gradientsPerYield));
    yield;
  }
  return draws;
}

/** Draws number `from` to `to`. */
function fill(
  draws: ProposalDraws,
  target: PointwiseLikelihood,
  uniforms: Uniforms,
  from: number,
  to: number,
): void {
  const { proposal, dimension: d, positions, logDensities, logWeights, logLikelihood } = draws;
  const n = target.observations;
  for (let s = from; s < to; s++) {
    proposal.draw(uniforms, positions, s * d);
    const value = evaluate(draws, target, s);
    const weight = value - proposal.logPeak - log(proposal.relativeDensity(positions, s * d));
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
