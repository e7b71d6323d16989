/** Student's t with eight degrees of freedom, of one width to the left and another to the right. */
import { dotRange } from "../../../numerics/math/mod.ts";
import { thresholds } from "../thresholds.ts";

/** Γ(9/2) / (Γ(4) √(8π)): the density at the mode, where both widths are 1. */
export const peakDensity = 0.386699020961393;

/** By what the density of s = |t| / √(8 + t²) is (1 − s²)³. */
const normalisation = 35 / 16;

/**
 * The distance |t| that is exceeded with probability `tail`, in (0, 1]. For eight degrees of freedom
 * that probability is a polynomial in e = 1 − |t| / √(8 + t²), about 35/8 e⁴ where it is small, and
 * two of Newton's steps from a cubic in its fourth root find e to ten digits.
 */
export function distanceBeyond(tail: number): number {
  const y = Math.sqrt(Math.sqrt(tail));
  let e = y * (0.68963 + y * (0.19398 + y * (-0.14218 + y * 0.25479)));
  e -= newtonStep(e, tail);
  e -= newtonStep(e, tail);
  return e < 1 ? (1 - e) * Math.sqrt(8 / (e * (2 - e))) : 0;
}

function newtonStep(e: number, tail: number): number {
  const square = e * e;
  const rest = e * (2 - e);
  const beyond = square * square * (2 + e * (-2.4 + e * (1 - e / 7)));
  return (beyond - tail / normalisation) / (rest * rest * rest);
}

/** Where a density has its mode, and how wide it is to each side. */
export interface SplitScale {
  /** Where both sides meet. */
  readonly mode: number;
  /** Width below the mode, > 0. */
  readonly left: number;
  /** Width above the mode, > 0. */
  readonly right: number;
}

/** Mean of |z| for a standard normal z: √(2/π). */
const meanDistance = 0.7978845608028654;

/**
 * The split normal (John 1982) with mean, variance and skewness of the values; the skewness is
 * brought closer to 0 where few draws are effective.
 *
 * @param values `[draws]`.
 * @param weights `[draws]`, with sum 1.
 * @param effective effective number of draws of the weights.
 */
export function fitSplit(
  values: Float64Array,
  weights: Float64Array,
  effective: number,
): SplitScale {
  const mean = dotRange(values, 0, weights, 0, values.length);
  let square = 0;
  let cube = 0;
  for (let s = 0; s < values.length; s++) {
    const rest = values[s] - mean;
    const part = weights[s] * rest * rest;
    square += part;
    cube += part * rest;
  }
  const skewness = cube / (square * Math.sqrt(square)) * effective /
    (effective + thresholds.symmetricDraws);
  const right = rightWidth(Math.abs(skewness));
  const [l, r] = skewness < 0 ? [right, 1 / right] : [1 / right, right];
  const scale = Math.sqrt(square / moments(r).variance);
  return { mode: mean - scale * meanDistance * (r - l), left: scale * l, right: scale * r };
}

/** Moments of a split normal with the widths 1 / r and r. */
function moments(r: number): { readonly variance: number; readonly skewness: number } {
  const gap = r - 1 / r;
  const squared = gap * gap;
  const variance = (1 - meanDistance * meanDistance) * squared + 1;
  const cube = meanDistance * gap * ((2 * meanDistance * meanDistance - 1) * squared + 1);
  return { variance, skewness: cube / (variance * Math.sqrt(variance)) };
}

/** The width r at which a split normal with the other width 1 / r has this skewness, ≥ 0. */
function rightWidth(skewness: number): number {
  let [low, high] = [1, Math.sqrt(thresholds.maxWidthRatio)];
  for (let k = 0; k < thresholds.widthHalvings; k++) {
    const middle = 0.5 * (low + high);
    if (moments(middle).skewness < skewness) low = middle;
    else high = middle;
  }
  return low;
}
