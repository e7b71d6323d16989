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

/**
 * Gradients after which samplers yield, so that a worker can do something else in between. A yield
 * passes through a dozen generators; after each transition that would cost as much as the gradients
 * of a small program.
 */
export const gradientsPerYield = 64;
