/** Thresholds of parallel tempering, for posteriors of several modes. */

/** By name, with the source of each. */
export const temperedThresholds = {
  /** Share of draws that weights from one rung to the next are worth. */
  temperedWorth: {
    value: 0.5,
    source:
      "The half of the draws at which sequential Monte Carlo resamples (Del Moral et al. 2006).",
  },
  /** Rungs at most, prior and posterior included. */
  maxRungs: {
    value: 60,
    source: "A round number: likelihoods of a thousand rows take thirty.",
  },
  /** Transitions that tune the step size of a rung. */
  temperedTune: {
    value: 30,
    source: "As `refitTune`: a rung differs little from the one below it.",
  },
  /** Draws per chain that the next power and a rung's metric are told by. */
  temperedDraws: {
    value: 40,
    source: "A round number: four chains give 160.",
  },
  /** Transitions between exchanges. */
  roundTransitions: {
    value: 2,
    source: "A round number: exchanges cost less than transitions do.",
  },
  /** Rounds of exchanges at most. */
  temperedRounds: {
    value: 2048,
    source: "A round number: as many draws per chain as `maxDrawsToMix`.",
  },
  /** Rounds after which it is first asked whether chains have mixed. */
  firstTemperedLook: {
    value: 128,
    source: "A round number: twice the draws of the default schedule.",
  },
  /** Effective draws that the worst coordinate has to have. */
  temperedEffective: {
    value: 100,
    source:
      "A round number: of the 400 that Vehtari et al. 2021 ask for; modes share them unevenly.",
  },
} as const;
