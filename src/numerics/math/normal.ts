/** The standard normal distribution: erf, log Φ and quantiles. */
import { exp, log, log1p } from "./elementary.ts";

const sqrtHalf = 0.7071067811865476;
const log2Pi = 1.8378770664093453;

/** Rational functions of fdlibm's `s_erf` (Sun Microsystems, 1993); numerators, denominators. */
const nearNumerator = [
  1.28379167095512558561e-1,
  -3.25042107247001499370e-1,
  -2.84817495755985104766e-2,
  -5.77027029648944159157e-3,
  -2.37630166566501626084e-5,
];
const nearDenominator = [
  1,
  3.97917223959155352819e-1,
  6.50222499887672944485e-2,
  5.08130628187576562776e-3,
  1.32494738004321644526e-4,
  -3.96022827877536812320e-6,
];
const oneNumerator = [
  -2.36211856075265944077e-3,
  4.14856118683748331666e-1,
  -3.72207876035701323847e-1,
  3.18346619901161753674e-1,
  -1.10894694282396677476e-1,
  3.54783043256182359371e-2,
  -2.16637559486879084300e-3,
];
const oneDenominator = [
  1,
  1.06420880400844228286e-1,
  5.40397917702171048937e-1,
  7.18286544141962662868e-2,
  1.26171219808761642112e-1,
  1.36370839120290507362e-2,
  1.19844998467991074170e-2,
];
const middleNumerator = [
  -9.86494403484714822705e-3,
  -6.93858572707181764372e-1,
  -1.05586262253232909814e1,
  -6.23753324503260060396e1,
  -1.62396669462573470355e2,
  -1.84605092906711035994e2,
  -8.12874355063065934246e1,
  -9.81432934416914548592,
];
const middleDenominator = [
  1,
  1.96512716674392571292e1,
  1.37657754143519042600e2,
  4.34565877475229228821e2,
  6.45387271733267880336e2,
  4.29008140027567833386e2,
  1.08635005541779435134e2,
  6.57024977031928170135,
  -6.04244152148580987438e-2,
];
const farNumerator = [
  -9.86494292470009928597e-3,
  -7.99283237680523006574e-1,
  -1.77579549177547519889e1,
  -1.60636384855821916062e2,
  -6.37566443368389627722e2,
  -1.02509513161107724954e3,
  -4.83519191608651397019e2,
];
const farDenominator = [
  1,
  3.03380607434824582924e1,
  3.25792512996573918826e2,
  1.53672958608443695994e3,
  3.19985821950859553908e3,
  2.55305040643316442583e3,
  4.74528541206955367215e2,
  -2.24409524465858183362e1,
];

/** A polynomial's value; `coefficients` begin with the constant. */
function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * x + coefficients[i];
  return sum;
}

/** erf(x) / x − 1 for |x| < 0.84375. */
function erfNear(x: number): number {
  const z = x * x;
  return polynomial(nearNumerator, z) / polynomial(nearDenominator, z);
}

const erfAtOne = 8.45062911510467529297e-1;

/** erf(x) − erf(1), about, for 0.84375 ≤ x < 1.25. */
function erfAboveOne(x: number): number {
  return polynomial(oneNumerator, x - 1) / polynomial(oneDenominator, x - 1);
}

/** log(x erfc(x) e^(x²)) + 0.5625 as fdlibm has it, for x ≥ 1.25. */
function erfcExponent(x: number): number {
  const s = 1 / (x * x);
  return x < 2.857142857142857
    ? polynomial(middleNumerator, s) / polynomial(middleDenominator, s)
    : polynomial(farNumerator, s) / polynomial(farDenominator, s);
}

/** erfc(x) for x ≥ 1.25. */
function erfcFar(x: number): number {
  if (x >= 28) return 0;
  const c = 1048576 * 128 * x;
  const z = c - (c - x);
  return exp(-z * z - 0.5625) * exp((z - x) * (z + x) + erfcExponent(x)) / x;
}

/**
 * The error function, within a few units in the last place.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { erf } from "./normal.ts";
 * assert(Math.abs(erf(1) - 0.8427007929497149) < 1e-14);
 * ```
 */
export function erf(x: number): number {
  const a = Math.abs(x);
  if (a < 0.84375) return x + x * erfNear(x);
  if (x !== x) return NaN;
  const size = a < 1.25 ? erfAtOne + erfAboveOne(a) : 1 - erfcFar(a);
  return x < 0 ? -size : size;
}

/**
 * 1 − erf(x), accurate in the tail as long as it is a normal number (x < 26.5).
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { erfc } from "./normal.ts";
 * assert(Math.abs(erfc(2) - 0.004677734981047266) < 1e-16);
 * ```
 */
export function erfc(x: number): number {
  const a = Math.abs(x);
  if (a < 0.84375) {
    const y = erfNear(x);
    return x < 0.25 ? 1 - (x + x * y) : 0.5 - (x - 0.5 + x * y);
  }
  if (x !== x) return NaN;
  const upper = a < 1.25 ? 1 - erfAtOne - erfAboveOne(a) : erfcFar(a);
  return x < 0 ? 2 - upper : upper;
}

/**
 * Φ(x), the standard normal cumulative distribution function.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { normalCdf } from "./normal.ts";
 * assert(Math.abs(normalCdf(1.96) - 0.9750021048517795) < 1e-14);
 * ```
 */
export function normalCdf(x: number): number {
  return 0.5 * erfc(-x * sqrtHalf);
}

/**
 * Mills' ratio Φ(−x) / φ(x) for x ≥ 5 by Laplace's continued fraction x + 1/(x + 2/(x + …))
 * (Abramowitz and Stegun 1964, 26.2.14), long enough for 1e-16.
 */
function millsRatio(x: number): number {
  const terms = x > 60 ? 6 : x > 12 ? 20 : 70;
  let t = x;
  for (let n = terms; n >= 1; n--) t = x + n / t;
  return 1 / t;
}

/**
 * log Φ(x), accurate to about 1e-14 of its value in both tails.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { logNormalCdf } from "./normal.ts";
 * assert.ok(Math.abs(logNormalCdf(-40) + 804.6084420137538) < 1e-11);
 * ```
 */
export function logNormalCdf(x: number): number {
  if (x > 0) return log1p(-0.5 * erfc(x * sqrtHalf));
  if (x > -5) return log(0.5 * erfc(-x * sqrtHalf));
  return x === -Infinity ? x : log(millsRatio(-x)) - 0.5 * (x * x + log2Pi);
}

/** Φ⁻¹'s rational functions: algorithm AS 241, PPND16 (Wichura 1988). */
const centralNumerator = [
  3.3871328727963666080,
  1.3314166789178437745e2,
  1.9715909503065514427e3,
  1.3731693765509461125e4,
  4.5921953931549871457e4,
  6.7265770927008700853e4,
  3.3430575583588128105e4,
  2.5090809287301226727e3,
];
const centralDenominator = [
  1,
  4.2313330701600911252e1,
  6.8718700749205790830e2,
  5.3941960214247511077e3,
  2.1213794301586595867e4,
  3.9307895800092710610e4,
  2.8729085735721942674e4,
  5.2264952788528545610e3,
];
const outerNumerator = [
  1.42343711074968357734,
  4.63033784615654529590,
  5.76949722146069140550,
  3.64784832476320460504,
  1.27045825245236838258,
  2.41780725177450611770e-1,
  2.27238449892691845833e-2,
  7.74545014278341407640e-4,
];
const outerDenominator = [
  1,
  2.05319162663775882187,
  1.67638483018380384940,
  6.89767334985100004550e-1,
  1.48103976427480074590e-1,
  1.51986665636164571966e-2,
  5.47593808499534494600e-4,
  1.05075007164441684324e-9,
];
const tailNumerator = [
  6.65790464350110377720,
  5.46378491116411436990,
  1.78482653991729133580,
  2.96560571828504891230e-1,
  2.65321895265761230930e-2,
  1.24266094738807843860e-3,
  2.71155556874348757815e-5,
  2.01033439929228813265e-7,
];
const tailDenominator = [
  1,
  5.99832206555887937690e-1,
  1.36929880922735805310e-1,
  1.48753612908506148525e-2,
  7.86869131145613259100e-4,
  1.84631831751005468180e-5,
  1.42151175831644588870e-7,
  2.04426310338993978564e-15,
];

/**
 * Φ⁻¹(p), the standard normal quantile, to about 1e-15; ∓∞ at 0 and 1, NaN outside.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { normalQuantile } from "./normal.ts";
 * assert(Math.abs(normalQuantile(0.975) - 1.959963984540054) < 1e-14);
 * ```
 */
export function normalQuantile(p: number): number {
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return q * polynomial(centralNumerator, r) / polynomial(centralDenominator, r);
  }
  if (!(p > 0 && p < 1)) return p === 0 ? -Infinity : p === 1 ? Infinity : NaN;
  const r = Math.sqrt(-log(q < 0 ? p : 1 - p));
  const size = r <= 5
    ? polynomial(outerNumerator, r - 1.6) / polynomial(outerDenominator, r - 1.6)
    : polynomial(tailNumerator, r - 5) / polynomial(tailDenominator, r - 5);
  return q < 0 ? -size : size;
}
