/** Thresholds of the integrals over latents. */

/** By name, with the source of each. */
export const integralsThresholds = {
  /** Nodes to both sides of the centre at first. */
  gridReach: {
    value: 9,
    source: "sinh(2.7) is 7.4 widths: a normal density has fallen by 27 nats.",
  },
  /** Distance of the nodes in t. */
  gridSpacing: {
    value: 0.3,
    source:
      "Measured: the error of a normal density is below 10⁻⁶ (Trefethen and Weideman 2014: exponential in 1 / spacing).",
  },
  /** Nodes that are added at either end at most. */
  maxExtension: {
    value: 24,
    source: "sinh(9.9) is 10,000 widths: a Cauchy density has 6 · 10⁻⁵ of its mass beyond.",
  },
  /** Nats by which the integrand has to fall until the end of the grid. */
  endFall: {
    value: 14,
    source: "e⁻¹⁴ is 10⁻⁶ of the peak.",
  },
  /** Relative difference between two spacings at which halving stops. */
  spacingAgreement: {
    value: 0.002,
    source:
      "Smooth integrands: the error is its square (Trefethen and Weideman 2014, section 5); measured at kinks: a tenth of it, at worst twice as much.",
  },
  /** Steps to a mode at most. */
  maxModeSteps: {
    value: 24,
    source: "A round number: smooth peaks that begin near take two or three.",
  },
  /** Nats over a width that are not those of a peak. */
  steepSlope: {
    value: 20,
    source: "A round number: a normal density falls by two nats over as much.",
  },
  /** Steps after which they grow where the mode is still far. */
  stepsBeforeGrowth: {
    value: 2,
    source:
      "Measured: a rate whose logarithm is a positive effect took 75,000 evaluations without growth.",
  },
  /** Factor by which widths are changed in one step at most. */
  maxWidthFactor: {
    value: 4,
    source: "A round number: two steps bring a width of ten to one.",
  },
  /** Widths by which a mode is moved in one step at most. */
  maxMove: {
    value: 3,
    source: "A round number: further out a second difference says nothing of the mode.",
  },
  /** Nats over half a width below which a kink is found. */
  kinkFall: {
    value: 0.02,
    source: "A round number: a narrower peak would hide what is beside it.",
  },
  /** Distance over which gradients are taken, in spreads of the starting region. */
  gradientStep: {
    value: 1e-4,
    source:
      "Between the root of the rounding, 10⁻⁸, and what integrals agree to; gradients are climbed by alone.",
  },
  /** Observations per element of a latent up to which integrating it out pays off. */
  maxPerElement: {
    value: 100,
    source: "Round; an element seen by more rows is not determined by any of them.",
  },
} as const;
