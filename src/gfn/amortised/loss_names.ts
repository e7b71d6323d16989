/** Names of the losses of log flows against log rewards. */

/** Losses that compare log flows with log rewards. */
export const lossNames = ["cross_entropy", "variance"] as const;

/** One of `lossNames`. */
export type LossName = (typeof lossNames)[number];
