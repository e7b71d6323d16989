/** The shared allowance of gradient evaluations: work is limited by counting, never by clocks. */

/** Gradient evaluations used so far and allowed in all; samplers add to `used` as they go. */
export interface GradientBudget {
  /** Gradient evaluations so far. */
  used: number;
  /** Gradient evaluations allowed in all. */
  readonly limit: number;
}

/** Why chains could not be sampled. An expected event, so a value. */
export type SamplingFailure = { readonly kind: "budget" } | { readonly kind: "no_finite_start" };
