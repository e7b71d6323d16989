/** The version of the scoring engine: part of every memo key and result. */

/** Changes whenever the bits of any score may change. */
export const engineVersion = "24";

/**
 * Part of every seed. It stays when the version changes, so that scores differ only where their
 * computation does; 11 since engine 11.
 */
export const streamName = "11";

/** The name of this engine in results. */
export const engineName = "native";
