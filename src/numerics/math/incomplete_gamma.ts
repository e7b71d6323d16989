/** The regularised incomplete gamma functions P and Q, and their slope in the shape. */
import { exp, expm1, log } from "./elementary.ts";
import { digamma, lgamma, stirlingError } from "./gamma.ts";
import { logRatioMinus } from "./log1p_minus.ts";

const log2Pi = 1.8378770664093453;
const tiny = 1e-300;

/** log(x^a e^−x / Γ(a + 1)), by Loader's saddle-point form (2000) for large a. */
function logFront(a: number, x: number): number {
  if (a < 10) return a * log(x) - x - lgamma(a + 1);
  return a * logRatioMinus(x, a, x - a) - 0.5 * (log2Pi + log(a)) - stirlingError(a);
}

/** Σ x^n / ((a+1) … (a+n)) and its slope in a (Abramowitz and Stegun 1964, 6.5.29). */
function series(a: number, x: number): { readonly sum: number; readonly slope: number } {
  let [term, rate, sum, slope] = [1, 0, 1, 0];
  for (let n = 1; n < 100000; n++) {
    term *= x / (a + n);
    rate -= 1 / (a + n);
    sum += term;
    slope += term * rate;
    if (term < sum * 1e-17 && Math.abs(term * rate) < Math.abs(slope) * 1e-17) break;
  }
  return { sum, slope };
}

/**
 * Γ(a, x) e^x x^−a and its slope in a: the continued fraction 6.5.31 of Abramowitz and Stegun (1964)
 * in its even form, by the method of Lentz as modified by Thompson and Barnett (1986).
 */
function fraction(a: number, x: number): { readonly value: number; readonly slope: number } {
  let b = x + 1 - a;
  let [c, cSlope] = [1 / tiny, 0];
  let d = 1 / b;
  let dSlope = d * d;
  let [h, hSlope] = [d, dSlope];
  for (let n = 1; n < 100000; n++) {
    const k = -n * (n - a);
    b += 2;
    const below = k * d + b;
    const belowSlope = n * d + k * dSlope - 1;
    d = 1 / below;
    dSlope = -belowSlope * d * d;
    cSlope = -1 + n / c - k * cSlope / (c * c);
    c = b + k / c;
    const factor = c * d;
    const bend = cSlope * d + c * dSlope;
    hSlope = hSlope * factor + h * bend;
    h *= factor;
    if (Math.abs(factor - 1) < 2e-16 && !(Math.abs(h * bend) > 1e-14 * Math.abs(hSlope))) break;
  }
  return { value: h, slope: hSlope };
}

/** Q(a, x) for small a and x, where 1 − P would cancel: a series in powers of −x. */
function smallUpper(a: number, x: number): number {
  const l = a * log(x) - lgamma(1 + a);
  let [term, sum] = [1, 0];
  for (let n = 1; n < 60; n++) {
    term *= -x / n;
    sum += term / (a + n);
  }
  return -expm1(l) - exp(l) * a * sum;
}

/**
 * P(a, x) = γ(a, x) / Γ(a) for a > 0, x ≥ 0, to about 1e-13 of its value for shapes up to 1e4; NaN
 * outside of the domain.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { gammainc } from "./incomplete_gamma.ts";
 * assert.ok(Math.abs(gammainc(1, 2) - 0.8646647167633873) < 1e-15);
 * ```
 */
export function gammainc(a: number, x: number): number {
  if (!(a > 0 && x >= 0)) return NaN;
  if (x === 0) return 0;
  if (x === Infinity) return 1;
  if (x < a + 1) return exp(logFront(a, x)) * series(a, x).sum;
  return 1 - gammaincc(a, x);
}

/**
 * Q(a, x) = 1 − P(a, x), accurate in the upper tail.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { gammaincc } from "./incomplete_gamma.ts";
 * assert(Math.abs(gammaincc(1, 2) - 0.1353352832366127) < 1e-14); // e⁻²
 * ```
 */
export function gammaincc(a: number, x: number): number {
  if (!(a > 0 && x >= 0)) return NaN;
  if (x === 0) return 1;
  if (x === Infinity) return 0;
  if (a < 1 && x < 1.5) return smallUpper(a, x);
  if (x < a + 1) return 1 - gammainc(a, x);
  return exp(logFront(a, x)) * a * fraction(a, x).value;
}

/**
 * ∂P(a, x) / ∂a: the series or the fraction, differentiated term by term.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { gammainc, gammaincShapeSlope } from "./incomplete_gamma.ts";
 * const step = 1e-6;
 * const difference = (gammainc(2 + step, 1.5) - gammainc(2 - step, 1.5)) / (2 * step);
 * assert(Math.abs(gammaincShapeSlope(2, 1.5) - difference) < 1e-8);
 * ```
 */
export function gammaincShapeSlope(a: number, x: number): number {
  if (!(a > 0 && x >= 0)) return NaN;
  if (x === 0 || x === Infinity) return 0;
  const front = exp(logFront(a, x));
  const frontSlope = front * (log(x) - digamma(a + 1));
  if (x < a + 1) {
    const { sum, slope } = series(a, x);
    return frontSlope * sum + front * slope;
  }
  const { value, slope } = fraction(a, x);
  return -(frontSlope * a * value + front * value + front * a * slope);
}
