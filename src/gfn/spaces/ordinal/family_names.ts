/** Names of the distributions of an ordinal response. */
/** Distributions of the response about the predictor. */
export const ordinalNames = ["ordered_logistic", "ordered_probit"] as const;
/** One of `ordinalNames`. */
export type OrdinalName = (typeof ordinalNames)[number];
