/** Fits proposals to a posterior, and to those that lack an observation, from importance draws. */
import { fitTriangular, standardised } from "./proposals/fit_triangular.ts";
import { MixtureProposal } from "./proposals/mixture_proposal.ts";
import { fitNormals, type NormalDensities } from "./proposals/normal_densities.ts";
import { densitiesAt, type Proposal, type ProposalDraws } from "./proposals/proposal.ts";
import { type Normalised, normalised, tempered } from "./proposals/weights.ts";
import type { Without } from "./distant_rows.ts";
import { columnsOf } from "../../numerics/wasm/mod.ts";
import {
  addTimes,
  dotRange,
  exp,
  exponentials,
  takeColumn,
  takeLogs,
} from "../../numerics/math/mod.ts";
import { thresholds } from "./thresholds.ts";

/** A proposal fitted to the posterior; `undefined` if the draws are too few. */
export function fitToPosterior(rounds: readonly ProposalDraws[]): Proposal | undefined {
  const positions = joined(rounds.map((one) => one.positions));
  const logWeights = pooledLogWeights(rounds);
  if (!logWeights.some((w) => w > -Infinity)) return undefined;
  const weights = weightsFor(logWeights, rounds[0].dimension);
  const draws = standardised(positions, rounds[0].dimension, weights);
  return draws && fitTriangular(draws, weights);
}

/** Proposal of leave-one-out, and densities near those that it averages over. */
export interface LeaveOneOutFit {
  readonly proposal: Proposal;
  /** Near the posterior, and near those that lack one of the most influential observations. */
  readonly normals: NormalDensities;
}

/**
 * A proposal fitted to what leave-one-out averages over (`withLacking`); three tenths of its draws
 * come from one that is fitted to the same with a power of the likelihood taken off, for the tails
 * of the ratios. `undefined` if the draws are too few.
 *
 * @param distant observations that are averaged over elsewhere.
 */
export function fitToLeaveOneOut(
  rounds: readonly ProposalDraws[],
  distant?: Without,
): LeaveOneOutFit | undefined {
  const positions = joined(rounds.map((one) => one.positions));
  const likelihoods = rounds.map((one) => one.logLikelihood);
  return fitToDraws(positions, rounds[0].dimension, pooledLogWeights(rounds), likelihoods, distant);
}

/**
 * Fits a proposal to any draws.
 *
 * @param positions `[draws, dimension]`.
 * @param logWeights that make them draws of the posterior `[draws]`.
 * @param likelihoods log L_i `[draws, observations]`, of some draws after the other.
 */
export function fitToDraws(
  positions: Float64Array,
  dimension: number,
  logWeights: Float64Array,
  likelihoods: readonly Float64Array[],
  distant?: Without,
): LeaveOneOutFit | undefined {
  if (!logWeights.some((w) => w > -Infinity)) return undefined;
  const { weights: own } = normalised(logWeights);
  const observed = byObservation(likelihoods, own);
  const influential = observed.filter(({ variance }, i) =>
    variance > thresholds.influentialVariance && !distant?.has(i)
  );
  const logTarget = withLacking(logWeights, own, influential);
  const weights = weightsFor(logTarget, dimension);
  const draws = standardised(positions, dimension, weights);
  const first = draws && fitTriangular(draws, weights);
  const flat = draws && fitTriangular(draws, weightsFor(flattened(logTarget, observed), dimension));
  if (!first || !flat) return undefined;
  const targets = [logWeights, ...lackingOne(logWeights, influential)];
  const normals = fitNormals(draws, targets.map((one) => weightsFor(one, dimension).weights));
  return { proposal: new MixtureProposal(first, flat, thresholds.flatShare), normals };
}

/** Weights with enough effective draws for a fit. */
function weightsFor(logWeights: Float64Array, dimension: number): Normalised {
  const wanted = Math.max(thresholds.minFitDraws, thresholds.fitDrawsPerCoordinate * dimension);
  return tempered(logWeights, Math.min(wanted, thresholds.maxFitShare * logWeights.length));
}

/**
 * log posterior / proposal at all draws, each of which counts as one of the mixture of all proposals
 * (Veach and Guibas 1995; Cornuet, Marin, Mira, Robert 2012).
 */
function pooledLogWeights(rounds: readonly ProposalDraws[]): Float64Array {
  if (rounds.length === 1) return rounds[0].logWeights;
  const total = rounds.reduce((sum, { count }) => sum + count, 0);
  const top = Math.max(...rounds.map(({ proposal }) => proposal.logPeak));
  const shares = rounds.map(({ proposal, count }) => exp(proposal.logPeak - top) * count / total);
  return joined(rounds.map(({ positions, logDensities, logWeights }) => {
    const densities = new Float64Array(logWeights.length);
    rounds.forEach(({ proposal }, k) => {
      addTimes(densities, shares[k], densitiesAt(proposal, positions), 0, 0, densities.length);
    });
    takeLogs(densities);
    return logWeights.map((w, s) => w > -Infinity ? logDensities[s] - top - densities[s] : w);
  }));
}

/**
 * Log weights for the posterior (a quarter) and what the error depends on: the posterior times
 * |Σ_i 1 − r_i| for the ratios r_i, 1 / L_i over its mean, of influential observations. Draws from
 * that have the least error (Kahn and Marshall 1953).
 */
function withLacking(
  logWeights: Float64Array,
  weights: Float64Array,
  influential: readonly Observed[],
): Float64Array {
  const influence = new Float64Array(weights.length);
  const ratios = new Float64Array(weights.length);
  for (const one of influential) addInfluence(influence, one, weights, ratios);
  for (let s = 0; s < influence.length; s++) influence[s] = Math.abs(influence[s]);
  const mean = dotRange(influence, 0, weights, 0, influence.length);
  if (!(mean > 0 && mean < Infinity)) return logWeights;
  const { proposalPosteriorShare: own } = thresholds;
  const scale = (1 - own) / mean;
  for (let s = 0; s < influence.length; s++) {
    influence[s] = own + scale * influence[s];
  }
  takeLogs(influence);
  addTimes(influence, 1, logWeights, 0, 0, influence.length);
  return influence;
}

/** Adds 1 − r_i for an observation; leaves its ratios in `ratios`. */
function addInfluence(
  sum: Float64Array,
  { values, mean }: Observed,
  weights: Float64Array,
  ratios: Float64Array,
): void {
  const { maxLogRatio, maxRatio } = thresholds;
  for (let s = 0; s < ratios.length; s++) {
    ratios[s] = Math.min(maxLogRatio, mean - values[s]);
  }
  exponentials(ratios, 0, ratios);
  const scale = 1 / dotRange(ratios, 0, weights, 0, ratios.length);
  for (let s = 0; s < ratios.length; s++) {
    sum[s] += 1 - Math.min(maxRatio, scale * ratios[s]);
  }
}

/** Log weights for the posteriors that lack one of the most influential observations. */
function lackingOne(logWeights: Float64Array, influential: readonly Observed[]) {
  const most = influential.toSorted((a, b) => b.variance - a.variance).slice(
    0,
    thresholds.maxLackingFits,
  );
  return most.map(({ values }) => logWeights.map((w, s) => w - values[s]));
}

/** Log weights for the target with its likelihood to a power below 1. */
function flattened(logTarget: Float64Array, observed: readonly Observed[]): Float64Array {
  const totals = new Float64Array(logTarget.length);
  for (const { values } of observed) for (let s = 0; s < totals.length; s++) totals[s] += values[s];
  const { mean, variance } = momentsOf(totals, normalised(logTarget).weights);
  const power = Math.min(thresholds.maxFlatPower, thresholds.flatSpread / Math.sqrt(variance));
  for (let s = 0; s < totals.length; s++) totals[s] = logTarget[s] - power * (totals[s] - mean);
  return totals;
}

/** Mean and variance of values with weights that sum to 1. */
function momentsOf(values: Float64Array, weights: Float64Array) {
  const mean = dotRange(values, 0, weights, 0, values.length);
  let variance = 0;
  for (let s = 0; s < values.length; s++) {
    variance += weights[s] * (values[s] - mean) * (values[s] - mean);
  }
  return { mean, variance };
}

/** An observation's log L_i at all draws, and their mean and variance over the posterior. */
interface Observed {
  readonly values: Float64Array;
  readonly mean: number;
  readonly variance: number;
}

/** @param weights of the posterior, with sum 1. */
function byObservation(
  likelihoods: readonly Float64Array[],
  weights: Float64Array,
): readonly Observed[] {
  const draws = weights.length;
  const observations = likelihoods.reduce((sum, { length }) => sum + length, 0) / draws;
  return columnsOf(observations, draws).map((column, i) => {
    let at = 0;
    for (const values of likelihoods) {
      takeColumn(values, i, observations, column, at);
      at += values.length / observations;
    }
    return { values: column, ...momentsOf(column, weights) };
  });
}

function joined(arrays: readonly Float64Array[]): Float64Array {
  if (arrays.length === 1) return arrays[0];
  const out = new Float64Array(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    out.set(array, at);
    at += array.length;
  }
  return out;
}
