/** Sensitivity of the answer to the prior over programs, by power-scaling. */
import type { ScoredSpace } from "./scored_space.ts";
import { normalised, totalVariation } from "./weights.ts";

/** Powers of the prior that are tried; 0 is a flat one. */
const priorPowers = [0, 0.5, 0.8, 1.25, 2] as const;

/** The target under one power of the prior. */
export interface ScaledPrior {
  readonly power: number;
  /** `[programs]`. */
  readonly weights: Float64Array;
  /** Total variation from the target. */
  readonly tv: number;
}

/**
 * Targets under powers of the prior (Kallioinen, Paananen, Bürkner and Vehtari 2024, Statistics and
 * Computing 34:57): the fit stays, and the log prior counts `power` times.
 */
export function priorSensitivity(
  { logReward, logPrior, priorWeight }: Pick<
    ScoredSpace,
    "logReward" | "logPrior" | "priorWeight"
  >,
  weights: Float64Array,
): ScaledPrior[] {
  return priorPowers.map((power) => {
    const more = (power - 1) * priorWeight;
    const scaled = normalised(logReward.map((one, k) => one + more * logPrior[k]));
    return { power, weights: scaled, tv: totalVariation(scaled, weights) };
  });
}
