/** Functions of the draws whose posterior mean is 0: gradients, and their products with positions. */
import { dotRange, sumRange } from "../math/ranges.ts";

/** Draws that regressors are made of: chains, or weighted draws that are independent. */
export interface VariateDraws {
  /** Chains; of weighted draws, 1. */
  readonly chains: number;
  /** Draws per chain. */
  readonly draws: number;
  /** Coordinates of a draw. */
  readonly dimension: number;
  /** `[chains · draws, dimension]`. */
  readonly positions: Float64Array;
  /** Of the log density `[chains · draws, dimension]`. */
  readonly gradients: Float64Array;
  /** Importance weights with mean 1; draws that have some count as independent. */
  readonly weights?: Float64Array;
}

/** Draws that there must be per regressor; with fewer, slopes are as noisy as what they take off. */
const drawsPerRegressor = 10;
/** Dimension up to which products of different coordinates are used. */
const maxPairDimension = 12;

/** Two coordinates: a position and a gradient. */
export type Pair = readonly [number, number];

/** Which products to use beside the gradients themselves; `undefined` for no regressor at all. */
export function choosePairs(d: number, draws: number): readonly Pair[] | undefined {
  const room = Math.floor(draws / drawsPerRegressor);
  if (d > room) return undefined;
  const squares = Array.from({ length: d }, (_, i): Pair => [i, i]);
  if (2 * d > room) return [];
  if (d > maxPairDimension || d + d * (d + 1) / 2 > room) return squares;
  return squares.flatMap(([i]) => Array.from({ length: i + 1 }, (_, j): Pair => [i, j]));
}

/**
 * Gradients and products of standardised coordinates, `[dimension + pairs, draws]`, each with mean
 * square 1; `undefined` if one is 0 throughout or not finite.
 */
export function regressorColumns(
  set: VariateDraws,
  pairs: readonly Pair[],
): Float64Array | undefined {
  const draws = set.chains * set.draws;
  const columns = rawColumns(set, pairs);
  const { weights } = set;
  if (weights) { for (let at = 0; at < columns.length; at++) columns[at] *= weights[at % draws]; }
  for (let at = 0; at < columns.length; at += draws) {
    if (!normalise(columns, at, draws)) return undefined;
  }
  return columns;
}

function rawColumns(set: VariateDraws, pairs: readonly Pair[]): Float64Array {
  const d = set.dimension;
  const draws = set.chains * set.draws;
  const columns = new Float64Array((d + pairs.length) * draws);
  const q = new Float64Array(d * draws);
  for (let j = 0; j < d; j++) {
    for (let s = 0; s < draws; s++) q[j * draws + s] = set.positions[s * d + j];
    const scale = standardise(q, j * draws, draws, set.weights);
    for (let s = 0; s < draws; s++) columns[j * draws + s] = set.gradients[s * d + j] * scale;
  }
  for (const [p, [j, k]] of pairs.entries()) {
    const at = (d + p) * draws;
    const constant = j === k ? 2 : 0;
    for (let s = 0; s < draws; s++) {
      const a = j * draws + s;
      const b = k * draws + s;
      columns[at + s] = q[a] * columns[b] + q[b] * columns[a] + constant;
    }
  }
  return columns;
}

/**
 * Centres `values[offset .. offset + length)` and scales it to mean square 1, both weighted; returns
 * the scale.
 */
function standardise(
  values: Float64Array,
  offset: number,
  length: number,
  weights: Float64Array | undefined,
): number {
  const sum = weights
    ? dotRange(weights, 0, values, offset, length)
    : sumRange(values, offset, offset + length);
  for (let s = offset; s < offset + length; s++) values[s] -= sum / length;
  if (!weights) return normalise(values, offset, length);
  let square = 0;
  for (let s = 0; s < length; s++) square += weights[s] * values[offset + s] * values[offset + s];
  const scale = Math.sqrt(square / length);
  if (!(scale > 0 && scale < Infinity)) return 0;
  for (let s = offset; s < offset + length; s++) values[s] /= scale;
  return scale;
}

/** Scales to mean square 1; returns the old root mean square, 0 if it was 0 or not finite. */
function normalise(values: Float64Array, offset: number, length: number): number {
  const scale = Math.sqrt(dotRange(values, offset, values, offset, length) / length);
  if (!(scale > 0 && scale < Infinity)) return 0;
  for (let s = offset; s < offset + length; s++) values[s] /= scale;
  return scale;
}
