/** Features of earlier coordinates that the regression of a coordinate may use. */
import type { Columns } from "../../../numerics/wasm/mod.ts";
import { thresholds } from "../thresholds.ts";

/** `value`, or the end of (−most, most) that it lies beyond. */
function clamped(value: number, most: number): number {
  return value > most ? most : value < -most ? -most : value;
}

/** How many features there are of the first `coordinates` coordinates: 1, 3, 6, 10, 14, 18 … */
export function featureCount(coordinates: number): number {
  return coordinates < 2 ? 1 + 2 * coordinates : 4 * coordinates - 2;
}

/**
 * Writes the features that coordinate k adds behind those of the coordinates before it: itself, which
 * is there already, its square less 1, and its products with the first two coordinates, which in
 * hierarchies are the mean and the scale of others. Features of coordinate j's regression are so the
 * first `featureCount(j)` of all. The last coordinate adds none but itself.
 *
 * @param features `[count]` each; the first is the constant 1.
 * @param near coordinates, clamped `[count]`: the k-th is written, those before it are read.
 */
export function addFeatures(k: number, near: Columns, features: Columns, count: number): void {
  let at = featureCount(k);
  const own = near[k];
  const z = features[at++];
  const { maxFeatureDistance } = thresholds;
  for (let s = 0; s < count; s++) own[s] = clamped(z[s], maxFeatureDistance);
  if (at === features.length) return;
  const square = features[at++];
  for (let s = 0; s < count; s++) square[s] = own[s] * own[s] - 1;
  for (const other of near.slice(0, Math.min(k, 2))) {
    const product = features[at++];
    for (let s = 0; s < count; s++) product[s] = other[s] * own[s];
  }
}
