/** Proposal distributions of importance sampling, and their draws. */
import { type GradientBudget, gradientsPerYield } from "../../inference/mcmc/budget.ts";
import { type Columns, columnsOf } from "../../../numerics/wasm/mod.ts";
import {
  type PointwiseLikelihood,
  type SobolNets,
  takeColumn,
  takeLogs,
} from "../../../numerics/math/mod.ts";

/** Vectors that a proposal is asked for at once, at most. */
export const mostAtOnce: number = gradientsPerYield;

/** A distribution over vectors that is easy to draw from, with its normalised density. */
export interface Proposal {
  /** Length of the vectors. */
  readonly dimension: number;
  /** Log of a density that is about the largest. */
  readonly logPeak: number;
  /**
   * Draws the first `count` vectors of `out`, and gives the relative density of each.
   *
   * @param count at most `mostAtOnce`, as everywhere.
   * @param noise in (0, 1), by dimension: first what chooses the part of a mixture that the draw comes
   * from, then quantiles of each coordinate given those before it.
   * @param out by coordinate.
   * @param densities over e^logPeak.
   */
  draw(count: number, noise: Columns, out: Columns, densities: Float64Array): void;
  /** Writes the densities of `count` vectors, over e^logPeak: 0 where they are too small. */
  relativeDensities(count: number, positions: Columns, out: Float64Array): void;
}

/** Draws `from .. to`, in nets of this size: each net is independent of the others. */
export interface NetRange {
  readonly from: number;
  readonly to: number;
  readonly size: number;
}

/** Draws from a proposal, and the target's log density at each. */
export interface ProposalDraws {
  /** Proposal that they were drawn from. */
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
  /** Log density of the proposal `[count]`. */
  readonly logProposal: Float64Array;
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
 * Draws from a proposal, its noise from `nets` of one dimension more than it has. Yields every
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
    proposal,
    count,
    dimension: d,
    positions: longer(count * d, earlier?.positions),
    gradients: longer(count * d, earlier?.gradients),
    logDensities: longer(count, earlier?.logDensities),
    logProposal: longer(count, earlier?.logProposal),
    logWeights: longer(count, earlier?.logWeights),
    logLikelihood: longer(count * target.observations, earlier?.logLikelihood),
    nets: [...earlier?.nets ?? [], { from, to: count, size: netSize }],
  };
  const block = newBlock(d);
  for (let s = from; s < count; s += mostAtOnce) {
    fillBlock(block, draws, nets, s, Math.min(count, s + mostAtOnce));
    weigh(draws, block, target, s, Math.min(count, s + mostAtOnce));
    yield;
  }
  return draws;
}

/** Draws that are made at once, by coordinate. */
interface Block {
  readonly noise: Columns;
  readonly vectors: Columns;
  readonly densities: Float64Array;
}

function newBlock(d: number): Block {
  const [densities, ...noise] = columnsOf(2 + d, mostAtOnce);
  return { noise, vectors: columnsOf(d, mostAtOnce), densities };
}

/** Draws number `from` to `to`, which are of the last range of nets. */
function fillBlock(
  { noise, vectors, densities }: Block,
  { proposal, positions, nets: ranges, dimension: d }: ProposalDraws,
  nets: SobolNets,
  from: number,
  to: number,
): void {
  const { from: first, size } = ranges[ranges.length - 1];
  for (let s = from; s < to; s++) {
    if ((s - first) % size === 0) nets.begin(size);
    nets.next();
    for (let j = 0; j <= d; j++) noise[j][s - from] = nets.point[j];
  }
  proposal.draw(to - from, noise, vectors, densities);
  for (let j = 0; j < d; j++) {
    for (let s = from; s < to; s++) positions[s * d + j] = vectors[j][s - from];
  }
}

/** Evaluates the target at draws number `from` to `to`. */
function weigh(
  draws: ProposalDraws,
  { densities }: Block,
  target: PointwiseLikelihood,
  from: number,
  to: number,
): void {
  const { proposal, logDensities, logProposal, logWeights, logLikelihood } = draws;
  const n = target.observations;
  takeLogs(densities.subarray(0, to - from));
  for (let s = from; s < to; s++) {
    logDensities[s] = evaluate(draws, target, s);
    logProposal[s] = proposal.logPeak + densities[s - from];
    const weight = logDensities[s] - logProposal[s];
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

/** Densities of a proposal at vectors, over e^logPeak `[draws]`. */
export function densitiesAt(proposal: Proposal, positions: Float64Array): Float64Array {
  const { dimension: d } = proposal;
  const out = new Float64Array(positions.length / d);
  const vectors = columnsOf(d, mostAtOnce);
  for (let from = 0; from < out.length; from += mostAtOnce) {
    const to = Math.min(out.length, from + mostAtOnce);
    const rows = positions.subarray(from * d, to * d);
    vectors.forEach((column, j) => takeColumn(rows, j, d, column));
    proposal.relativeDensities(to - from, vectors, out.subarray(from, to));
  }
  return out;
}

function longer(length: number, first?: Float64Array): Float64Array {
  const out = new Float64Array(length);
  if (first) out.set(first);
  return out;
}
