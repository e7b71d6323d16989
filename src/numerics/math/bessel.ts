/** The modified Bessel function I₀, its logarithm and the ratio I₁/I₀, for von Mises' and Rice's distributions. */
import { log, log1p } from "./elementary.ts";

const log2Pi = 1.8378770664093453;
/** Above it Hankel's expansion has reached 1e-17 before its terms grow. */
const far = 25;

/** I₀(x) − 1 by its power series (Abramowitz and Stegun 1964, 9.6.12); all terms are positive. */
function i0MinusOne(x: number): number {
  const z = 0.25 * x * x;
  let [term, sum] = [1, 0];
  for (let k = 1; term > sum * 1e-18; k++) {
    term *= z / (k * k);
    sum += term;
    if (term === 0) break;
  }
  return sum;
}

/** I₁(x) / (x/2) − 1 by its power series. */
function i1OverHalfMinusOne(x: number): number {
  const z = 0.25 * x * x;
  let [term, sum] = [1, 0];
  for (let k = 1; term > sum * 1e-18; k++) {
    term *= z / (k * (k + 1));
    sum += term;
    if (term === 0) break;
  }
  return sum;
}

/** √(2πx) e^−x I_ν(x) − 1, mu = 4ν², for large x (Abramowitz and Stegun 1964, 9.7.1). */
function hankelTail(mu: number, x: number): number {
  let [term, sum] = [1, 0];
  for (let k = 1; k < 40; k++) {
    const odd = 2 * k - 1;
    term *= -(mu - odd * odd) / (k * 8 * x);
    sum += term;
    if (Math.abs(term) < 1e-18) break;
  }
  return sum;
}

/**
 * log I₀(x), to about 1e-15 of its value; it is even in x.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { logI0 } from "./bessel.ts";
 * assert.ok(Math.abs(logI0(1) - 0.2359143585) < 1e-9);
 * ```
 */
export function logI0(x: number): number {
  const a = Math.abs(x);
  if (a <= far) return log1p(i0MinusOne(a));
  if (!(a < Infinity)) return a;
  return a - 0.5 * (log2Pi + log(a)) + log1p(hankelTail(0, a));
}

/**
 * I₁(x) / I₀(x), the slope of `logI0`: odd, between −1 and 1.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { besselRatio } from "./bessel.ts";
 * assert(Math.abs(besselRatio(2) - 0.6977746579640078) < 1e-14);
 * ```
 */
export function besselRatio(x: number): number {
  const a = Math.abs(x);
  const ratio = a <= far
    ? 0.5 * a * (1 + i1OverHalfMinusOne(a)) / (1 + i0MinusOne(a))
    : a === Infinity
    ? 1
    : (1 + hankelTail(4, a)) / (1 + hankelTail(0, a));
  return x < 0 ? -ratio : ratio;
}
