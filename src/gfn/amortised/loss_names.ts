/** Names of the losses of log flows against log rewards. */

/** How flows are held against rewards. */
export const lossNames = ["cross_entropy", "variance"] as const;

/** How flows are held against rewards. */
export type LossName = (typeof lossNames)[number];
