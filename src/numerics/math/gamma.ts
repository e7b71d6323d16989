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

/** (−1)^n (ζ(n) − 1) / n for n = 2, 3, …: of log Γ about 2; made when first needed. */
let aboutTwo: Float64Array | undefined;

/** Riemann's ζ(n) − 1 by 199 terms and the Euler–Maclaurin rest. */
function zetaCoefficients(length: number): Float64Array {
  const m = 200;
  const powers = Float64Array.from({ length: m + 1 }, (_, k) => k); // kⁿ
  return Float64Array.from({ length }, (_, i) => {
    const n = i + 2;
    for (let k = 2; k <= m; k++) powers[k] *= k;
    const last = 1 / powers[m];
    let sum = last * m / (n - 1) + 0.5 * last + n / 12 * last / m -
      n * (n + 1) * (n + 2) / 720 * last / (m * m * m);
    for (let k = m - 1; k >= 2; k--) sum += 1 / powers[k];
    return (i % 2 === 0 ? 1 : -1) * sum / n;
  });
}

/** log Γ(2 + e) for |e| ≤ ½: Abramowitz and Stegun (1964), 6.1.33; relative next to its root. */
function lgammaAboutTwo(e: number): number {
  const coefficients = aboutTwo ??= zetaCoefficients(28);
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * e + coefficients[i];
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
  if (x >= 10) return (x - 0.5) * (log(x) - 1) + (halfLog2Pi - 0.5 + stirlingTail(x));
  let product = 1;
  let y = x;
  while (y > 2.5) product *= --y;
  return lgammaAboutTwo(y - 2) + log(product);
}

/** log Γ(x) − ((x − ½) log x − x + ½ log 2π), x > 0: the error of Stirling's leading terms. */
export function stirlingError(x: number): number {
  if (x >= 10) return stirlingTail(x);
  return lgamma(x) - ((x - 0.5) * log(x) - x + halfLog2Pi);
}

/** Digamma's positive root in three parts. */
const rootHead = 1569415565 / 1073741824;
const rootMiddle = 381566830 / 1073741824 / 1073741824;
const rootTail = 9.016312093258695918615325266959189453125e-20;

/** ψ(x) for 1 ≤ x ≤ 2, relative next to its root: the rational function of Boost (Maddock 2006). */
function digammaBetweenOneAndTwo(x: number): number {
  const e = x - rootHead - rootMiddle - rootTail;
  const t = x - 1;
  const above = 0.25479851061131551 + t * (-0.32555031186804491 + t *
          (-0.65031853770896507 + t *
              (-0.28919126444774784 + t *
                  (-0.045251321448739056 + t * -0.0020713321167745952))));
  const below = 1 + t * (2.0767117023730469 + t *
          (1.4606242909763515 + t *
              (0.43593529692665969 + t *
                  (0.054151797245674225 + t *
                      (0.0021284987017821144 + t * -0.55789841321675513e-6)))));
  return e * 0.99558162689208984 + e * (above / below);
}

/**
 * ψ(x) = d log Γ(x) / dx for x > 0, within 2 units in the last place away from its root 1.4616…, and
 * to 1e-16 absolutely near it; −∞ at 0 and NaN below.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { digamma } from "./gamma.ts";
 * assert(Math.abs(digamma(1) + 0.5772156649015329) < 1e-14);
 * ```
 */
export function digamma(x: number): number {
  if (!(x > 0)) return x === 0 ? -Infinity : NaN;
  if (x >= 10) return digammaFar(x);
  if (x < 1) return digammaBetweenOneAndTwo(x + 1) - 1 / x;
  let y = x;
  let [sum, lost] = [0, 0];
  while (y > 2) {
    y -= 1;
    const term = 1 / y;
    const next = sum + term;
    lost += sum > term ? (sum - next) + term : (term - next) + sum;
    sum = next;
  }
  return sum + (digammaBetweenOneAndTwo(y) + lost);
}

/** ψ(x) for x ≥ 10: Abramowitz and Stegun (1964), 6.3.18. */
function digammaFar(x: number): number {
  if (x === Infinity) return Infinity;
  const r = 1 / x;
  const z = r * r;
  // B_2n / 2n.
  const tail = z * (8.333333333333333e-2 -
    z * (8.333333333333333e-3 -
        z * (3.968253968253968e-3 -
            z * (4.166666666666667e-3 -
                z * (7.575757575757576e-3 -
                    z *
                      (2.109279609279609e-2 -
                        z * (8.333333333333333e-2 - z * 0.4432598039215686)))))));
  return log(x) - (0.5 * r + tail);
}

/** 1 / x², with the rounding of the square taken back out. */
function inverseSquare(x: number): number {
  const square = x * x;
  const inverse = 1 / square;
  // Veltkamp's split (1968) makes the products exact.
  const c = 134217729 * x;
  const high = c - (c - x);
  const low = x - high;
  const lost = (high * high - square) + 2 * high * low + low * low;
  return square > 1e-290 ? inverse - inverse * (lost / square) : inverse;
}

/**
 * ψ'(x), the derivative of digamma, for x > 0; ∞ at 0 and NaN below.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { trigamma } from "./gamma.ts";
 * assert(Math.abs(trigamma(1) - Math.PI ** 2 / 6) < 1e-14);
 * ```
 */
export function trigamma(x: number): number {
  if (!(x > 0)) return x === 0 ? Infinity : NaN;
  const largest = x < 12 ? inverseSquare(x) : 0;
  let sum = 0;
  let y = x < 12 ? x + 1 : x;
  for (; y < 12; y++) sum += 1 / (y * y);
  const r = 1 / y;
  const z = r * r;
  // B_2n: Abramowitz and Stegun (1964), 6.4.12.
  const rest = sum + r * (1 + 0.5 * r +
        z * (1.6666666666666666e-1 -
            z * (3.3333333333333333e-2 -
                z * (2.3809523809523808e-2 -
                    z * (3.3333333333333333e-2 -
                        z * (7.5757575757575757e-2 -
                            z * (0.2531135531135531 -
                                z * (1.1666666666666667 - z * 7.092156862745098))))))));
  return largest + rest;
}
