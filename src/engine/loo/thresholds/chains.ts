/** Thresholds of chains: when they have mixed, how long they are drawn, what is refitted. */

/** By name, with the source of each. */
export const chainsThresholds = {
  /** R-hat from which chains are restarted, in up to `rhatDimension` coordinates. */
  mixedRhat: {
    value: 1.05,
    source:
      "Between the 1.1 of Gelman et al. 2013, section 11.4, and the 1.01 of Vehtari et al. 2021, which asks for more draws than an ELPD does.",
  },
  /** Coordinates up to which short chains have to keep to that limit. */
  rhatDimension: {
    value: 20,
    source: "Measured: of 1,000 independent normals the largest R-hat of 4 × 125 draws is 1.06.",
  },
  /** Growth of R-hat's excess with the logarithm of the coordinates beyond these. */
  rhatGrowth: {
    value: 0.15,
    source: "Measured: of 1,000 independent normals the largest R-hat of 4 × 125 draws is 1.06.",
  },
  /** R-hat from which chains that have mixed are drawn longer. */
  goodRhat: {
    value: 1.02,
    source: "Near the 1.01 that Vehtari et al. 2021 ask for.",
  },
  /** Draws per chain up to which the error is drawn down. */
  maxChainDraws: {
    value: 8000,
    source: "A round number: eight of Stan's default runs.",
  },
  /** Pointwise log likelihoods up to which it is; there are two arrays of that length. */
  maxChainCells: {
    value: 4e6,
    source: "64 megabytes of memory.",
  },
  /** By how much more is drawn than the error at hand asks for. */
  drawsMargin: {
    value: 1.1,
    source: "A round number: an error is known to a few per cent, and a look more costs as much.",
  },
  /** By what factor draws grow at most at once. */
  maxDrawsGrowth: {
    value: 4,
    source:
      "A round number: half the error; an error from so few draws is not to be believed further.",
  },
  /** By what factor draws grow at least. */
  minDrawsGrowth: {
    value: 1.25,
    source: "A round number: fewer would not be worth averages of all draws.",
  },
  /** Draws per chain come in multiples of this. */
  drawsStep: {
    value: 25,
    source: "A round number: so that runs of near errors have the same length.",
  },
  /** R-hat up to which chains may lack no more than draws. */
  nearlyMixedRhat: {
    value: 1.2,
    source: "The 1.2 that Brooks and Gelman 1998 call approximate convergence.",
  },
  /** Share of divergent transitions above which chains have not mixed. */
  maxDivergent: {
    value: 0.01,
    source: "Measured: at an acceptance of 0.8 one run of eight schools in seven has a divergence.",
  },
  /** Transitions in which chains retune that did not mix on the short schedule. */
  retuneTransitions: {
    value: 50,
    source: "Stan's final interval of step-size adaptation, 50.",
  },
  /** Acceptance that retuned chains aim at. */
  retunedAcceptance: {
    value: 0.9,
    source: "Stan's advice where transitions diverge: raise adapt_delta.",
  },
  /** Share of what is left of the budget that a short schedule may use. */
  shortShare: {
    value: 0.15,
    source: "A round number: several attempts have to fit.",
  },
  /** Share that the long schedule may use. */
  longShare: {
    value: 0.9,
    source: "A round number: something has to be left for refits.",
  },
  /** Gradients that any attempt may use if they are there. */
  alwaysAllowed: {
    value: 200_000,
    source: "A round number: a budget below it is for tests.",
  },
  /** Share that chains may use which are only drawn on. */
  drawOnShare: {
    value: 0.5,
    source:
      "Measured: a random walk of a thousand steps fails without it, and the long schedule fits into the other half.",
  },
  /** Transitions that tune a chain of the long schedule, at least. */
  longTune: {
    value: 500,
    source: "Half of Stan's default.",
  },
  /** Draws of such a chain, at least. */
  longDraws: {
    value: 1000,
    source: "Stan's and PyMC's default.",
  },
  /** Acceptance that such chains aim at. */
  longAcceptance: {
    value: 0.95,
    source: "Stan's advice for divergences: adapt_delta = 0.95.",
  },
  /** By how much more another run is taken to cost than the one before. */
  costMargin: {
    value: 1.2,
    source: "A round number: chains differ in their steps.",
  },
  /** Unconstrained coordinates beyond which no proper posterior of this engine's programs lies. */
  runawayCoordinate: {
    value: 1e12,
    source:
      "A round number: its exponential is infinite by a wide margin; it decides a message alone.",
  },
  /** R-hat of a chain alone that is stationary. */
  stationaryRhat: {
    value: 1.1,
    source: "Gelman et al. 2013, section 11.4.",
  },
  /** R-hat of chains in separated modes. */
  separatedRhat: {
    value: 1.4,
    source:
      "Measured: a posterior of |a| with two modes fails at 16 of 20 seeds, at the others no chain met the second.",
  },
  /** Nats of mean log density between two modes that are about as good as each other. */
  comparableModes: {
    value: 5,
    source:
      "A round number: a mode of e⁻⁵ of the density moves an ELPD by less than the error asked for.",
  },
  /** Transitions in which a warm-started refit forgets its observation and retunes. */
  refitTune: {
    value: 30,
    source: "A round number: of a posterior that differs by one observation.",
  },
  /** Transitions that tune a refit which is restarted. */
  freshTune: {
    value: 100,
    source: "A round number: the metric is learnt from the second half of them.",
  },
  /** Share of the error asked for that refits may add. */
  refitShare: {
    value: 0.6,
    source: "A third of the squared error, 0.6².",
  },
  /** Overlap with the posterior below which stones are laid between it and one without an observation. */
  minOverlap: {
    value: 0.1,
    source: "About that of unit normals four standard deviations apart, over which a bridge holds.",
  },
  /** Draws per chain of a stone to begin with. */
  stoneDraws: {
    value: 250,
    source: "As the draws that a retuned chain has on the default schedule.",
  },
  /** Draws per chain of a refit, at most. */
  maxDrawsForRefit: {
    value: 2000,
    source: "A round number: twice Stan's default.",
  },
  /** Observations up to which all with a bad Pareto k are refitted. */
  maxRefitAll: {
    value: 50,
    source: "A round number: fifty refits cost about five times the chains.",
  },
  /** Share of more observations that is refitted at most. */
  refitShareOfRows: {
    value: 0.1,
    source: "A round number: a tenth of the rows.",
  },
  /** Observations that may be refitted in any case. */
  minRefits: {
    value: 5,
    source: "A round number: never reached while `maxRefitAll` is 50.",
  },
} as const;
