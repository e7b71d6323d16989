/** The distribution of one coordinate given those before it, for many vectors at once. */
import { type Columns, columnsOf } from "../../../numerics/wasm/mod.ts";
import { addTimes } from "../../../numerics/math/mod.ts";
import { featureCount } from "./features.ts";
import { mostAtOnce } from "./proposal.ts";
import type { SplitScale } from "./split_student.ts";
import { thresholds } from "../thresholds.ts";

/** The distribution of one coordinate, standardised, given those before it. */
export interface Conditional extends SplitScale {
  /** Weights of the features of the coordinates before in its mean `[featureCount]`. */
  readonly slopes: Float64Array;
  /** Weights of the clamped coordinates before in the exponent of its width `[coordinate]`. */
  readonly spreads: Float64Array;
}

/** About e^exponent up to `most`, from × ÷ + alone: where proposals are wide is for them to choose. */
export function widthOf(exponent: number, most: number): number {
  const x = Math.min(most, Math.abs(exponent));
  const width = 1 + x * (1 + x * (0.5 + x * (1 / 6)));
  return exponent < 0 ? 1 / width : width;
}

/** Buffers of the vectors that are computed at once, each a column of `mostAtOnce`. */
export interface Workspace {
  /** Features of regressions, the standardised coordinates among them. */
  readonly features: Columns;
  /** Coordinates, clamped. */
  readonly near: Columns;
  /** Of the coordinate at hand: its noise in widths of its side, its mean, and its width. */
  readonly distance: Float64Array;
  readonly mean: Float64Array;
  readonly width: Float64Array;
  /** Products over coordinates: of their widths, and of 1 + t² / 8 for both kinds of draws. */
  readonly widths: Float64Array;
  readonly narrow: Float64Array;
  readonly wide: Float64Array;
}

const workspaces: Workspace[] = [];

/** Workspace of vectors of `d` coordinates; valid until the next caller asks for it. */
export function workspaceOf(d: number): Workspace {
  return workspaces[d] ??= newWorkspace(d);
}

function newWorkspace(d: number): Workspace {
  const [distance, mean, width, widths, narrow, wide] = columnsOf(6, mostAtOnce);
  const features = columnsOf(featureCount(d - 1) + 1, mostAtOnce);
  features[0].fill(1);
  const near = columnsOf(d, mostAtOnce);
  return { near, features, distance, mean, width, widths, narrow, wide };
}

/** Writes the means that the coordinates before it give one. */
export function writeMeans(
  { mean, features }: Workspace,
  { slopes }: Conditional,
  count: number,
): void {
  mean.fill(slopes[0], 0, count);
  for (let p = 1; p < slopes.length; p++) {
    if (slopes[p] !== 0) addTimes(mean, slopes[p], features[p], 0, 0, count);
  }
}

/** Writes the widths, or with sign −1 one over them, and multiplies them into those so far. */
export function writeWidths(
  { width, widths, near }: Workspace,
  { spreads }: Conditional,
  sign: number,
  count: number,
): void {
  width.fill(0, 0, count);
  for (let k = 0; k < spreads.length; k++) {
    if (spreads[k] !== 0) addTimes(width, spreads[k], near[k], 0, 0, count);
  }
  const { maxWidthExponent } = thresholds;
  for (let s = 0; s < count; s++) {
    width[s] = widthOf(sign * width[s], maxWidthExponent);
    widths[s] *= width[s];
  }
}

/** Coordinate j from its noise. */
export function drawCoordinate(
  { features, distance, mean, width }: Workspace,
  { mode, left, right }: Conditional,
  j: number,
  count: number,
): void {
  const out = features[featureCount(j)];
  for (let s = 0; s < count; s++) {
    const rest = mode + distance[s] * (distance[s] < 0 ? left : right);
    out[s] = mean[s] + rest * width[s];
  }
}

/** The noise of coordinate j, where `width` is one over its width. */
export function measureCoordinate(
  { features, distance, mean, width }: Workspace,
  { mode, left, right }: Conditional,
  j: number,
  count: number,
): void {
  const own = features[featureCount(j)];
  const [perLeft, perRight] = [1 / left, 1 / right];
  for (let s = 0; s < count; s++) {
    const rest = (own[s] - mean[s]) * width[s] - mode;
    distance[s] = rest * (rest < 0 ? perLeft : perRight);
  }
}
