/** Names of the noises about a curve. */
/** Noises of measurements about a curve `mu`; the spread of each is a standard deviation, or a share. */
export const noiseNames = ["normal", "student_t", "log_normal", "gamma"] as const;
/** One of `noiseNames`. */
export type NoiseName = (typeof noiseNames)[number];
