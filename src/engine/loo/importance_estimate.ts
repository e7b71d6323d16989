/** Leave-one-out estimates from importance draws, and their reliability. */
import { logNormalDensities, type NormalDensities } from "./proposals/normal_densities.ts";
import type { ProposalDraws } from "./proposals/proposal.ts";
import { normalised } from "./proposals/weights.ts";
import {
  dotRange,
  exponentials,
  largest,
  log,
  type PointwiseLikelihood,
  takeColumn,
} from "../../numerics/math/mod.ts";
import { type LeaveOneOutAverages, leaveOneOutAverages, logMeanWeight } from "./averages.ts";
import { type CellGains, cellGains, lackingWeights } from "./cells.ts";
import { ControlVariates } from "./control_variates.ts";
import type { EvidenceWithout, Without } from "./distant_rows.ts";
import { tailShape } from "./tail_shape.ts";
import { thresholds } from "./thresholds.ts";

/**
 * Nats below the largest likelihood at which one is no smaller. A guard: e^600 is 10^260, and a
 * double ends at 10^308.
 */
const maxNats = 600;

/** Leave-one-out from importance draws; log quantities in nats. */
export interface ImportanceEstimate {
  /** log p(y_i | y_-i) `[observations]`. */
  readonly pointwise: Float64Array;
  /** log p(y_i | y) `[observations]`. */
  readonly lppd: Float64Array;
  /** The sum, without control variates. */
  readonly raw: number;
  /** Monte Carlo standard error of the sum. */
  readonly mcse: number;
  /** Tail shapes of the weights divided by L_i `[observations]`. */
  readonly shapes: Float64Array;
  /** Draws. */
  readonly draws: number;
  /** Effective number of draws of the weights. */
  readonly effective: number;
  /** Gains of cells over densities, if data were recorded to a step. */
  readonly gains?: CellGains;
  /** The draws, with their log weights. */
  readonly weighted?: ProposalDraws;
  /** Modes that the proposal was built around. */
  readonly modes?: number;
  /** Observations whose value comes from draws without them, rising. */
  readonly distant?: readonly number[];
}

/** Averages of importance draws, with all control variates that there are. */
export function averagesOf(
  draws: ProposalDraws,
  normals?: NormalDensities,
  without: Without = new Map(),
): WeightedAverages {
  const variates = variatesOf(draws, normals);
  const { logWeights, logLikelihood } = draws;
  const found = leaveOneOutAverages(logLikelihood, logWeights, variates, [], without);
  const square = [...without.values()].reduce((sum, { mcse }) => sum + mcse * mcse, 0);
  return { ...found, mcse: Math.sqrt(found.mcse * found.mcse + square), variates };
}

/** log p(y) at these draws, up to the constant of their densities; `undefined` if too few draws count. */
export function evidenceOf(
  draws: ProposalDraws,
  normals?: NormalDensities,
): EvidenceWithout | undefined {
  const { value, mcse, ratios } = logMeanWeight(draws.logWeights, variatesOf(draws, normals));
  const { effective } = normalised(draws.logWeights);
  if (effective < thresholds.minEfficiency * draws.count || !(mcse < Infinity)) return undefined;
  return { value, mcse, shape: tailShape(ratios) };
}

function variatesOf(draws: ProposalDraws, normals?: NormalDensities): ControlVariates {
  const { count, logWeights } = draws;
  const { weights } = normalised(logWeights);
  for (let s = 0; s < count; s++) weights[s] *= count;
  const centred = normals ? centredDensities(normals, draws) : [];
  return new ControlVariates({ ...draws, chains: 1, draws: count, weights, centred });
}

/** Averages with what took their noise out. */
export interface WeightedAverages extends LeaveOneOutAverages {
  readonly variates: ControlVariates;
}

/** The estimate with the gains of cells at its draws. */
export function withCells(
  density: PointwiseLikelihood,
  estimate: ImportanceEstimate,
  { positions, count, logLikelihood, logWeights }: ProposalDraws,
  variates: ControlVariates,
): ImportanceEstimate {
  const without = lackingWeights(logWeights, logLikelihood);
  const gains = cellGains(density, {
    positions,
    count,
    logLikelihood,
    variates,
    logWeights: without,
  });
  return gains ? { ...estimate, gains } : estimate;
}

/**
 * h / q − 1 at draws of a proposal q for normal densities h `[draws]`: functions whose mean is 0. Not
 * for one that is nowhere near any draw, or far larger than q.
 */
function centredDensities(
  normals: NormalDensities,
  { positions, logProposal }: ProposalDraws,
): readonly Float64Array[] {
  return logNormalDensities(normals, positions).filter((values) => {
    for (let s = 0; s < values.length; s++) {
      const rest = values[s] - logProposal[s];
      values[s] = rest > -maxNats ? rest : -maxNats;
    }
    if (!(Math.abs(largest(values)) < maxNats / 2)) return false;
    exponentials(values, 0, values);
    for (let s = 0; s < values.length; s++) values[s] -= 1;
    return true;
  });
}

/** The estimate, if enough draws count and no tail is too heavy. */
export function trusted(
  weighted: ProposalDraws,
  { pointwise, mcse, raw }: LeaveOneOutAverages,
  without: Without = new Map(),
): ImportanceEstimate | undefined {
  const { count, logWeights, logLikelihood } = weighted;
  const { weights, effective } = normalised(logWeights);
  if (effective < thresholds.minEfficiency * count) return undefined;
  const n = pointwise.length;
  const lppd = new Float64Array(n);
  const shapes = new Float64Array(n);
  const own = new Float64Array(count);
  for (let i = 0; i < n; i++) {
    takeColumn(logLikelihood, i, n, own);
    const one = ofObservation(own, weights);
    lppd[i] = one.lppd;
    shapes[i] = without.get(i)?.shape ?? one.shape;
    if (!(shapes[i] <= thresholds.maxTailShape)) return undefined;
  }
  const distant = [...without.keys()].sort((a, b) => a - b);
  return { pointwise, lppd, raw, mcse, shapes, draws: count, effective, weighted, distant };
}

/** log Σ w L and the tail shape of w / L, from log L (left as those ratios) and weights with sum 1. */
function ofObservation(own: Float64Array, weights: Float64Array) {
  const top = largest(own);
  for (let s = 0; s < own.length; s++) own[s] = Math.max(-maxNats, own[s] - top);
  exponentials(own, 0, own);
  const lppd = top + log(dotRange(own, 0, weights, 0, own.length));
  for (let s = 0; s < own.length; s++) own[s] = weights[s] / own[s];
  return { lppd, shape: tailShape(own) };
}
