/** Fits proposals to a posterior, and to those that lack an observation, from weighted draws. */
import { columnsOf, fitTriangular, standardised } from "../importance/fit_triangular.ts";
import { MixtureProposal } from "../importance/mixture_proposal.ts";
import type { Proposal, ProposalDraws } from "../importance/proposal.ts";
import { type Normalised, normalised, tempered } from "../importance/weights.ts";
import { exp, log } from "../math/elementary.ts";
import { exponentials } from "../math/exponentials.ts";
import { dotRange, takeColumn } from "../math/ranges.ts";

/** Posterior variance of log L_i from which an observation pulls at the posterior. */
const pull = 0.1;
/** Share of the posterior itself in what the proposal is fitted to. */
const wholeShare = 0.25;
/** How many times its mean a ratio may be before it is cut off, and e to what power at all. */
const largestRatio = 1e8;
const mostExponent = 600;
/** Draws that tempered weights are worth, per coordinate and at least; and as a share of all. */
const wantedPerCoordinate = 10;
const wantedAtLeast = 60;
const mostWanted = 0.3;
/** Share of the draws that are of the flattened target. */
const flatShare = 0.3;
/** Standard deviation of log L times the power that is taken off, and the largest such power. */
const flatSpread = 1.2;
const mostFlattened = 0.7;

/** A proposal fitted to the posterior; `undefined` if the draws cannot tell. */
export function fitToPosterior(rounds: readonly ProposalDraws[]): Proposal | undefined {
  const positions = joined(rounds.map((one) => one.positions));
  const logWeights = pooledLogWeights(rounds);
  if (!logWeights.some((w) => w > -Infinity)) return undefined;
  const weights = weightsFor(logWeights, rounds[0].dimension);
  const draws = standardised(positions, rounds[0].dimension, weights);
  return draws && fitTriangular(draws, weights);
}

/**
 * A proposal fitted to what leave-one-out averages over (`withLacking`); three tenths of its draws
 * come from one that is fitted to the same with a power of the likelihood taken off, for the tails of
 * the ratios.
 */
export function fitToLeaveOneOut(rounds: readonly ProposalDraws[]): Proposal | undefined {
  const positions = joined(rounds.map((one) => one.positions));
  const likelihoods = rounds.map((one) => one.logLikelihood);
  return fitToDraws(positions, rounds[0].dimension, pooledLogWeights(rounds), likelihoods);
}

/**
 * The same from any draws.
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
): Proposal | undefined {
  const columns = byObservation(likelihoods, logWeights.length);
  if (!logWeights.some((w) => w > -Infinity)) return undefined;
  const logTarget = withLacking(logWeights, normalised(logWeights).weights, columns);
  const weights = weightsFor(logTarget, dimension);
  const draws = standardised(positions, dimension, weights);
  if (!draws) return undefined;
  const flat = weightsFor(flattened(logTarget, columns), dimension);
  return new MixtureProposal(fitTriangular(draws, weights), fitTriangular(draws, flat), flatShare);
}

/** Weights that are worth enough draws for a fit. */
function weightsFor(logWeights: Float64Array, dimension: number): Normalised {
  const wanted = Math.max(wantedAtLeast, wantedPerCoordinate * dimension);
  return tempered(logWeights, Math.min(wanted, mostWanted * logWeights.length));
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
  return joined(rounds.map(({ count, dimension, positions, logDensities, logWeights }) => {
    const own = new Float64Array(count).fill(-Infinity);
    for (let s = 0; s < count; s++) {
      if (logWeights[s] === -Infinity) continue;
      let density = 0;
      rounds.forEach(({ proposal }, k) => {
        density += shares[k] * proposal.relativeDensity(positions, s * dimension);
      });
      own[s] = logDensities[s] - top - log(density);
    }
    return own;
  }));
}

/**
 * Log weights for the posterior (a quarter) and what the estimate hangs on: the posterior times
 * |Σ_i 1 − r_i| for the ratios r_i, 1 / L_i over its mean, of observations that pull. Draws from
 * that have the least error (Kahn and Marshall 1953).
 */
function withLacking(
  logWeights: Float64Array,
  weights: Float64Array,
  columns: readonly Float64Array[],
): Float64Array {
  const influence = new Float64Array(weights.length);
  const ratios = new Float64Array(weights.length);
  for (const column of columns) addInfluence(influence, column, weights, ratios);
  for (let s = 0; s < influence.length; s++) influence[s] = Math.abs(influence[s]);
  const mean = dotRange(influence, 0, weights, 0, influence.length);
  if (!(mean > 0 && mean < Infinity)) return logWeights;
  const scale = (1 - wholeShare) / mean;
  for (let s = 0; s < influence.length; s++) {
    influence[s] = logWeights[s] + log(wholeShare + scale * influence[s]);
  }
  return influence;
}

/** Adds 1 − r_i for an observation, if log L_i varies; leaves its ratios in `ratios`. */
function addInfluence(
  sum: Float64Array,
  column: Float64Array,
  weights: Float64Array,
  ratios: Float64Array,
): void {
  const { mean, variance } = momentsOf(column, weights);
  if (!(variance > pull)) return;
  for (let s = 0; s < ratios.length; s++) ratios[s] = Math.min(mostExponent, mean - column[s]);
  exponentials(ratios, 0, ratios);
  const scale = 1 / dotRange(ratios, 0, weights, 0, ratios.length);
  for (let s = 0; s < ratios.length; s++) {
    sum[s] += 1 - Math.min(largestRatio, scale * ratios[s]);
  }
}

/** Log weights for the target with its likelihood to a power below 1. */
function flattened(logTarget: Float64Array, columns: readonly Float64Array[]): Float64Array {
  const totals = new Float64Array(logTarget.length);
  for (const column of columns) for (let s = 0; s < totals.length; s++) totals[s] += column[s];
  const { mean, variance } = momentsOf(totals, normalised(logTarget).weights);
  const power = Math.min(mostFlattened, flatSpread / Math.sqrt(variance));
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

/** log L_i at all draws, by observation. */
function byObservation(likelihoods: readonly Float64Array[], draws: number) {
  const observations = likelihoods.reduce((sum, { length }) => sum + length, 0) / draws;
  const columns = columnsOf(observations, draws);
  columns.forEach((column, i) => {
    let at = 0;
    for (const values of likelihoods) {
      takeColumn(values, i, observations, column, at);
      at += values.length / observations;
    }
  });
  return columns;
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
