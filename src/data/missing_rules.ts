/** Rules for rows with a missing cell. */

/** All of them. */
export const missingRules = ["error", "drop", "model"] as const;
/**
 * Rows with a missing cell: an error, or left out and counted, or kept where it is a measured predictor
 * that lacks a value, for spaces to make a parameter of it.
 */
export type MissingRule = (typeof missingRules)[number];
