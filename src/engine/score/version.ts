/** The version of the scoring engine: part of every seed, memo key and result. */

/** Changes whenever the bits of any score may change. */
export const engineVersion = "12";

/** The name of this engine in results. */
export const engineName = "native";
