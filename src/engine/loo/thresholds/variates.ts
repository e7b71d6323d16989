/** Thresholds of control variates. */

/** By name, with the source of each. */
export const variatesThresholds = {
  /** Parts of the draws, each corrected with slopes from the others. */
  variateFolds: {
    value: 4,
    source:
      "As many as there are chains by default; measured: slopes that saw a draw's neighbours left a Poisson regression 0.013 nats too low at 500 draws.",
  },
  /** Ridge added to squared columns, whose mean square is 1. */
  variateRidge: {
    value: 1e-10,
    source:
      "A guard: a collinear column gets no slope; any value well above the rounding of 2⁻⁵² does.",
  },
  /** Relative correction of a mean below which its logarithm is corrected to first order. */
  minLogGain: {
    value: -0.5,
    source: "A round number: a mean that is more than halved is one of few effective draws.",
  },
  /** Draws that there must be per regressor. */
  drawsPerRegressor: {
    value: 10,
    source:
      "The rule of ten observations per regressor (Harrell 2015, section 4.4); with fewer, slopes are as noisy as what they take off.",
  },
  /** Dimension up to which products of different coordinates are regressors. */
  maxPairDimension: {
    value: 12,
    source: "Twelve coordinates have 90 regressors, as many as a thousand draws have room for.",
  },
} as const;
