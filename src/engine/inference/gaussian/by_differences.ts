/** Gradients of densities that have none of their own. */
import type { StartingRegion } from "../../../numerics/math/mod.ts";

/** Distance over which gradients are taken, in spreads of the starting region. */
const relativeStep = 1e-4;

/** A density whose value alone is known. */
interface Valued {
  readonly dimension: number;
  readonly startingRegion: StartingRegion;
  valueAlone(position: Float64Array, offset: number): number;
}

/**
 * `LogDensity.logDensity` by differences: good enough to climb by. Where one of them is no number, there is no
 * density.
 */
export function byDifferences(
  density: Valued,
  position: Float64Array,
  gradient: Float64Array,
  offset: number,
): number {
  const { dimension, startingRegion: { spread } } = density;
  const point = position.slice(offset, offset + dimension);
  const value = density.valueAlone(point, 0);
  let check = value - value;
  for (let k = 0; k < dimension; k++) {
    const before = point[k];
    const step = relativeStep * spread[k];
    point[k] = before + step;
    gradient[offset + k] = (density.valueAlone(point, 0) - value) / step;
    point[k] = before;
    check += gradient[offset + k] - gradient[offset + k];
  }
  if (check === 0) return value;
  gradient.fill(0, offset, offset + dimension);
  return -Infinity;
}
