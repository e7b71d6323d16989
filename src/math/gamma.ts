/** The logarithm of the gamma function and its first two derivatives, for positive arguments. */
import { log, log1p } from "./elementary.ts";

const halfLog2Pi = 0.9189385332046727;

/** B_2n / (2n (2n − 1)), n = 1 … 8: Stirling's series (Abramowitz and Stegun 1964, 6.1.40). */
function stirlingTail(x: number): number {
  const r = 1 / x;
  const z = r * r;
  return r * (8.333333333333333e-2 +
    z * (-2.777777777777778e-3 +
        z * (7.936507936507937e-4 +
            z * (-5.952380952380953e-4 +
                z * (8.417508417508417e-4 +
                    z * (-1.917526917526918e-3 +
                        z * (6.410256410256410e-3 - z * 2.955065359477124e-2)))))));
}

/** (−1)^n (ζ(n) − 1) / n for n = 2, 3, …: of log Γ about 2. */
const aboutTwo: Float64Array = zetaCoefficients(28);

function zetaCoefficients(length: number): Float64Array {
  const out = new Float64Array(length);
  for (let i = 0; i < length; i++) out[i] = (i % 2 === 0 ? 1 : -1) * zetaMinusOne(i + 2) / (i + 2);
  return out;
}

/** Riemann's ζ(n) − 1, n ≥ 2: 199 terms and the Euler–Maclaurin rest. */
function zetaMinusOne(n: number): number {
  const m = 200;
  const last = 1 / integerPower(m, n);
  let sum = last * m / (n - 1) + 0.5 * last + n / 12 * last / m -
    n * (n + 1) * (n + 2) / 720 * last / (m * m * m);
  for (let k = m - 1; k >= 2; k--) sum += 1 / integerPower(k, n);
  return sum;
}

function integerPower(base: number, exponent: number): number {
  let power = 1;
  for (let i = 0; i < exponent; i++) power *= base;
  return power;
}

/** log Γ(2 + e) for |e| ≤ ½: Abramowitz and Stegun (1964), 6.1.33; relative next to its root. */
function lgammaAboutTwo(e: number): number {
  let sum = 0;
  for (let i = aboutTwo.length - 1; i >= 0; i--) sum = sum * e + aboutTwo[i];
  return e * (0.42278433509846713 + e * sum);
}

/**
 * log Γ(x) for x > 0, to about 1e-15 of its value (roots at 1 and 2 included); ∞ at 0 and ∞, and
 * NaN below 0. A series about 2 with recurrence below 10, Stirling's series above.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { lgamma } from "./gamma.ts";
 * assert.ok(Math.abs(lgamma(5) - 3.1780538303479458) < 1e-14);
 * ```
 */
export function lgamma(x: number): number {
  if (!(x > 0)) return x === 0 ? Infinity : NaN;
  if (x === Infinity) return Infinity;
  if (x < 0.5) return lgammaAboutTwo(x) - log1p(x) - log(x);
  if (x < 1.5) return lgammaAboutTwo(x - 1) - log1p(x - 1);
  if (x >= 10) return (x - 0.5) * log(x) - x + halfLog2Pi + stirlingTail(x);
  let product = 1;
  let y = x;
  while (y > 2.5) product *= --y;
  return lgammaAboutTwo(y - 2) + log(product);
}

/** log Γ(x) − ((x − ½) log x − x + ½ log 2π), x > 0: what Stirling's leading terms leave out. */
export function stirlingError(x: number): number {
  if (x >= 10) return stirlingTail(x);
  return lgamma(x) - ((x - 0.5) * log(x) - x + halfLog2Pi);
}

/** The double next to digamma's positive root, and what is left of the root. */
const rootHead = 1.4616321449683622;
const rootTail = 9.549995429965697e-17;

/**
 * ψ(x) = d log Γ(x) / dx for x > 0, to about 1e-15 of its value away from its root 1.4616…, and
 * to 1e-16 absolutely near it; −∞ at 0 and NaN below.
 */
export function digamma(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x === Infinity) return Infinity;
  if (Math.abs(x - rootHead) < 0.2) return digammaNearRoot(x - rootHead - rootTail);
  let sum = 0;
  let y = x;
  for (; y < 10; y++) sum += 1 / y;
  const r = 1 / y;
  const z = r * r;
  // B_2n / 2n: Abramowitz and Stegun (1964), 6.3.18.
  const tail = z * (8.333333333333333e-2 -
    z * (8.333333333333333e-3 -
        z * (3.968253968253968e-3 -
            z * (4.166666666666667e-3 -
                z * (7.575757575757576e-3 -
                    z *
                      (2.109279609279609e-2 -
                        z * (8.333333333333333e-2 - z * 0.4432598039215686)))))));
  return log(y) - 0.5 * r - tail - sum;
}

/** Taylor's series about the root; the coefficients are ψ^(n) / n! there. */
function digammaNearRoot(e: number): number {
  let sum = 0;
  for (let i = digammaTaylor.length - 1; i >= 0; i--) sum = sum * e + digammaTaylor[i];
  return e * sum;
}

const digammaTaylor: readonly number[] = [
  0.9676722454476212,
  -0.4427631689835921,
  0.258499760955651,
  -0.16394270544240652,
  0.10782405069126237,
  -0.07219956125645471,
  0.04880428816414311,
  -0.03316112647484736,
  0.022597648232218104,
  -0.01542476590494896,
  0.010538791616612175,
  -0.007204534386356869,
  0.004926781395729853,
  -0.003369801655439328,
  0.002305126326734928,
  -0.0015769367714301972,
  0.0010788252019162967,
  -0.0007380709389960052,
  0.000504953265834602,
  -0.0003454680251063077,
  0.00023635601564027053,
];

/** ψ'(x), the derivative of digamma, for x > 0; ∞ at 0 and NaN below. */
export function trigamma(x: number): number {
  if (!(x > 0)) return x === 0 ? Infinity : NaN;
  let sum = 0;
  let y = x;
  for (; y < 12; y++) sum += 1 / (y * y);
  const r = 1 / y;
  const z = r * r;
  // B_2n: Abramowitz and Stegun (1964), 6.4.12.
  return sum + r * (1 + 0.5 * r +
        z * (1.6666666666666666e-1 -
            z * (3.3333333333333333e-2 -
                z * (2.3809523809523808e-2 -
                    z *
                      (3.3333333333333333e-2 -
                        z * (7.5757575757575757e-2 - z * 0.2531135531135531))))));
}
