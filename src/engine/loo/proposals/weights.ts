/** Importance weights: their effective number of draws, and how to raise it. */
import { exponentials, largest, sumRange } from "../../../numerics/math/mod.ts";
import { thresholds } from "../thresholds.ts";

/** Effective number of draws: (Σ w)² / Σ w² (Kong 1992); 0 if all are 0. */
export function effectiveSize(weights: Float64Array): number {
  let sum = 0;
  let square = 0;
  for (let s = 0; s < weights.length; s++) {
    sum += weights[s];
    square += weights[s] * weights[s];
  }
  return square > 0 ? sum * sum / square : 0;
}

/** Weights `[draws]` with sum 1, and their effective number of draws. */
export interface Normalised {
  readonly weights: Float64Array;
  readonly effective: number;
}

/** e^values with sum 1. `values` have a finite maximum. */
export function normalised(values: Float64Array): Normalised {
  const weights = new Float64Array(values.length);
  exponentials(values, largest(values), weights);
  return summingToOne(weights);
}

/**
 * Weights to the largest power, at most 1, at which `wanted` draws are effective (Koblents and Míguez
 * 2015): one draw that outweighs all others shows the place of the target, not its width. The power is a
 * sum of halves, quarters …, and so the weights are products of their own square roots.
 */
export function tempered(logWeights: Float64Array, wanted: number): Normalised {
  const whole = normalised(logWeights);
  if (whole.effective >= wanted) return whole;
  const top = largest(whole.weights);
  const root = new Float64Array(logWeights.length);
  let kept = new Float64Array(logWeights.length);
  let next = new Float64Array(logWeights.length);
  for (let s = 0; s < root.length; s++) {
    root[s] = whole.weights[s] / top;
    kept[s] = logWeights[s] > -Infinity ? 1 : 0;
  }
  for (let k = 0; k < thresholds.powerHalvings; k++) {
    for (let s = 0; s < root.length; s++) {
      root[s] = Math.sqrt(root[s]);
      next[s] = kept[s] * root[s];
    }
    if (effectiveSize(next) >= wanted) [kept, next] = [next, kept];
  }
  return summingToOne(kept);
}

/** Divides the weights by their sum. */
function summingToOne(weights: Float64Array): Normalised {
  const scale = 1 / sumRange(weights, 0, weights.length);
  for (let s = 0; s < weights.length; s++) weights[s] *= scale;
  return { weights, effective: effectiveSize(weights) };
}
