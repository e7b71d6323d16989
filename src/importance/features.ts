/** What the regression of a coordinate on the coordinates before it may use. */

/** Standardised coordinates beyond which features that are not linear stay as they are. */
const far = 4;

/** `value`, or the end of (−4, 4) that it lies beyond. */
export function clamped(value: number): number {
  return value > far ? far : value < -far ? -far : value;
}

/** How many features there are of the first `coordinates` coordinates: 1, 3, 6, 10, 14, 18 … */
export function featureCount(coordinates: number): number {
  return coordinates < 2 ? 1 + 2 * coordinates : 4 * coordinates - 2;
}

/**
 * Writes the features that coordinate k adds behind those of the coordinates before it: itself, its
 * square less 1, and its products with the first two coordinates, which in hierarchies are the mean
 * and the scale of others. `features[0]` is the constant 1. Features of coordinate j's regression
 * are so the first `featureCount(j)` of all.
 *
 * @param z standardised coordinates; of those up to k, the k-th is read.
 * @param near the same, clamped.
 */
export function writeFeatures(
  z: Float64Array,
  near: Float64Array,
  k: number,
  features: Float64Array,
): void {
  let at = featureCount(k);
  const own = near[k];
  features[at++] = z[k];
  features[at++] = own * own - 1;
  if (k > 0) features[at++] = near[0] * own;
  if (k > 1) features[at++] = near[1] * own;
}
