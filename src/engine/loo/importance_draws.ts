/** Draws of a posterior as its score made them: weighted, and resampled where chains do not mix. */
import type { RandomStream } from "../../base/random.ts";
import type { PointwiseDensity } from "../../numerics/math/mod.ts";
import type { MarginalPosterior } from "./marginal.ts";
import { normalised } from "./proposals/weights.ts";

/** Positions of a posterior, each with a log weight. */
export interface ImportanceDraws {
  /** The posterior that the positions belong to, or whose coordinates `complete` adds. */
  readonly density: PointwiseDensity;
  /** `[draws, dimension]` of what was weighted. */
  readonly positions: Float64Array;
  /** `[draws]`. */
  readonly logWeights: Float64Array;
  /** Effective number of draws. */
  readonly effective: number;
  /** Whether they are of several modes, of which chains would find each its own. */
  readonly several: boolean;
  /** Writes a whole vector for what was weighted without its latents. */
  readonly complete?: MarginalPosterior["complete"];
}

/**
 * `count` positions of the posterior, equally likely and in no order `[count, dimension]`: systematic
 * resampling, shuffled. `undefined` where latents cannot be drawn.
 */
export function resampled(
  draws: ImportanceDraws,
  count: number,
  random: RandomStream,
): Float64Array | undefined {
  const { density: { dimension }, positions, logWeights, complete } = draws;
  const own = positions.length / logWeights.length;
  const out = new Float64Array(count * dimension);
  for (const [s, from] of picked(logWeights, count, random).entries()) {
    if (!complete) out.set(positions.subarray(from * own, (from + 1) * own), s * dimension);
    else if (!complete(positions, from * own, random, out, s * dimension)) return undefined;
  }
  return out;
}

/** Indices of draws, as often as their weights have it (Kitagawa 1996), shuffled. */
function picked(logWeights: Float64Array, count: number, random: RandomStream): Int32Array {
  const { weights } = normalised(logWeights);
  const out = new Int32Array(count);
  const offset = random.uniform();
  let [from, sum] = [0, weights[0]];
  for (let s = 0; s < count; s++) {
    while (sum < (s + offset) / count && from + 1 < weights.length) sum += weights[++from];
    out[s] = from;
  }
  for (let s = count - 1; s > 0; s--) {
    const other = random.below(s + 1);
    [out[s], out[other]] = [out[other], out[s]];
  }
  return out;
}
