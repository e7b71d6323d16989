/** Thresholds of importance draws: how many, and when they are accepted. */

/** By name, with the source of each. */
export const importanceThresholds = {
  /** Coordinates up to which a proposal is fitted. */
  maxImportanceDimension: {
    value: 12,
    source:
      "Measured: up to it, draws of a fitted proposal are worth about half as many of the posterior.",
  },
  /** Rounds in which a proposal is fitted to the posterior, at least. */
  minRounds: {
    value: 2,
    source:
      "Measured: one round where its weights are good takes 6 % fewer evaluations, and errors are 4 % larger than they say.",
  },
  /** Rounds at most. */
  maxRounds: {
    value: 5,
    source:
      "Measured with what came at once: rounds up to the fifth, former proposals and normal densities take the hardest growth programs from 17,000 to 9,200 evaluations.",
  },
  /** Draws of such a round per coordinate. */
  roundDrawsPerCoordinate: {
    value: 40,
    source:
      "A round number: a quadratic regression has four features per coordinate, each of which gets ten draws.",
  },
  /** Draws of such a round, at least. */
  minRoundDraws: {
    value: 200,
    source: "Measured: rounds of 128 or 256 gained nothing.",
  },
  /** Effective draws per draw from which a round was the last one. */
  goodEfficiency: {
    value: 0.25,
    source: "A round number: a fitted proposal is worth a third to two thirds of its draws.",
  },
  /** Effective draws per draw in the last round below which the proposal is given up. */
  minLastEfficiency: {
    value: 0.03,
    source: "A round number: six effective draws of 200 are too few for a fit.",
  },
  /** Share of the draws that are around each mode beside the best. */
  otherModeShare: {
    value: 0.1,
    source: "A round number: a mode of less mass than that adds as little error.",
  },
  /** Share of the draws that are from former proposals, once a refitted proposal failed. */
  formerShare: {
    value: 0.3,
    source: "Measured with what came at once, as `maxRounds`.",
  },
  /** Share of one draw in the squared error from which that draw dominates the estimate. */
  dominantShare: {
    value: 0.25,
    source:
      "Measured: 0.15 before control variates of normal densities made all other shares smaller; the spread over seeds stays 1.28 of the reported error.",
  },
  /** Monte Carlo error, nats, below which a dominant draw does not matter. */
  negligibleError: {
    value: 0.025,
    source: "Half of the error that a target asks for by default.",
  },
  /** Draws, over those to begin with, from which a dominant draw means that a later proposal does not fit. */
  laterDrawsMultiple: {
    value: 2,
    source: "A round number: a later proposal has been fitted with more care than the first.",
  },
  /** Draws, over those to begin with, beyond which the first proposal is refitted instead. */
  maxFirstMultiple: {
    value: 2,
    source: "A round number: a fit costs less than many draws.",
  },
  /** About how many nets draws come in. */
  netsAtOnce: {
    value: 32,
    source:
      "Measured over 3,000 seeds of three programs: 1 % of estimates are off by more than three reported errors with 16 nets, 0.4 % with 32.",
  },
  /** How many times the error asked for is good enough where there may be no more draws. */
  lastErrorFactor: {
    value: 2,
    source: "A round number: chains have a limit too.",
  },
  /** Draws at most. */
  maxImportanceDraws: {
    value: 40_000,
    source: "A round number: about what chains cost then.",
  },
  /** Pointwise log likelihoods at most. */
  maxImportanceCells: {
    value: 4e6,
    source: "32 megabytes of memory.",
  },
  /** By what factor draws grow at most at once. */
  maxCountGrowth: {
    value: 4,
    source: "A round number: half the error.",
  },
  /** By what factor draws grow at least. */
  minCountGrowth: {
    value: 1.5,
    source: "Half as many more make 23 to 45 nets of their own.",
  },
  /** By how much more is drawn than the error at hand asks for. */
  countMargin: {
    value: 1.1,
    source: "A round number: as `drawsMargin`.",
  },
  /** Effective draws per draw below which an estimate is rejected. */
  minEfficiency: {
    value: 0.1,
    source: "Measured: with 0.15, chains replaced estimates from a thousand draws that were right.",
  },
  /** Tail shape of the ratios up to which their averages are trusted. */
  maxTailShape: {
    value: 0.7,
    source: "Vehtari et al. 2024, section 3.2.4.",
  },
} as const;
