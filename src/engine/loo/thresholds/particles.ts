/** Thresholds of particles that are carried from the prior to the leave-one-out posteriors. */

/** By name, with the source of each. */
export const particlesThresholds = {
  /** Coordinates of a posterior at most. */
  particleCoordinates: {
    value: 12,
    source: "As `maxImportanceCoordinates`: random steps take as many times longer.",
  },
  /** Observations at most: each is a component that wants particles of its own. */
  particleRows: {
    value: 50,
    source: "A round number: 300 particles for each of the most there are.",
  },
  /** Share of the budget that is kept for them where chains do not mix at once. */
  particleReserve: {
    value: 0.7,
    source: "Measured: three sources of a signal take 1.5 of 2 million evaluations.",
  },
  /** Populations with independent weights, which estimate the error. */
  particleGroups: {
    value: 16,
    source: "A round number: errors are known to a fifth.",
  },
  /** Particles of the first attempt. */
  firstParticles: {
    value: 2000,
    source: "A round number: 125 in each population.",
  },
  /** Random steps of each particle on each rung, in the first attempt. */
  firstParticleSteps: {
    value: 8,
    source: "Measured: one in four is taken in seven coordinates.",
  },
  /** Effective share of particles from one rung to the next. */
  particleWorth: {
    value: 0.5,
    source:
      "The half of the draws at which sequential Monte Carlo resamples (Del Moral et al. 2006).",
  },
  /** Particles among which the neighbour of another is looked for. */
  neighbourPicks: {
    value: 8,
    source: "A round number: differences of neighbours have the width of one mode.",
  },
} as const;
