/** Thresholds of normal latents under responses that are not normal. */

/** By name, with the source of each. */
export const fieldsThresholds = {
  /** Independent sets that draws of latents come in. */
  fieldReplicates: {
    value: 32,
    source: "As `netsAtOnce`: with fewer the error is known less well.",
  },
  /** Draws of latents in the first round, all points of θ together. */
  fieldFirstDraws: {
    value: 2048,
    source: "A round number: four times as many as importance draws begin with, which cost more.",
  },
  /** Rounds, each with as many draws as all before it. */
  fieldRounds: {
    value: 7,
    source: "A round number: 64 times the first draws, an eighth of the error.",
  },
  /** Share of the posterior, or of one without a row, below which a point of θ is not drawn at. */
  fieldLeastShare: {
    value: 1e-5,
    source: "A round number: a thousand such points are a hundredth of a nat.",
  },
} as const;
