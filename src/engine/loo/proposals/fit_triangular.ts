/** Fits a triangular proposal to importance draws. */
import { type Columns, columnsOf, productsOfColumns } from "../../../numerics/wasm/mod.ts";
import {
  addTimes,
  cholesky,
  dotRange,
  solveLower,
  solveUpper,
  takeColumn,
  takeLogs,
} from "../../../numerics/math/mod.ts";
import { type Conditional, widthOf } from "./conditional.ts";
import { addFeatures, featureCount } from "./features.ts";
import { fitSplit } from "./split_student.ts";
import { TriangularProposal } from "./triangular.ts";
import type { Normalised } from "./weights.ts";
import { thresholds } from "../thresholds.ts";

/**
 * Every coordinate's regression on the features of those before it, of its width on the coordinates
 * themselves, and its noise: weighted least squares with a ridge that is the heavier, the more
 * weights there are and the fewer draws. `undefined` where nothing is left of a coordinate.
 */
export function fitTriangular(
  draws: StandardisedDraws,
  { weights, effective }: Normalised,
): TriangularProposal | undefined {
  const { centre, scale } = draws;
  const products = new WeightedProducts(draws, weights);
  const conditionals = Array.from(centre, (_, j) => conditionalOf(products, j, effective));
  if (!conditionals.every(isProper)) return undefined;
  return new TriangularProposal({ centre, scale, conditionals });
}

/** Draws in units of their own weighted standard deviations, and their features. */
export interface StandardisedDraws {
  /** Weighted means, and standard deviations `[dimension]`. */
  readonly centre: Float64Array;
  readonly scale: Float64Array;
  /** By feature `[draws]`: all that regressions use, and last the last coordinate. */
  readonly features: Columns;
  /** By coordinate, clamped `[draws]`. */
  readonly near: Columns;
}

/**
 * @param positions `[draws, dimension]`.
 * @returns `undefined` where a coordinate does not vary.
 */
export function standardised(
  positions: Float64Array,
  dimension: number,
  { weights }: Normalised,
): StandardisedDraws | undefined {
  const d = dimension;
  const [centre, scale] = standardisation(positions, d, weights);
  if (!scale.every((one, j) => varies(one, centre[j]))) return undefined;
  const features = columnsOf(featureCount(d - 1) + 1, weights.length);
  const near = columnsOf(d, weights.length);
  features[0].fill(1);
  for (let j = 0; j < d; j++) {
    const z = features[featureCount(j)];
    takeColumn(positions, j, d, z);
    for (let s = 0; s < z.length; s++) z[s] = (z[s] - centre[j]) / scale[j];
    addFeatures(j, near, features, z.length);
  }
  return { centre, scale, features, near };
}

/** Whether values with this mean and standard deviation differ by more than they are rounded. */
function varies(sd: number, mean: number): boolean {
  return sd > thresholds.minRelativeSpread * Math.abs(mean) && sd > 1e-150 && sd < 1e150;
}

/** Weighted means and standard deviations. */
function standardisation(positions: Float64Array, d: number, weights: Float64Array) {
  const centre = new Float64Array(d);
  const scale = new Float64Array(d);
  for (let s = 0; s < weights.length; s++) {
    for (let j = 0; j < d; j++) centre[j] += weights[s] * positions[s * d + j];
  }
  for (let s = 0; s < weights.length; s++) {
    for (let j = 0; j < d; j++) {
      const rest = positions[s * d + j] - centre[j];
      scale[j] += weights[s] * rest * rest;
    }
  }
  return [centre, scale.map(Math.sqrt)];
}

/** The weighted products of what regressions need. */
class WeightedProducts {
  readonly count: number;
  /** Of any two features, lower triangle `[features, features]`. */
  readonly ofFeatures: Float64Array;
  /** Of any two clamped coordinates, the same. */
  readonly ofNear: Float64Array;
  readonly #weighted: Float64Array;

  constructor(readonly draws: StandardisedDraws, readonly weights: Float64Array) {
    this.count = weights.length;
    this.#weighted = new Float64Array(this.count);
    this.ofFeatures = productsOfColumns(draws.features, 0, this.count, weights);
    this.ofNear = productsOfColumns(draws.near, 0, this.count, weights);
  }

  /** `values` less `mean`, times the weights; until the next call. */
  weighted(values: Float64Array, mean: number = 0): Float64Array {
    const out = this.#weighted;
    for (let s = 0; s < this.count; s++) out[s] = this.weights[s] * (values[s] - mean);
    return out;
  }
}

/** The distribution of coordinate j given those before it. */
function conditionalOf(products: WeightedProducts, j: number, effective: number): Conditional {
  const { features, near } = products.draws;
  const slopes = slopesOf(products, j, effective);
  const rest = features[featureCount(j)].slice();
  slopes.forEach((slope, p) => addTimes(rest, -slope, features[p], 0, 0, rest.length));
  const spreads = spreadsOf(products, j, rest, effective);
  divideByWidths(rest, spreads, near);
  const { mode, left, right } = fitSplit(rest, products.weights, effective);
  return {
    slopes,
    spreads,
    mode,
    left: thresholds.fitWidening * left,
    right: thresholds.fitWidening * right,
  };
}

function isProper({ mode, left, right }: Conditional): boolean {
  return left > 0 && right > 0 && Math.abs(mode) + left + right < Infinity;
}

/** Ridge regression of coordinate j on the features of those before it. */
function slopesOf(products: WeightedProducts, j: number, effective: number): Float64Array {
  const all = products.draws.features.length;
  const count = featureCount(j);
  const own = featureCount(j) * all;
  const slopes = products.ofFeatures.slice(own, own + count);
  const further = thresholds.quadraticShrinkage * count / effective;
  const ridge = new Float64Array(count).fill(further);
  ridge[0] = 0;
  for (let k = 0; k < j; k++) ridge[featureCount(k)] = thresholds.linearShrinkage / effective;
  return ridgeSolution(products.ofFeatures, all, ridge, slopes);
}

/** Ridge regression of the logarithm of what is left of coordinate j on those before it. */
function spreadsOf(
  products: WeightedProducts,
  j: number,
  rest: Float64Array,
  effective: number,
): Float64Array {
  if (j === 0) return new Float64Array(0);
  const { near } = products.draws;
  const logs = new Float64Array(rest.length);
  const { minResidual } = thresholds;
  for (let s = 0; s < rest.length; s++) {
    logs[s] = Math.max(minResidual, Math.abs(rest[s]));
  }
  takeLogs(logs);
  const own = products.weighted(logs, dotRange(logs, 0, products.weights, 0, rest.length));
  const spreads = new Float64Array(j);
  for (let k = 0; k < j; k++) spreads[k] = dotRange(own, 0, near[k], 0, rest.length);
  const ridge = new Float64Array(j).fill(thresholds.widthShrinkage / effective);
  return ridgeSolution(products.ofNear, near.length, ridge, spreads);
}

/** (A + diag ridge)⁻¹ b for the leading part of `products` `[stride, stride]`, into b; 0 without. */
function ridgeSolution(
  products: Float64Array,
  stride: number,
  ridge: Float64Array,
  b: Float64Array,
): Float64Array {
  const n = b.length;
  const matrix = new Float64Array(n * n);
  for (let p = 0; p < n; p++) {
    for (let q = 0; q <= p; q++) matrix[p * n + q] = products[p * stride + q];
    matrix[p * n + p] += ridge[p];
  }
  if (!cholesky(matrix, n)) return b.fill(0);
  solveLower(matrix, n, b);
  solveUpper(matrix, n, b);
  return b;
}

/** Divides what is left by the width that the coordinates before it say. */
function divideByWidths(
  rest: Float64Array,
  spreads: Float64Array,
  near: Columns,
): void {
  if (spreads.length === 0) return;
  const exponents = new Float64Array(rest.length);
  spreads.forEach((spread, k) => addTimes(exponents, spread, near[k], 0, 0, rest.length));
  const { maxWidthExponent } = thresholds;
  for (let s = 0; s < rest.length; s++) rest[s] /= widthOf(exponents[s], maxWidthExponent);
}
