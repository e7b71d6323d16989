/** Noises about a growth curve, as the model space asks for them: a family, and of some how it spreads. */
import type { Spread } from "./curve_fit.ts";

/** A noise. */
export interface Noise {
  /** Answer to `family`. */
  readonly family: "normal" | "student_t" | "log_normal";
  /** Answer to `spread`; families whose spread is a share ask nothing. */
  readonly spread?: "constant" | "proportional";
}

/** In the order of the vocabulary. */
export const noises: readonly Noise[] = [
  { family: "normal", spread: "constant" },
  { family: "normal", spread: "proportional" },
  { family: "student_t", spread: "constant" },
  { family: "student_t", spread: "proportional" },
  { family: "log_normal" },
];

/** Families that the vocabulary has. */
export const growthFamilies: readonly ("normal" | "student_t" | "log_normal")[] = [
  "normal",
  "student_t",
  "log_normal",
];

/** How rows differ from the curve under a noise. */
export function spreadOf({ spread }: Noise): Spread {
  return spread ?? "logarithm";
}
