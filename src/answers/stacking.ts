/** Stacking: the mixture of all programs that predicts left-out rows best. */
import { exp, log } from "../numerics/math/mod.ts";
import { nonNegativeLeastSquares } from "./nnls.ts";

/** Largest relative gap of the score per row to its maximum, by duality (Lindsay 1983). */
const largestGap = 1e-9;
/** A guard against iterations without end: ten are usual. */
const mostRounds = 500;
/** Programs that may enter the mixture in one round. */
const mostEntries = 8;

/** The weights of the mixture, and how good they are shown to be. */
export interface Stacking {
  /** `[programs]`, summing to 1; most are 0. */
  readonly weights: Float64Array;
  /** A bound on how much larger the mean log score of a row could be. */
  readonly gap: number;
}

/**
 * Weights on the simplex that maximise Σ_i log Σ_k w_k exp(elpd_ki) (Yao, Vehtari, Simpson and
 * Gelman 2018, Bayesian Analysis 13:917-1007): the problem of the nonparametric maximum likelihood of
 * mixing proportions, solved by the constrained Newton method (Wang 2007, J. Royal Statistical
 * Society B 69:185-198). Few programs have weight; each round lets the programs in that gain most,
 * makes one Newton step under the constraints and drops those that came to 0.
 *
 * @param pointwise `[programs, rows]`, nats.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { stackingWeights } from "./stacking.ts";
 * // Either is right about one of two rows: half of each.
 * const { weights } = stackingWeights(Float64Array.of(0, -9, -9, 0, -8, -8), 2);
 * assert.ok(Math.abs(weights[0] - 0.5) < 1e-6 && weights[2] === 0);
 * ```
 */
export function stackingWeights(pointwise: Float64Array, rows: number): Stacking {
  const programs = pointwise.length / rows;
  const density = relativeDensities(pointwise, rows);
  const weights = startingWeights(pointwise, rows);
  let mixture = mixtureOf(density, weights, rows);
  let gap = Infinity;
  for (let round = 0; round < mostRounds; round++) {
    const gains = gainsOf(density, mixture, programs);
    gap = Math.max(0, gains.reduce((most, gain) => Math.max(most, gain), -Infinity) - 1);
    if (gap < largestGap) break;
    const support = supportOf(weights, gains);
    const wanted = newtonTarget(density, mixture, support);
    const moved = search(density, mixture, weights, { support, wanted });
    if (!moved) break;
    mixture = moved;
  }
  return { weights, gap };
}

/** p_ki over the largest of a row: the maximiser is the same. */
function relativeDensities(pointwise: Float64Array, rows: number): Float64Array {
  const top = new Float64Array(rows).fill(-Infinity);
  pointwise.forEach((value, at) => top[at % rows] = Math.max(top[at % rows], value));
  return pointwise.map((value, at) => exp(value - top[at % rows]));
}

/** Equal weights of the programs that predict some row best: no row has density 0 under them. */
function startingWeights(pointwise: Float64Array, rows: number): Float64Array {
  const best = Array.from({ length: rows }, (_, i) => {
    let at = i;
    for (let j = i; j < pointwise.length; j += rows) if (pointwise[j] > pointwise[at]) at = j;
    return (at - i) / rows;
  });
  const weights = new Float64Array(pointwise.length / rows);
  for (const k of new Set(best)) weights[k] = 1 / new Set(best).size;
  return weights;
}

function mixtureOf(density: Float64Array, weights: Float64Array, rows: number): Float64Array {
  const mixture = new Float64Array(rows);
  weights.forEach((weight, k) => {
    if (weight === 0) return;
    for (let i = 0; i < rows; i++) mixture[i] += weight * density[k * rows + i];
  });
  return mixture;
}

/** Per program the mean of its density over the mixture's: above 1 where it should gain weight. */
function gainsOf(density: Float64Array, mixture: Float64Array, programs: number): Float64Array {
  const rows = mixture.length;
  const inverse = mixture.map((value) => 1 / (value * rows));
  const gains = new Float64Array(programs);
  for (let k = 0; k < programs; k++) {
    let sum = 0;
    for (let i = 0; i < rows; i++) sum += density[k * rows + i] * inverse[i];
    gains[k] = sum;
  }
  return gains;
}

/** Programs that have weight, and those outside that would gain most. */
function supportOf(weights: Float64Array, gains: Float64Array): number[] {
  const inside: number[] = [];
  const entering: number[] = [];
  weights.forEach((weight, k) => {
    if (weight > 0) inside.push(k);
    else if (gains[k] > 1) entering.push(k);
  });
  entering.sort((a, b) => gains[b] - gains[a] || a - b);
  return [...inside, ...entering.slice(0, mostEntries)];
}

/**
 * The maximum of the second-order expansion over the simplex: the least squares |S w − 2|² with
 * S_ij = p_ij / mixture_i, its constraint Σ w = 1 put among the rows (Dax 1990).
 */
function newtonTarget(
  density: Float64Array,
  mixture: Float64Array,
  support: readonly number[],
): Float64Array {
  const [rows, m] = [mixture.length, support.length];
  const columns = support.map((k) => mixture.map((value, i) => density[k * rows + i] / value - 2));
  const gram = new Float64Array(m * m).fill(1);
  for (let a = 0; a < m; a++) {
    for (let b = 0; b <= a; b++) {
      let sum = 1;
      for (let i = 0; i < rows; i++) sum += columns[a][i] * columns[b][i];
      gram[a * m + b] = gram[b * m + a] = sum;
    }
  }
  const solution = nonNegativeLeastSquares(gram, new Float64Array(m).fill(1));
  const total = solution.reduce((sum, w) => sum + w, 0);
  return solution.map((w) => w / total);
}

/** Goes towards the wanted weights as far as the score rises; gives the new mixture, if it rises. */
function search(
  density: Float64Array,
  mixture: Float64Array,
  weights: Float64Array,
  { support, wanted }: { readonly support: readonly number[]; readonly wanted: Float64Array },
): Float64Array | undefined {
  const rows = mixture.length;
  const goal = new Float64Array(rows);
  support.forEach((k, a) => {
    if (wanted[a] === 0) return;
    for (let i = 0; i < rows; i++) goal[i] += wanted[a] * density[k * rows + i];
  });
  let slope = 0;
  for (let i = 0; i < rows; i++) slope += (goal[i] - mixture[i]) / mixture[i];
  if (!(slope > 0)) return undefined;
  for (let share = 1; share > 1e-12; share /= 2) {
    const next = mixture.map((value, i) => value + share * (goal[i] - value));
    let rise = 0;
    for (let i = 0; i < rows; i++) rise += log(next[i] / mixture[i]);
    if (!(rise >= share * slope / 3)) continue;
    support.forEach((k, a) => weights[k] += share * (wanted[a] - weights[k]));
    return next;
  }
  return undefined;
}
