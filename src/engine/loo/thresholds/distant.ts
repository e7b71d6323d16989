/** Thresholds of observations whose leave-one-out posterior is distant: when it gets draws of its own. */

/** By name, with the source of each. */
export const distantThresholds = {
  /** Posterior variance of log L_i from which a leave-one-out posterior may be distant. */
  distantCandidateVariance: {
    value: 0.3,
    source:
      "With leverage h and no residual the variance is h² / 2: above, h is 0.77 or more, and the posterior without the row twice as wide.",
  },
  /** Nats of a row's likelihood beyond which differences of log densities have too few digits. */
  mostExactNats: {
    value: 1e9,
    source: "A double near 10⁹ is exact to 10⁻⁷.",
  },
  /** Standard deviations of the posterior between its mode and the one without the row. */
  distantShift: {
    value: 2,
    source: "A round number: as far as most draws of the posterior reach.",
  },
  /** Factor by which the posterior without the row has more volume. */
  distantWidening: {
    value: 2,
    source: "A round number: about `wideFactor`, which proposals are widened by.",
  },
  /** Part of both that the approximation around one mode has to show for the other mode to be sought. */
  distantMargin: {
    value: 0.7,
    source: "A round number: a step of Newton's method from one mode falls short of the other.",
  },
  /** Observations that get draws of their own, at most. */
  mostDistant: {
    value: 2,
    source:
      "Measured: where three to seven of eight rows decide a growth curve, scores were up to 7 errors too high.",
  },
  /** Tail shape of the weights of such draws up to which their mean is trusted. */
  maxDistantShape: {
    value: 0.5,
    source: "As `unreliableK`: above, the variance of a weight is not finite.",
  },
  /** Part of the error asked for that draws of posteriors without an observation may add. */
  distantErrorShare: {
    value: 0.5,
    source: "A round number: a quarter of the squared error.",
  },
} as const;
