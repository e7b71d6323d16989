/** Elementary functions in double precision, from + − × ÷ alone, so that bits agree everywhere. */

// `Math.exp` and its kin may differ in the last bit between versions of one JavaScript engine.
// The kernels are those of fdlibm (Sun Microsystems, 1993) and musl 1.2; they depart from them in
// how exponents are read and written: by exact products with powers of two and by the leading
// zeros of an integer instead of by access to bits. Errors are at most 2 units in the last place.

import { powersOfTwo, scaleByPowerOfTwo } from "./power_of_two.ts";

export { pow } from "./pow.ts";
export { cos, sin } from "./trigonometric.ts";

/** Adding and subtracting 1.5 · 2^52 rounds to the nearest integer, ties to even. */
const roundShift = 6755399441055744;
const inverseLn2 = 1.4426950408889634;
const ln2High = 6.93147180369123816490e-1;
const ln2Low = 1.90821492927058770002e-10;

/**
 * e^x, within 1 unit in the last place: 0 below −745.13, ∞ above 709.78.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { exp } from "./elementary.ts";
 * assert.ok(Math.abs(exp(1) - Math.E) < 5e-16);
 * assert.equal(exp(-Infinity), 0);
 * ```
 */
export function exp(x: number): number {
  if (!(x <= 709.782712893384)) return x > 0 ? Infinity : NaN;
  if (x < -745.1332191019412) return 0;
  const k = x * inverseLn2 + roundShift - roundShift;
  const high = x - k * ln2High;
  const low = k * ln2Low;
  const r = high - low;
  const t = r * r;
  const c = r -
    t * (1.66666666666666019037e-1 +
        t * (-2.77777777770155933842e-3 +
            t * (6.61375632143793436117e-5 +
                t * (-1.65339022054652515390e-6 + t * 4.13813679705723846039e-8))));
  const value = 1 - ((low - (r * c) / (2 - c)) - high);
  if (k >= -1021 && k <= 1023) return value * powersOfTwo[(k | 0) + 1022];
  return scaleByPowerOfTwo(value, k | 0);
}

/**
 * The natural logarithm, within 1 unit in the last place: −∞ at 0, NaN below.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { log } from "./elementary.ts";
 * assert.equal(log(10), 2.302585092994046);
 * assert.equal(log(0), -Infinity);
 * ```
 */
export function log(x: number): number {
  if (x >= 4.656612873077393e-10 && x < 2147483648) return logNear(x, 0, 0);
  return logFar(x);
}

/** Brings a number outside [2^-31, 2^31) into that range, with the edge cases. */
function logFar(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return Infinity;
  let k = 0;
  let scaled = x;
  for (; scaled >= 2147483648; k += 60) scaled *= 8.673617379884035e-19;
  for (; scaled < 4.656612873077393e-10; k -= 60) scaled *= 1152921504606846976;
  return logNear(scaled, k, 0);
}

/** log(x) + k ln 2 + correction for x in [2^-31, 2^31): the kernel of musl's `log`. */
function logNear(x: number, k: number, correction: number): number {
  // 2^e ≤ x < 2^(e+1), from the leading zeros of the integer part of x or of 2^32 x.
  let e = x >= 1 ? 31 - Math.clz32(x | 0) : -1 - Math.clz32(x * 4294967296);
  let m = x * powersOfTwo[1022 - e];
  if (m > 1.4142135623730951) {
    m *= 0.5;
    e += 1;
  }
  return logKernel(m - 1, e + k, correction);
}

/** log(1 + f) + k ln 2 + correction for 1 + f in [√½, √2]. */
function logKernel(f: number, k: number, correction: number): number {
  const s = f / (2 + f);
  const z = s * s;
  const w = z * z;
  const even = w * (3.999999999940941908e-1 +
    w * (2.222219843214978396e-1 + w * 1.531383769920937332e-1));
  const odd = z * (6.666666666666735130e-1 +
    w * (2.857142874366239149e-1 +
        w * (1.818357216161805012e-1 + w * 1.479819860511658591e-1)));
  const half = 0.5 * f * f;
  return s * (half + even + odd) + (k * ln2Low + correction) - half + f + k * ln2High;
}

/**
 * log(1 + x) without loss for small x, within 1 unit in the last place: −∞ at −1, NaN below.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { log1p } from "./elementary.ts";
 * assert.equal(log1p(1e-20), 1e-20);
 * ```
 */
export function log1p(x: number): number {
  if (x > -0.2928932188134524 && x < 0.41421356237309503) {
    // Below 2^-54 the logarithm is x itself, and −0 keeps its sign.
    return Math.abs(x) < 5.551115123125783e-17 ? x : logKernel(x, 0, 0);
  }
  const u = 1 + x;
  // Below −0.9 the sum is exact.
  if (!(x > -0.9 && u < 2147483648)) return log(u);
  // Rounding error of 1 + x, relative to u.
  const lost = (x > 1 ? 1 - (u - x) : x - (u - 1)) / u;
  return logNear(u, 0, lost);
}

/**
 * e^x − 1 without loss for small x, within 2 units in the last place.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { expm1 } from "./elementary.ts";
 * assert.equal(expm1(1e-20), 1e-20);
 * ```
 */
export function expm1(x: number): number {
  if (!(x < 40)) return exp(x);
  if (x < -40) return -1;
  if (Math.abs(x) < 5.551115123125783e-17) return x;
  const k = Math.abs(x) < 0.34657359027997264 ? 0 : x * inverseLn2 + roundShift - roundShift;
  const high = x - k * ln2High;
  const low = k * ln2Low;
  const r = high - low;
  return expm1Reduced(r, (high - r) - low, k | 0);
}

/** 2^k e^(r + tail) − 1 for |r| ≤ ½ ln 2: the kernel of fdlibm's `expm1`. */
function expm1Reduced(r: number, tail: number, k: number): number {
  const half = 0.5 * r;
  const square = r * half;
  const r1 = 1 +
    square * (-3.33333333333331316428e-2 +
        square * (1.58730158725481460165e-3 +
            square * (-7.93650757867487942473e-5 +
                square * (4.00821782732936239552e-6 - square * 2.01099218183624371326e-7))));
  const t = 3 - r1 * half;
  let e = square * ((r1 - t) / (6 - r * t));
  if (k === 0) return r - (r * e - square);
  e = (r * (e - tail) - tail) - square;
  if (k === -1) return 0.5 * (r - e) - 0.5;
  if (k === 1) return r < -0.25 ? -2 * (e - (r + 0.5)) : 1 + 2 * (r - e);
  const power = powersOfTwo[k + 1022];
  if (k <= -2 || k > 56) return (1 - (e - r)) * power - 1;
  const inverse = powersOfTwo[1022 - k];
  return k < 20 ? ((1 - inverse) - (e - r)) * power : ((r - (e + inverse)) + 1) * power;
}

/**
 * The hyperbolic tangent, within 2 units in the last place.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { tanh } from "./elementary.ts";
 * assert(Math.abs(tanh(1) - 0.7615941559557649) < 1e-14);
 * ```
 */
export function tanh(x: number): number {
  const a = Math.abs(x);
  if (a > 22) return x > 0 ? 1 : -1;
  if (a < 1) {
    const t = expm1(-2 * a);
    return x > 0 ? -t / (t + 2) : x < 0 ? t / (t + 2) : x;
  }
  const t = 1 - 2 / (expm1(2 * a) + 2);
  return x < 0 ? -t : t;
}

/**
 * The logistic function 1 / (1 + e^-x), accurate in both tails.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { sigmoid } from "./elementary.ts";
 * assert.equal(sigmoid(0), 0.5);
 * assert.equal(sigmoid(-1000), 0);
 * ```
 */
export function sigmoid(x: number): number {
  if (x >= 0) return 1 / (1 + exp(-x));
  const e = exp(x);
  return e / (1 + e);
}

/**
 * log(1 + e^x), accurate in both tails: x for large x, e^x for very negative x.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { softplus } from "./elementary.ts";
 * assert(Math.abs(softplus(0) - Math.LN2) < 1e-14);
 * assert.equal(softplus(1000), 1000);
 * ```
 */
export function softplus(x: number): number {
  return x > 0 ? x + log1p(exp(-x)) : log1p(exp(x));
}
