/** The clipped surrogate of proximal policy optimisation, action by action. */
import { z } from "../../base/zod.ts";
import { exp } from "../../numerics/math/mod.ts";
import type { Batch, Scores } from "../trajectories/trajectory.ts";

/** `clip`: how far a step may change a probability. */
export const clip = z.number().positive().max(1).default(0.2)
  .describe("how far a step may change a probability");

/** `epochs`: steps on one batch; each objective has its own default. */
export const epochs = z.int().positive().describe("gradient steps on one batch");

/** Loss of the clipped surrogate on a batch. */
interface Surrogate {
  /** −(1/B) Σ min(ρ A, clip(ρ) A). */
  readonly loss: number;
  /** Share of actions whose ratio was clipped, so that they have no gradient. */
  readonly clippedShare: number;
}

/**
 * L = −(1/B) Σ_τ Σ_t min(ρ A, clip(ρ, 1 − c, 1 + c) A) with ρ = P_F / P_F of the first step on this
 * batch (Schulman et al. 2017, arXiv 1707.06347, equation 7); adds its gradient to `logPf`.
 *
 * @param advantages `[B, T]`, not differentiated.
 */
export function clippedSurrogate(
  scores: Scores,
  first: Scores,
  batch: Batch,
  advantages: Float64Array,
  clip: number,
  logPf: Float64Array,
): Surrogate {
  let [loss, clipped, actions] = [0, 0, 0];
  for (let b = 0; b < batch.B; b++) {
    for (let t = 0, at = b * batch.T; t < batch.lengths[b]; t++, at++) {
      const ratio = exp(scores.logPf[at] - first.logPf[at]);
      const bounded = Math.max(1 - clip, Math.min(1 + clip, ratio));
      const gain = ratio * advantages[at];
      const isClipped = bounded * advantages[at] < gain;
      loss -= isClipped ? bounded * advantages[at] : gain;
      if (isClipped) clipped++;
      else logPf[at] -= gain / batch.B;
      actions++;
    }
  }
  return { loss: loss / batch.B, clippedShare: clipped / actions };
}
