/** How far parameters may go before a double can no longer represent their probabilities. */

/**
 * Of shapes: log Γ(10⁹) is 2 · 10¹⁰, which a double has to 4 · 10⁻⁶. A log density is a difference of
 * such numbers, and beyond 10¹⁵ it is rounding alone, of any sign: a negative binomial with α = 10¹⁶
 * would give each of fifteen counts the probability 1. There the density is 0, where PyMC goes on.
 */
export const mostShape = 1e9;

/** Of ratios whose square is a term of the log density: a location over a scale. */
export const mostRatio = 3e4;

/** Of angles, which lose a digit with each that they have before the point. */
export const mostAngle = 1e6;

/** Of distances from a bound, in scales: half the square is a term of the log density. */
export const mostDistance = 1e5;

/** The least distance between bounds, in scales. */
export const leastWidth = 1e-7;

/** The least log probability that has all its digits; below, doubles are denormal. */
export const leastLogMass = -700;

/** The least relative difference of two probabilities that still has seven digits. */
export const leastDifference = 1e-9;
