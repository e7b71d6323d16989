/** Student's t with eight degrees of freedom, of one width to the left and another to the right. */
import type { Uniforms } from "../base/uniforms.ts";
import { dotRange } from "../math/ranges.ts";

/** Γ(9/2) / (Γ(4) √(8π)): the density at the mode, where both widths are 1. */
export const peakDensity = 0.386699020961393;

/**
 * |t| for t with eight degrees of freedom, by the polar method (Bailey 1994): for eight degrees it
 * needs square roots alone.
 */
export function drawDistance(uniforms: Uniforms): number {
  for (;;) {
    const u = 2 * uniforms.next() - 1;
    const v = 2 * uniforms.next() - 1;
    const w = u * u + v * v;
    if (w > 0 && w < 1) return Math.abs(u) * Math.sqrt(8 * (1 / Math.sqrt(Math.sqrt(w)) - 1) / w);
  }
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
/** Draws that the prior for a symmetric density is worth. */
const symmetricDraws = 100;
/** The largest ratio of the two widths, and how often the interval that it is sought in is halved. */
const maxRatio = 8;
const halvings = 20;

/**
 * The split normal (John 1982) with mean, variance and skewness of the values; the skewness is
 * brought closer to 0 where few draws are effective.
 *
 * @param values `[draws]`.
 * @param weights `[draws]`, with sum 1.
 * @param effective how many draws the weights are worth.
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
  const skewness = cube / (square * Math.sqrt(square)) * effective / (effective + symmetricDraws);
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
  let [low, high] = [1, Math.sqrt(maxRatio)];
  for (let k = 0; k < halvings; k++) {
    const middle = 0.5 * (low + high);
    if (moments(middle).skewness < skewness) low = middle;
    else high = middle;
  }
  return low;
}
