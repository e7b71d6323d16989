/** Mean and median of values in parts, each part of a weight of its own. */

/** Values, each of which has the same weight. */
interface WeightedPart {
  readonly values: Float64Array;
  readonly weight: number;
}

/** Σ weight · value; weights of all values add up to 1. */
export function weightedMean(parts: readonly WeightedPart[]): number {
  let sum = 0;
  for (const { values, weight } of parts) {
    for (let i = 0; i < values.length; i++) sum += weight * values[i];
  }
  return sum;
}

/**
 * The least value with half of the weight at or below it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { weightedMedian } from "./weighted_values.ts";
 * const parts = [
 *   { values: Float64Array.of(5, 1, 3), weight: 0.1 },
 *   { values: Float64Array.of(4), weight: 0.7 },
 * ];
 * assert.equal(weightedMedian(parts), 4);
 * ```
 */
export function weightedMedian(parts: readonly WeightedPart[]): number {
  const sorted = parts.map(({ values, weight }) => ({ values: values.toSorted(), weight, at: 0 }));
  let [left, last] = [0.5, NaN];
  while (left > 0) {
    let next: typeof sorted[number] | undefined;
    for (const part of sorted) {
      if (part.at === part.values.length) continue;
      if (!next || part.values[part.at] < next.values[next.at]) next = part;
    }
    if (!next) return last;
    last = next.values[next.at++];
    left -= next.weight;
  }
  return last;
}
