/** Noises about a growth curve, as the model space asks for them: a family, and of some how it spreads. */
import type { Spread } from "./curve_fit.ts";
import type { GrowthScales } from "./mean_curves.ts";

/** Families that the vocabulary has. */
export const growthFamilies = ["normal", "student_t", "log_normal"] as const;

/** A noise. */
export interface Noise {
  /** Answer to `family`. */
  readonly family: (typeof growthFamilies)[number];
  /** Answer to `spread`; families whose spread is a share ask nothing. */
  readonly spread?: "constant" | "proportional";
}

/** Noises in the order of the vocabulary. */
export const noises: readonly Noise[] = [
  { family: "normal", spread: "constant" },
  { family: "normal", spread: "proportional" },
  { family: "student_t", spread: "constant" },
  { family: "student_t", spread: "proportional" },
  { family: "log_normal" },
];

/** Scale of the deviations of rows under a noise. */
export function spreadOf({ spread }: Noise): Spread {
  return spread ?? "logarithm";
}

/** Standard deviation of the half-normal prior of a noise. */
export function noiseDeviation({ family }: Noise, { deviation, mean }: GrowthScales): number {
  return family === "log_normal" ? deviation / mean : deviation;
}
