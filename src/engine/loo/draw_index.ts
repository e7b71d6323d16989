/** Draws of indices by their weights. */
import { indexAbove } from "../../numerics/math/mod.ts";
import type { RandomStream } from "../../base/random.ts";
import { normalised } from "./proposals/weights.ts";

/** A function that draws an index with the probabilities that these log weights are. */
export function drawIndex(logWeights: ArrayLike<number>): (random: RandomStream) => number {
  const { weights } = normalised(Float64Array.from(logWeights));
  const ends = new Float64Array(weights.length);
  let sum = 0;
  weights.forEach((w, i) => ends[i] = sum += w);
  return (random) => indexAbove(ends, random.uniform() * sum);
}
