/** Thresholds of smoothed importance sampling. */

/** By name, with the source of each. */
export const psisThresholds = {
  /** Pareto k above which smoothed averages are not trusted, however many the draws. */
  maxGoodK: {
    value: 0.7,
    source:
      "Vehtari et al. 2024, section 3.2.4: beyond 0.7 the draws that are needed grow impractically.",
  },
  /** Ratios that a tail must have to be smoothed. */
  minTailToSmooth: {
    value: 5,
    source: "arviz-stats, `_psislw`: a tail of fewer than 5 is left as it is.",
  },
  /** Draws of the tail that the prior of k counts for. */
  paretoPriorDraws: {
    value: 10,
    source: "Vehtari et al. 2024, weak prior on k; arviz-stats, `_gpdfit`.",
  },
  /** Shape that this prior prefers. */
  paretoPriorK: {
    value: 0.5,
    source: "Vehtari et al. 2024, weak prior on k; arviz-stats, `_gpdfit`.",
  },
  /** Points of the grid of the fit, beside the root of the tail's length. */
  paretoGrid: {
    value: 30,
    source: "Zhang and Stephens 2009; arviz-stats, `_gpdfit`.",
  },
  /** Quartiles that the grid reaches to. */
  paretoGridScale: {
    value: 3,
    source: "Zhang and Stephens 2009, prior of b; arviz-stats, `_gpdfit`.",
  },
  /** Ratios that a tail must have for its shape to be estimated. */
  minTail: {
    value: 5,
    source: "arviz-stats, `_psislw`, as for smoothing.",
  },
  /** log p(y_i | y) − log p(y_i | y_-i), nats, above which an observation is influential and refitted from k = ½ on. */
  influentialDifference: {
    value: 0.2,
    source:
      "Measured against long runs of PyMC: smoothing was too optimistic by up to 0.3 nats for such observations.",
  },
  /** Pareto k above which ratios have no finite variance. */
  finiteVarianceK: {
    value: 0.5,
    source: "Vehtari et al. 2024, section 3.",
  },
  /** Posterior variance of log L_i up to which ratios are averaged as they are. */
  plainVariance: {
    value: 0.35,
    source:
      "Measured: smoothing light tails, whose k its prior draws to one half, was 0.08 nats too low over 200 observations.",
  },
  /** Quantities up to which the draws' efficiency is that of the quantities; above, of the positions. */
  maxQuantities: {
    value: 128,
    source:
      "A round number: the mean over more quantities costs more than an estimate and says the same.",
  },
} as const;
