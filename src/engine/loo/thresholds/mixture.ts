/** Thresholds of mixtures of leave-one-out posteriors. */

/** By name, with the source of each. */
export const mixtureThresholds = {
  /** Posterior variance of log L_i from which an observation has a component of its own. */
  componentVariance: {
    value: 0.1,
    source: "Half of `unreliableVariance`: below, smoothing and plain averages are right.",
  },
  /** Components at most. */
  maxComponents: {
    value: 100,
    source:
      "Measured: of thousands each has less than a draw, and a hierarchy of 1,000 groups was off by several nats.",
  },
  /** Variance of log L_i from which averages of ratios are not trusted with the total. */
  unreliableVariance: {
    value: 0.2,
    source:
      "Measured: smoothed weights above it spread 1.5 to 2 times as far as the reported error.",
  },
  /** Pareto k above which the error is unreliable, of observations with components of their own. */
  unreliableK: {
    value: 0.5,
    source: "Vehtari et al. 2024, section 3: no finite variance above.",
  },
  /** Variance of the log ratio above which posteriors with and without the observation are distant. */
  distantVariance: {
    value: 4,
    source: "Two standard deviations of the log ratio: chains do not cross between the two.",
  },
  /** Share of the draws that the posterior itself has. */
  mixturePosteriorShare: {
    value: 0.25,
    source: "A round number: weights w = p / q are at most four.",
  },
  /** Draws to begin with at least, over those of the posterior. */
  minMixtureFactor: {
    value: 3,
    source: "Measured: near-normal programs are then scored to 0.02 nats.",
  },
  /** Draws to begin with at most, over those of the posterior. */
  maxMixtureFactor: {
    value: 6,
    source: "A round number: twice the least.",
  },
  /** Factor of the error from smoothing. */
  errorInflation: {
    value: 2,
    source:
      "Measured: where draws have missed a tail the spread was 1.5 to 2 times the reported error.",
  },
  /** Weight of the tempered posterior beside 1 for all others, at least. */
  minTempered: {
    value: 0.02,
    source:
      "Measured: a Poisson cubic has thrice the error with a quarter, and 80 seeds of growth curves need some.",
  },
  /** Weight of the tempered posterior, at most. */
  maxTempered: {
    value: 0.25,
    source:
      "Measured: growth curves spread 0.89 to 1.05 of the reported error over 100 seeds with it, 1.3 without.",
  },
  /** Share left by control variates up to which the tempered posterior has its least weight. */
  temperedFrom: {
    value: 0.1,
    source: "Measured with the two weights.",
  },
  /** How much more must be left for its largest weight. */
  temperedRange: {
    value: 0.2,
    source: "Measured with the two weights.",
  },
  /** Standard deviation of L^−t over its mean. */
  temperedSpread: {
    value: 0.5,
    source: "A round number: the mean is then known to a twentieth from 100 draws.",
  },
  /** Largest power that tempering takes off the likelihood. */
  maxTemperedPower: {
    value: 0.7,
    source: "A round number: with less of the likelihood left, draws are the prior's.",
  },
  /** Acceptance that the steps of a mixture's chains aim at. */
  mixtureAcceptance: {
    value: 0.7,
    source:
      "Betancourt, Byrne and Girolami 2014: flat between 0.6 and 0.9; measured: a fifth less error than at 0.8 for as many gradients.",
  },
  /** Transitions in which warm-started chains spread and retune their step. */
  mixtureTune: {
    value: 50,
    source: "Stan's final interval of step-size adaptation, 50.",
  },
} as const;
