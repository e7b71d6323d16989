/** Names of the noises of a time series. */
/** Distributions of a measurement given those before it. */
export const seriesNoises = ["normal", "student_t"] as const;
/** One of `seriesNoises`. */
export type SeriesNoise = (typeof seriesNoises)[number];
