/** Thresholds of proposals: how they are fitted. */

/** By name, with the source of each. */
export const proposalsThresholds = {
  /** Exponent of a width beyond which it stays as it is. */
  maxWidthExponent: {
    value: 2,
    source: "A round number: widths change by up to e² between draws.",
  },
  /** Standardised coordinates beyond which features that are not linear stay as they are. */
  maxFeatureDistance: {
    value: 4,
    source: "A round number: one normal draw in 16,000 is further out.",
  },
  /** Weight of the prior, in draws, for a linear feature. */
  linearShrinkage: {
    value: 1,
    source: "Unit information prior (Kass and Wasserman 1995).",
  },
  /** Weight of the prior, in draws, for any other feature, times their number. */
  quadraticShrinkage: {
    value: 2,
    source: "A round number: twice the linear one.",
  },
  /** Weight of the prior, in draws, for the weight of a coordinate in a width. */
  widthShrinkage: {
    value: 60,
    source:
      "A round number: the logarithm of a residual is noisier than the residual, by a variance of π² / 8.",
  },
  /** How much wider than the draws a proposal is. */
  fitWidening: {
    value: 1.05,
    source: "A round number: too wide costs little, too narrow much (Geweke 1989).",
  },
  /** Residuals of fewer standard deviations say nothing more about widths. */
  minResidual: {
    value: 0.0025,
    source: "A round number: a guard for the logarithm of a residual near 0.",
  },
  /** Standard deviation over the mean below which a coordinate does not vary. */
  minRelativeSpread: {
    value: 1e-12,
    source: "A guard: a few thousand units of rounding, 2⁻⁵².",
  },
  /** Factor of the first proposal's width over that of the curvature. */
  laplaceWidening: {
    value: 1.1,
    source: "A round number: a posterior is rarely narrower (Geweke 1989).",
  },
  /** Places to climb from. */
  climbs: {
    value: 4,
    source: "As many as there are chains.",
  },
  /** Nats of evidence below the best at which another mode does not matter. */
  maxEvidenceGap: {
    value: 10,
    source: "A round number: e⁻¹⁰ is a twenty-thousandth of the mass.",
  },
  /** Standard deviations between two ends of climbs that are one mode. */
  minModeDistance: {
    value: 4,
    source: "A round number: a proposal around one mode has draws at the other otherwise.",
  },
  /** By what share of itself a variance is enlarged. */
  covarianceRidge: {
    value: 1e-8,
    source: "A guard for coordinates that depend on each other: the root of the rounding, 2⁻²⁶.",
  },
  /** Weight of the prior for a symmetric density, in draws. */
  symmetricDraws: {
    value: 100,
    source:
      "A round number: the skewness of 100 normal draws has a standard deviation of a quarter.",
  },
  /** The largest ratio of the two widths. */
  maxWidthRatio: {
    value: 8,
    source: "A round number: a guard for values of few draws.",
  },
  /** How often the interval that the ratio is sought in is halved. */
  widthHalvings: {
    value: 20,
    source: "2⁻²⁰ of the interval: six digits.",
  },
  /** Share of the draws that are wide in all coordinates. */
  wideShare: {
    value: 0.3,
    source: "A defence (Hesterberg 1995); measured together with `wideFactor`.",
  },
  /** How much wider these are. */
  wideFactor: {
    value: 1.8,
    source:
      "Measured over 1,600 seeds of dugongs: 0.019 nats too high and a spread of 1.03 reported errors; with 1.5, 0.023 and 1.10.",
  },
  /** Halvings of the power to which weights are taken. */
  powerHalvings: {
    value: 12,
    source: "The power is known to 2⁻¹².",
  },
  /** Posterior variance of log L_i from which an observation is influential. */
  influentialVariance: {
    value: 0.1,
    source: "As `componentVariance` of mixtures.",
  },
  /** Observations whose own leave-one-out posteriors are fitted, the most influential. */
  maxLackingFits: {
    value: 4,
    source:
      "Measured: a Poisson regression's first 512 draws have an error of 0.067, 0.171 without any.",
  },
  /** Share of the posterior itself in what the proposal is fitted to. */
  proposalPosteriorShare: {
    value: 0.25,
    source: "As `mixturePosteriorShare`.",
  },
  /** How many times its mean a ratio may be before it is cut off. */
  maxRatio: {
    value: 1e8,
    source: "A guard: one draw of the fit would be all of its weight.",
  },
  /** Logarithm of a ratio at most. */
  maxLogRatio: {
    value: 600,
    source: "A guard, as `maxNats`.",
  },
  /** Effective draws of tempered weights per coordinate. */
  fitDrawsPerCoordinate: {
    value: 10,
    source: "As `drawsPerRegressor`.",
  },
  /** Effective draws of tempered weights, at least. */
  minFitDraws: {
    value: 60,
    source: "A round number: a third of the least round.",
  },
  /** Effective draws of them at most, as a share of all. */
  maxFitShare: {
    value: 0.3,
    source: "As `minFitDraws` of the least round.",
  },
  /** Share of the draws that are of the flattened target. */
  flatShare: {
    value: 0.3,
    source: "A defence (Hesterberg 1995), as `wideShare`.",
  },
  /** Standard deviation of log L times the power that is taken off. */
  flatSpread: {
    value: 1.2,
    source: "A round number: about the ratios of one influential observation.",
  },
  /** Largest power that flattening takes off the likelihood. */
  maxFlatPower: {
    value: 0.7,
    source: "As `maxTemperedPower`.",
  },
} as const;
