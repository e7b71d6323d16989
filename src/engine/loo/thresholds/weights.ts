/** Thresholds of model weights. */

/** By name, with the source of each. */
export const weightsThresholds = {
  /** How far, relatively, the stacked score may be from its maximum. */
  stackingGap: {
    value: 1e-10,
    source: "A bound by duality (Lindsay 1983); ten digits of the score.",
  },
  /** Steps of the stacking iteration at most. */
  maxStackingSteps: {
    value: 200_000,
    source: "A round number: a guard against iterations without end.",
  },
  /** Replications of the Bayesian bootstrap. */
  bootstraps: {
    value: 1000,
    source: "Default of the R package loo, `pseudobma_weights`.",
  },
} as const;
