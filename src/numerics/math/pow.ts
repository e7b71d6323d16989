/** Real powers x^y in double precision, from + − × ÷ alone: the method of fdlibm's `e_pow`. */
import { scaleByPowerOfTwo } from "./power_of_two.ts";

/** The 26 leading bits of x, so that a product of two such heads is exact (Veltkamp 1968). */
function head(x: number): number {
  const c = 134217729 * x;
  return c - (c - x);
}

/** Whether y is an integer and odd; every double from 2^53 on is even. */
function isOddInteger(y: number): boolean {
  const a = Math.abs(y);
  return a < 9007199254740992 && a === Math.floor(a) && a % 2 === 1;
}

/**
 * x^y, within 1 unit in the last place, with the edge cases of IEEE 754's `pow` (1^NaN = 1,
 * (−1)^±∞ = 1, a negative base only with an integer exponent).
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { pow } from "./pow.ts";
 * assert.equal(pow(2, 0.5), Math.SQRT2);
 * assert.equal(pow(-2, 3), -8);
 * ```
 */
export function pow(x: number, y: number): number {
  if (y === 0 || x === 1) return 1;
  if (x !== x || y !== y) return NaN;
  if (y === 2) return x * x;
  if (y === 1) return x;
  if (y === -1) return 1 / x;
  const ax = Math.abs(x);
  if (ax === 0 || ax === Infinity || ax === 1 || Math.abs(y) > 1e21) return edgePower(x, y);
  const negative = x < 0;
  if (negative && y !== Math.floor(y)) return NaN;
  const value = positivePower(ax, y);
  return negative && isOddInteger(y) ? -value : value;
}

/** Powers with base 0, ±1 or ±∞, or with an exponent so large that only |x| ≷ 1 matters. */
function edgePower(x: number, y: number): number {
  const ax = Math.abs(x);
  if (x < 0 && y !== Math.floor(y)) return ax === 1 ? NaN : y > 0 === ax > 1 ? Infinity : 0;
  const size = ax === 1 ? 1 : y > 0 === ax > 1 ? Infinity : 0;
  const odd = isOddInteger(y);
  return odd && (x < 0 || Object.is(x, -0)) ? -size : size;
}

/** x^y for 0 < x < ∞: 2^(y log2 x), with log2 x in two parts of together about 75 bits. */
function positivePower(x: number, y: number): number {
  if (y === 0.5) return Math.sqrt(x);
  let n = 0;
  let a = x;
  for (; a >= 18446744073709551616; n += 64) a *= 5.421010862427522e-20;
  for (; a < 5.421010862427522e-20; n -= 64) a *= 18446744073709551616;
  for (; a >= 65536; n += 16) a *= 1.52587890625e-5;
  for (; a < 1; n -= 16) a *= 65536;
  const e = 31 - Math.clz32(a | 0);
  a /= 1 << e;
  n += e;
  let offset: 0 | 1 = 0;
  if (a > 1.224744871391589) {
    if (a < 1.7320508075688772) offset = 1;
    else {
      a *= 0.5;
      n += 1;
    }
  }
  return powerOfReduced(a, offset, n, y);
}

/** (2^n a)^y for a near 1 (`offset` 0) or near 3/2 (`offset` 1). */
function powerOfReduced(a: number, offset: 0 | 1, n: number, y: number): number {
  const base = offset === 1 ? 1.5 : 1;
  const logBaseHigh = offset === 1 ? 5.84962487220764160156e-1 : 0;
  const logBaseLow = offset === 1 ? 1.35003920212974897128e-8 : 0;
  // s = (a − base) / (a + base) in two parts; log a = log base + 2 s + 2/3 s³ + …
  const difference = a - base;
  const inverse = 1 / (a + base);
  const s = difference * inverse;
  const sHigh = head(s);
  const sumHigh = head(a + base);
  const sumLow = a - (sumHigh - base);
  const sLow = inverse * ((difference - sHigh * sumHigh) - sHigh * sumLow);
  const s2 = s * s;
  const r = s2 * s2 *
      (5.99999999999994648725e-1 +
        s2 * (4.28571428578550184252e-1 +
            s2 * (3.33333329818377432918e-1 +
                s2 * (2.72728123808534006489e-1 +
                    s2 * (2.30660745775561754067e-1 + s2 * 2.06975017800338417784e-1))))) +
    sLow * (sHigh + s);
  const square = sHigh * sHigh;
  const tHigh = head(3 + square + r);
  const tLow = r - ((tHigh - 3) - square);
  const u = sHigh * tHigh;
  const v = sLow * tHigh + tLow * s;
  const pHigh = head(u + v);
  const pLow = v - (pHigh - u);
  const zHigh = 9.61796700954437255859e-1 * pHigh;
  const zLow = -7.02846165095275826516e-9 * pHigh + pLow * 9.61796693925975554329e-1 + logBaseLow;
  const log2High = head(((zHigh + zLow) + logBaseHigh) + n);
  const log2Low = zLow - (((log2High - n) - logBaseHigh) - zHigh);
  const yHigh = head(y);
  return twoToThe(yHigh * log2High, (y - yHigh) * log2High + y * log2Low);
}

/** 2^(high + low), where low is small beside high. */
function twoToThe(high: number, low: number): number {
  const z = high + low;
  if (z >= 1024) return Infinity;
  if (z < -1075) return 0;
  const k = Math.round(z);
  const rest = high - k;
  const t = head(low + rest);
  const u = t * 6.93147182464599609375e-1;
  const v = (low - (t - rest)) * 6.93147180559945286227e-1 + t * -1.90465429995776804525e-9;
  const w = u + v;
  const lost = v - (w - u);
  const w2 = w * w;
  const c = w -
    w2 * (1.66666666666666019037e-1 +
        w2 * (-2.77777777770155933842e-3 +
            w2 * (6.61375632143793436117e-5 +
                w2 * (-1.65339022054652515390e-6 + w2 * 4.13813679705723846039e-8))));
  const value = 1 - (((w * c) / (c - 2) - (lost + w * lost)) - w);
  return scaleByPowerOfTwo(value, k);
}
