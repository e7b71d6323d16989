/** Functions of the draws whose posterior mean is 0: gradients, and their products with positions. */
import type { NetRange } from "./proposals/proposal.ts";
import { dotRange, sumRange, takeColumn } from "../../numerics/math/mod.ts";
import { thresholds } from "./thresholds.ts";

/** Draws that regressors are made of: chains, or importance draws in nets. */
export interface VariateDraws {
  /** Chains; of importance draws, 1. */
  readonly chains: number;
  /** Draws per chain. */
  readonly draws: number;
  /** Coordinates of a draw. */
  readonly dimension: number;
  /** `[chains · draws, dimension]`. */
  readonly positions: Float64Array;
  /** Of the log density `[chains · draws, dimension]`. */
  readonly gradients: Float64Array;
  /** Importance weights with mean 1, of draws that are no chains. */
  readonly weights?: Float64Array;
  /** The nets that such draws come in. */
  readonly nets?: readonly NetRange[];
  /** Further functions, of mean 0 over what such draws come from and not 0 themselves `[draws]`. */
  readonly centred?: readonly Float64Array[];
}

/** Two coordinates: a position and a gradient. */
export type Pair = readonly [number, number];

/**
 * Which products to use beside the gradients themselves and `others`; `undefined` for no regressor at
 * all.
 */
export function choosePairs(
  d: number,
  draws: number,
  others: number = 0,
): readonly Pair[] | undefined {
  const room = Math.floor(draws / thresholds.drawsPerRegressor) - others;
  if (d > room) return undefined;
  const squares = Array.from({ length: d }, (_, i): Pair => [i, i]);
  if (2 * d > room) return [];
  if (d > thresholds.maxPairDimension || d + d * (d + 1) / 2 > room) return squares;
  return squares.flatMap(([i]) => Array.from({ length: i + 1 }, (_, j): Pair => [i, j]));
}

/**
 * Gradients, products of standardised coordinates and the functions that are centred already,
 * `[dimension + pairs + centred, draws]`, each with mean square 1; `undefined` if one is 0 throughout
 * or not finite.
 */
export function regressorColumns(
  set: VariateDraws,
  pairs: readonly Pair[],
): Float64Array | undefined {
  const draws = set.chains * set.draws;
  const d = set.dimension;
  const [q, g] = standardisedDraws(set);
  const { centred = [] } = set;
  const columns = new Float64Array((d + pairs.length + centred.length) * draws);
  columns.set(g);
  pairs.forEach(([j, k], p) => {
    const out = columns.subarray((d + p) * draws, (d + p + 1) * draws);
    addProducts(out, ...rowsOf(q, draws, j, k), ...rowsOf(g, draws, j, k));
    if (j === k) { for (let s = 0; s < draws; s++) out[s] += 2; }
  });
  const ofTarget = (d + pairs.length) * draws;
  centred.forEach((column, k) => columns.set(column, ofTarget + k * draws));
  for (let at = 0; at < columns.length; at += draws) {
    const column = columns.subarray(at, at + draws);
    if (set.weights && at < ofTarget) multiply(column, set.weights);
    if (!normalise(column)) return undefined;
  }
  return columns;
}

/** Positions and gradients in units in which positions have mean 0 and mean square 1, `[d, draws]`. */
function standardisedDraws(set: VariateDraws): [Float64Array, Float64Array] {
  const d = set.dimension;
  const draws = set.chains * set.draws;
  const q = new Float64Array(d * draws);
  const g = new Float64Array(d * draws);
  for (let j = 0; j < d; j++) {
    const [position, gradient] = [q, g].map((rows) => rows.subarray(j * draws, (j + 1) * draws));
    takeColumn(set.positions, j, d, position);
    takeColumn(set.gradients, j, d, gradient);
    const scale = standardise(position, set.weights);
    for (let s = 0; s < draws; s++) gradient[s] *= scale;
  }
  return [q, g];
}

function rowsOf(
  values: Float64Array,
  length: number,
  j: number,
  k: number,
): [Float64Array, Float64Array] {
  const row = (i: number) => values.subarray(i * length, (i + 1) * length);
  return [row(j), row(k)];
}

/** out += a d + b c, element by element. */
function addProducts(
  out: Float64Array,
  a: Float64Array,
  b: Float64Array,
  c: Float64Array,
  d: Float64Array,
): void {
  for (let s = 0; s < out.length; s++) out[s] += a[s] * d[s] + b[s] * c[s];
}

function multiply(values: Float64Array, by: Float64Array): void {
  for (let s = 0; s < values.length; s++) values[s] *= by[s];
}

/** Centres the values and scales them to mean square 1, both weighted; returns the scale. */
function standardise(values: Float64Array, weights: Float64Array | undefined): number {
  const { length } = values;
  const sum = weights ? dotRange(weights, 0, values, 0, length) : sumRange(values, 0, length);
  const mean = sum / length;
  for (let s = 0; s < length; s++) values[s] -= mean;
  if (!weights) return normalise(values);
  let square = 0;
  for (let s = 0; s < length; s++) square += weights[s] * values[s] * values[s];
  return divide(values, Math.sqrt(square / length));
}

/** Scales to mean square 1; returns the old root mean square, 0 if it was 0 or not finite. */
function normalise(values: Float64Array): number {
  return divide(values, Math.sqrt(dotRange(values, 0, values, 0, values.length) / values.length));
}

/** Divides by a scale and returns it, or 0 if it is 0 or not finite. */
function divide(values: Float64Array, scale: number): number {
  if (!(scale > 0 && scale < Infinity)) return 0;
  const factor = 1 / scale;
  for (let s = 0; s < values.length; s++) values[s] *= factor;
  return scale;
}
