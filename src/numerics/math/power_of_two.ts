/** Exact powers of two, and scaling by them: how exponents are read and written without bits. */

/** `powersOfTwo[k + 1022]` is 2^k for −1022 ≤ k ≤ 1023: every normal power of two. */
export const powersOfTwo: Float64Array = normalPowersOfTwo();

function normalPowersOfTwo(): Float64Array {
  const powers = new Float64Array(2046);
  powers[1022] = 1;
  for (let k = 1; k <= 1023; k++) powers[1022 + k] = powers[1021 + k] * 2;
  for (let k = 1; k <= 1022; k++) powers[1022 - k] = powers[1023 - k] / 2;
  return powers;
}

/**
 * Returns value · 2^k, rounded once. `value` is in [1/2, 2] and −1080 ≤ k ≤ 1024, as the
 * last step of an exponential needs.
 */
export function scaleByPowerOfTwo(value: number, k: number): number {
  if (k >= -1021 && k <= 1023) return value * powersOfTwo[k + 1022];
  if (k > 1023) return value * 2 * powersOfTwo[k + 1021];
  return value * powersOfTwo[k + 2022] * powersOfTwo[22];
}
