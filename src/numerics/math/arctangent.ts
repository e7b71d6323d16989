/** The arctangent: the kernel of fdlibm's `s_atan` (Sun Microsystems, 1993). */

/** atan of ½, 1, 3/2 and ∞, in two parts. */
const high = [
  4.63647609000806093515e-1,
  7.85398163397448278999e-1,
  9.82793723247329054082e-1,
  1.57079632679489655800,
];
const low = [
  2.26987774529616870924e-17,
  3.06161699786838301793e-17,
  1.39033110312309984516e-17,
  6.12323399573676603587e-17,
];

/** x − atan(x), over x, for |x| < 7/16. */
function tail(x: number): number {
  const z = x * x;
  const w = z * z;
  const even = z * (3.33333333333329318027e-1 +
    w * (1.42857142725034663711e-1 +
        w * (9.09088713343650656196e-2 +
            w * (6.66107313738753120669e-2 +
                w * (4.97687799461593236017e-2 + w * 1.62858201153657823623e-2)))));
  const odd = w * (-1.99999999998764832476e-1 +
    w * (-1.11111104054623557880e-1 +
        w * (-7.69187620504482999495e-2 +
            w * (-5.83357013379057348645e-2 - w * 3.65315727442169155270e-2))));
  return even + odd;
}

/**
 * The angle in [−π/2, π/2] whose tangent is x, within 1 unit in the last place.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { atan } from "./arctangent.ts";
 * assert.equal(atan(1), Math.PI / 4);
 * ```
 */
export function atan(x: number): number {
  const a = Math.abs(x);
  if (a < 0.4375) return x - x * tail(x);
  if (x !== x) return NaN;
  const [i, r] = a < 0.6875
    ? [0, (2 * a - 1) / (2 + a)]
    : a < 1.1875
    ? [1, (a - 1) / (a + 1)]
    : a < 2.4375
    ? [2, (a - 1.5) / (1 + 1.5 * a)]
    : [3, -1 / a];
  const angle = high[i] - ((r * tail(r) - low[i]) - r);
  return x < 0 ? -angle : angle;
}
