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
  /** Share of what is left that tempered chains may use before them. */
  particleTempered: {
    value: 0.1,
    source: "A round number: two modes in one coordinate take a fiftieth.",
  },
  /** Populations that know nothing of one another's weights, and tell the error. */
  particleGroups: {
    value: 16,
    source: "A round number: errors are known to a fifth.",
  },
  /** Particles of the first attempt. */
  firstParticles: {
    value: 2000,
    source: "A round number: 125 in each population.",
  },
  /** Particles of the second attempt at most. */
  mostParticles: {
    value: 16000,
    source: "Measured: 1,000 in each population keep modes that 500 lose.",
  },
  /** Random steps of each particle on each rung, in the first attempt. */
  firstParticleSteps: {
    value: 8,
    source: "Measured: one in four is taken in seven coordinates.",
  },
  /** Random steps of each particle on each rung at most. */
  mostParticleSteps: {
    value: 32,
    source: "A round number: twice what three sources have room for.",
  },
  /** Share of particles that weights from one rung to the next are worth. */
  particleWorth: {
    value: 0.5,
    source: "As `temperedWorth`.",
  },
  /** Particles among which the neighbour of another is looked for. */
  neighbourPicks: {
    value: 8,
    source: "A round number: differences of neighbours have the width of one mode.",
  },
  /** Share of the particles that an observation's component has, at least, of an equal one. */
  leastComponent: {
    value: 0.1,
    source: "A round number: ratios are then at most ten times the number of components.",
  },
} as const;
