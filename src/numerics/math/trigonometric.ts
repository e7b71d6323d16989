/** Sine and cosine in double precision, from + − × ÷ alone: the kernels of fdlibm. */

/** 2/π · 2^1200, enough bits to reduce the largest double (Payne and Hanek 1983). */
const twoOverPi = BigInt(
  "0x" +
    "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561b7246e3a424dd2e0" +
    "06492eea09d1921cfe1deb1cb129a73ee88235f52ebb4484e99c7026b45f7e413991d639835339f4" +
    "9c845f8bbdf9283b1ff897ffde05980fef2f118b5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d" +
    "7527bac7ebe5f17b3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b",
);

/** Remainder of an angle after quarter turns as head and tail, and the quarter turns mod 4. */
const reduced = { head: 0, tail: 0, quarter: 0 };

/** Reduces |x| to [−π/4, π/4], leaving the answer in `reduced`. */
function reduce(x: number): void {
  const a = Math.abs(x);
  if (a <= 0.7853981633974483) set(x, 0, 0);
  else if (a < 1647099) reduceNear(x);
  else reduceFar(x);
}

function set(head: number, tail: number, quarter: number): void {
  reduced.head = head;
  reduced.tail = tail;
  reduced.quarter = quarter;
}

/** Takes n π/2 off in three parts of 33 bits (Cody and Waite 1980). */
function reduceNear(x: number): void {
  const n = Math.round(x * 6.36619772367581382433e-1);
  const first = x - n * 1.57079632673412561417;
  let w = n * 6.07710050630396597660e-11;
  const second = first - w;
  const lost = (first - second) - w;
  w = n * 2.02226624871116645580e-21 - lost;
  const third = second - w;
  w = n * 8.47842766036889956997e-32 - ((second - third) - w);
  const head = third - w;
  set(head, (third - head) - w, n & 3);
}

/** Reduces a large angle with exact integers: slow, and rare. */
function reduceFar(x: number): void {
  let mantissa = Math.abs(x);
  let e = 0;
  for (; mantissa >= 9007199254740992; e++) mantissa /= 2;
  for (; mantissa !== Math.floor(mantissa); e--) mantissa *= 2;
  // |x| · 2/π · 2^1200, of which the lowest 1202 bits are the angle modulo a full turn.
  const product = e >= 0
    ? (BigInt(mantissa) * twoOverPi) << BigInt(e)
    : (BigInt(mantissa) * twoOverPi) >> BigInt(-e);
  const turn = BigInt.asUintN(1202, product);
  const quarter = (turn + (1n << 1199n)) >> 1200n;
  const fraction = turn - (quarter << 1200n);
  // As head + tail of 53 bits each, times π/2 in two parts.
  const scale = 4503599627370496;
  const high = Number(fraction >> 1148n) / scale;
  const low = Number((fraction >> 1096n) - ((fraction >> 1148n) << 52n)) / scale / scale;
  timesHalfPi(high, low, Number(quarter) & 3, x < 0);
}

/** (high + low) π/2 as head + tail; `high` has at most 52 bits. */
function timesHalfPi(high: number, low: number, quarter: number, negative: boolean): void {
  const c = 134217729 * high;
  const h = c - (c - high);
  const l = high - h;
  const p = high * 1.5707963267948966;
  // 1.5707963267948966 split in heads of 26 bits.
  const ph = 1.5707963407039642;
  const pl = 1.5707963267948966 - ph;
  const error = ((h * ph - p) + h * pl + l * ph) + l * pl;
  const tail = error + high * 6.123233995736766e-17 + low * 1.5707963267948966;
  const head = p + tail;
  const rest = tail - (head - p);
  if (negative) set(-head, -rest, -quarter & 3);
  else set(head, rest, quarter);
}

/** sin(x + tail) for |x| ≤ π/4. */
function sinKernel(x: number, tail: number): number {
  const z = x * x;
  const v = z * x;
  const r = 8.33333333332248946124e-3 +
    z * (-1.98412698298579493134e-4 +
        z * (2.75573137070700676789e-6 +
            z * (-2.50507602534068634195e-8 + z * 1.58969099521155010221e-10)));
  return x - ((z * (0.5 * tail - v * r) - tail) - v * -1.66666666666666324348e-1);
}

/** cos(x + tail) for |x| ≤ π/4. */
function cosKernel(x: number, tail: number): number {
  const z = x * x;
  const w = z * z;
  const r = z * (4.16666666666666019037e-2 +
        z * (-1.38888888888741095749e-3 + z * 2.48015872894767294178e-5)) +
    w * w * (-2.75573143513906633035e-7 +
        z * (2.08757232129817482790e-9 + z * -1.13596475577881948265e-11));
  const half = 0.5 * z;
  const one = 1 - half;
  return one + (((1 - one) - half) + (z * r - x * tail));
}

/**
 * The sine of an angle in radians, within 1 unit in the last place at every size.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { sin } from "./trigonometric.ts";
 * assert.equal(sin(1e22), -0.8522008497671888);
 * ```
 */
export function sin(x: number): number {
  return x - x === 0 ? turned(x, 0) : NaN;
}

/**
 * The cosine of an angle in radians, within 1 unit in the last place at every size.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { cos } from "./trigonometric.ts";
 * assert(Math.abs(cos(Math.PI / 3) - 0.5) < 1e-15);
 * ```
 */
export function cos(x: number): number {
  return x - x === 0 ? turned(x, 1) : NaN;
}

/** sin(x + quarters · π/2). */
function turned(x: number, quarters: number): number {
  reduce(x);
  const quarter = (reduced.quarter + quarters) & 3;
  const value = quarter & 1
    ? cosKernel(reduced.head, reduced.tail)
    : sinKernel(reduced.head, reduced.tail);
  return quarter & 2 ? -value : value;
}
