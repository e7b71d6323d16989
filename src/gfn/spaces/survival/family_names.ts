/** Names of the distributions of survival times. */
/** Distributions of the time until an event. */
export const survivalNames = ["weibull", "log_normal", "gamma", "exponential"] as const;
/** One of `survivalNames`. */
export type SurvivalName = (typeof survivalNames)[number];
