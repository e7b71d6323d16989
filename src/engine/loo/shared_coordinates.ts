/** The coordinates of a posterior that are left when a latent is integrated out. */
import type { RowLatents } from "../../numerics/math/mod.ts";
import type { PositionSet } from "./posterior.ts";

/** Which of `dimension` coordinates are not those of the latent, rising. */
export function sharedCoordinates({ offset, elements }: RowLatents, dimension: number): Int32Array {
  return Int32Array.from({ length: dimension }, (_, k) => k)
    .filter((k) => k < offset || k >= offset + elements);
}

/** Draws of these coordinates alone. */
export function projected(
  { chains, draws, dimension, positions }: PositionSet,
  coordinates: Int32Array,
): PositionSet {
  const d = coordinates.length;
  const own = new Float64Array(chains * draws * d);
  for (let at = 0; at < own.length; at++) {
    own[at] = positions[Math.floor(at / d) * dimension + coordinates[at % d]];
  }
  return { chains, draws, dimension: d, positions: own };
}
