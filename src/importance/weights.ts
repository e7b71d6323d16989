/** Importance weights: how many draws they are worth, and how to make that more. */
import { exponentials } from "../math/exponentials.ts";
import { sumRange } from "../math/ranges.ts";

/** Halvings of the power to which weights are taken. */
const halvings = 12;

/** Draws that the weights are worth: (Σ w)² / Σ w² (Kong 1992); 0 if all are 0. */
export function effectiveSize(weights: Float64Array): number {
  let sum = 0;
  let square = 0;
  for (const w of weights) {
    sum += w;
    square += w * w;
  }
  return square > 0 ? sum * sum / square : 0;
}

/** Weights `[draws]` with sum 1, and how many draws they are worth. */
export interface Normalised {
  readonly weights: Float64Array;
  readonly effective: number;
}

/** e^(power · values) with sum 1. `values` have a finite maximum. */
export function normalised(values: Float64Array, power: number = 1): Normalised {
  let top = -Infinity;
  for (const v of values) if (v > top) top = v;
  const weights = values.map((v) => power * (v - top));
  exponentials(weights, 0, weights);
  const scale = 1 / sumRange(weights, 0, weights.length);
  for (let s = 0; s < weights.length; s++) weights[s] *= scale;
  return { weights, effective: effectiveSize(weights) };
}

/**
 * Weights to the largest power, at most 1, at which they are worth `wanted` draws (Koblents and
 * Míguez 2015): one draw that outweighs all others says where the target is, not how wide.
 */
export function tempered(logWeights: Float64Array, wanted: number): Normalised {
  const whole = normalised(logWeights);
  if (whole.effective >= wanted) return whole;
  let [low, high] = [0, 1];
  for (let k = 0; k < halvings; k++) {
    const middle = 0.5 * (low + high);
    if (normalised(logWeights, middle).effective >= wanted) low = middle;
    else high = middle;
  }
  return normalised(logWeights, low);
}
