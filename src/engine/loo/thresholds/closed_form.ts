/** Thresholds of posteriors whose linear latents are integrated out in closed form. */

/** By name, with the source of each. */
export const closedFormThresholds = {
  /** Evaluations of a posterior without its linear latents before other methods are tried. */
  closedFormEvaluations: {
    value: 20_000,
    source: "A round number: forty times as many as a lattice or importance draws need.",
  },
  /** Transitions of chains that a proposal is fitted to, before the first draw and after. */
  closedFormTransitions: {
    value: 200,
    source: "A round number: enough for the metric of twelve coordinates.",
  },
  /** Coordinates up to which a lattice is used. */
  latticeCoordinates: {
    value: 3,
    source:
      "Measured: 20 to 30 points in one coordinate, 150 to 400 in two, 400 to 1,000 in three.",
  },
  /** Distance of a lattice's points in one coordinate, in standard deviations. */
  latticeStepOfOne: {
    value: 0.8,
    source:
      "Every other point alone errs by 2 exp(−π²/(2 · 0.64)) = 9 · 10⁻⁴ for a normal density (Trefethen and Weideman 2014).",
  },
  /** In two coordinates. */
  latticeStepOfTwo: {
    value: 0.8,
    source: "As in one: ridges along an axis ask for it.",
  },
  /** In three coordinates. */
  latticeStepOfThree: {
    value: 1,
    source: "Every other point alone errs by 2 exp(−π²/2) = 0.014, likewise.",
  },
  /** Nats below its largest value at which a density does not matter to a lattice. */
  latticeDepth: {
    value: 9,
    source: "Of a normal density in three coordinates 4 · 10⁻⁴ lie beyond, and rows share them.",
  },
  /** Points that are evaluated before a climb. */
  latticeGlances: {
    value: 16,
    source: "A net of four by four in two coordinates.",
  },
  /** From how many of them, the best ones, climbs are made. */
  latticeClimbs: {
    value: 3,
    source: "A round number: climbs cost as much as half a lattice.",
  },
  /** Standard deviations from a mode within which another climb ends. */
  latticeNear: {
    value: 2,
    source: "A round number: BFGS would arrive in a step or two.",
  },
  /** Width of the box of these places, in spreads of the starting region. */
  latticeBox: {
    value: 4,
    source: "Starts of chains are within two spreads of the centre (Stan's starts).",
  },
} as const;
