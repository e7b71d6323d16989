/** e^x, log x and log(1 + x) on two lanes, with the bits of src/numerics/math/elementary.ts. */
import { FunctionBody, type Local } from "./function_body.ts";

// Each is written for arguments of moderate size, and calls the function of `far_functions.ts` if
// a lane is outside of them.

/** Adding and subtracting 1.5 · 2^52 rounds to the nearest integer, ties to even. */
export const roundShift = 6755399441055744;
/** 1 / ln 2. */
export const inverseLn2 = 1.4426950408889634;
/** ln 2 in two parts, the first with zeros at its end. */
export const ln2High = 6.93147180369123816490e-1;
/** The second part of ln 2. */
export const ln2Low = 1.90821492927058770002e-10;

/** Coefficients of fdlibm's exp, lowest order first. */
const exponentialCoefficients = [
  1.66666666666666019037e-1,
  -2.77777777770155933842e-3,
  6.61375632143793436117e-5,
  -1.65339022054652515390e-6,
  4.13813679705723846039e-8,
];
/** Coefficients of musl's log in even and odd powers of s², lowest order first. */
const evenCoefficients = [
  3.999999999940941908e-1,
  2.222219843214978396e-1,
  1.531383769920937332e-1,
];
const oddCoefficients = [
  6.666666666666735130e-1,
  2.857142874366239149e-1,
  1.818357216161805012e-1,
  1.479819860511658591e-1,
];

/** The number whose bits are the fraction field of a double, all ones. */
const fractionBits = 2.225073858507201e-308;
/** 2^52, whose last bits count integers; and the same with the bias of exponents added. */
const integerBase = 4503599627370496;
const exponentBase = 4503599627371519;

/** Σ cᵢ tⁱ by Horner's rule, innermost coefficient last. */
export function polynomial(f: FunctionBody, t: Local, coefficients: readonly number[]): void {
  for (let i = 0; i < coefficients.length - 1; i++) f.constant(coefficients[i]).get(t);
  f.constant(coefficients[coefficients.length - 1]);
  for (let i = 1; i < coefficients.length; i++) f.op("f64x2.mul", "f64x2.add");
}

/** e^x as a function. @param far index of `farExponential`. */
export function exponential(far: number): FunctionBody {
  const f = new FunctionBody(["v128"], ["v128"]);
  pushExponential(f, 0, far);
  return f;
}

/**
 * Pushes e^x. Outside |x| <= 708 powers of two leave the normal range.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { FunctionBody } from "./function_body.ts";
 * import { pushExponential } from "./functions.ts";
 * const body = new FunctionBody(["v128"], ["v128"]);
 * pushExponential(body, 0, 1);
 * ```
 *
 * @param far index of `farExponential`.
 */
export function pushExponential(f: FunctionBody, x: Local, far: number): void {
  f.get(x).op("f64x2.abs").constant(708).op("f64x2.le", "i64x2.all_true");
  f.either(() => {
    const { shifted } = pushReducedExponential(f, x);
    pushShifted(f, shifted).op("f64x2.mul");
  }, () => void f.get(x).call(far));
}

/** Pushes e^(x − k ln 2); returns the whole number k = round(x / ln 2), and k + 1.5 · 2^52. */
export function pushReducedExponential(
  f: FunctionBody,
  x: Local,
): { readonly k: Local; readonly shifted: Local } {
  const shifted = f.get(x).constant(inverseLn2).op("f64x2.mul").constant(roundShift).op(
    "f64x2.add",
  )
    .hold();
  const k = f.get(shifted).constant(roundShift).op("f64x2.sub").hold();
  const high = f.get(x, k).constant(ln2High).op("f64x2.mul", "f64x2.sub").hold();
  const low = f.get(k).constant(ln2Low).op("f64x2.mul").hold();
  const r = f.get(high, low).op("f64x2.sub").hold();
  const t = f.get(r, r).op("f64x2.mul").hold();
  f.get(r, t);
  polynomial(f, t, exponentialCoefficients);
  const c = f.op("f64x2.mul", "f64x2.sub").hold();
  f.constant(1).get(low, r, c).op("f64x2.mul").constant(2).get(c).op("f64x2.sub", "f64x2.div");
  f.op("f64x2.sub").get(high).op("f64x2.sub", "f64x2.sub");
  return { k, shifted };
}

/** Pushes 2^k; the last bits of k + 1.5 · 2^52 are k: added to the exponent of 1 they make 2^k. */
function pushShifted(f: FunctionBody, shifted: Local): FunctionBody {
  return f.get(shifted).i32(52).op("i64x2.shl").constant(1).op("i64x2.add");
}

/** Pushes 2^k for whole k in the range of normal exponents. */
export function pushPowerOfTwo(f: FunctionBody, k: Local): FunctionBody {
  return pushShifted(f, f.get(k).constant(roundShift).op("f64x2.add").hold());
}

/** log x, for positive, normal and finite numbers. @param far index of `farLogarithm`. */
export function logarithm(far: number): FunctionBody {
  const f = new FunctionBody(["v128"], ["v128"]);
  const x = 0;
  f.get(x).constant(2.2250738585072014e-308).op("f64x2.ge");
  f.get(x).constant(1.7976931348623157e308).op("f64x2.le", "v128.and", "i64x2.all_true");
  f.either(() => {
    const { fraction, exponent } = splitExponent(f, x);
    const d = f.get(fraction).constant(1).op("f64x2.sub").hold();
    logOfReduced(f, d, exponent, undefined);
  }, () => void f.get(x).call(far));
  return f;
}

/** log(1 + x), for −0.9 < x < 2^31 − 1. @param far index of `farLogOnePlus`. */
export function logOnePlus(far: number): FunctionBody {
  const f = new FunctionBody(["v128"], ["v128"]);
  pushIsModerate(f, 0).op("i64x2.all_true");
  f.either(() => pushModerateLogOnePlus(f, 0), () => void f.get(0).call(far));
  return f;
}

/** Pushes where −0.9 < x < 2^31 − 1. */
export function pushIsModerate(f: FunctionBody, x: Local): FunctionBody {
  f.get(x).constant(-0.9).op("f64x2.gt").get(x).constant(2147483000).op("f64x2.lt");
  return f.op("v128.and");
}

/** Pushes log(1 + x) for lanes of moderate size. */
export function pushModerateLogOnePlus(f: FunctionBody, x: Local): void {
  f.get(x).constant(-0.2928932188134524).op("f64x2.gt").get(x).constant(0.41421356237309503);
  const near = f.op("f64x2.lt", "v128.and").hold();
  const u = f.constant(1).get(x).op("f64x2.add").hold();
  const lost = pushLost(f, x, u);
  const { fraction, exponent } = splitExponent(f, u);
  const select = (far: () => void, close: () => void): Local => {
    close();
    far();
    return f.get(near).op("v128.bitselect").hold();
  };
  const zero = () => void f.constant(0);
  const d = select(() => f.get(fraction).constant(1).op("f64x2.sub"), () => f.get(x));
  const k = select(() => f.get(exponent), zero);
  const correction = select(() => f.get(lost), zero);
  f.get(x);
  logOfReduced(f, d, k, correction);
  // Below 2^-54 the logarithm is x itself.
  f.get(x).op("f64x2.abs").constant(5.551115123125783e-17).op("f64x2.lt", "v128.bitselect");
}

/** Pushes the rounding error of 1 + x, relative to u. */
function pushLost(f: FunctionBody, x: Local, u: Local): Local {
  f.constant(1).get(u, x).op("f64x2.sub", "f64x2.sub");
  f.get(x, u).constant(1).op("f64x2.sub", "f64x2.sub");
  f.get(x).constant(1).op("f64x2.gt", "v128.bitselect");
  return f.get(u).op("f64x2.div").hold();
}

/** x = fraction · 2^exponent with fraction in (√½, √2]. */
export function splitExponent(f: FunctionBody, x: Local): { fraction: Local; exponent: Local } {
  f.get(x).i32(52).op("i64x2.shr_u").constant(integerBase).op("v128.or").constant(exponentBase);
  const e = f.op("f64x2.sub").hold();
  const m = f.get(x).constant(fractionBits).op("v128.and").constant(1).op("v128.or").hold();
  const large = f.get(m).constant(1.4142135623730951).op("f64x2.gt").hold();
  f.get(m).constant(0.5).op("f64x2.mul").get(m, large).op("v128.bitselect");
  const fraction = f.hold();
  const exponent = f.get(e, large).constant(1).op("v128.and", "f64x2.add").hold();
  return { fraction, exponent };
}

/** Pushes log(1 + d) + k ln 2 + correction. */
export function logOfReduced(
  f: FunctionBody,
  d: Local,
  k: Local,
  correction: Local | undefined,
): void {
  const s = f.get(d).constant(2).get(d).op("f64x2.add", "f64x2.div").hold();
  const z = f.get(s, s).op("f64x2.mul").hold();
  const w = f.get(z, z).op("f64x2.mul").hold();
  const half = f.constant(0.5).get(d).op("f64x2.mul").get(d).op("f64x2.mul").hold();
  f.get(s, half, w);
  polynomial(f, w, evenCoefficients);
  f.op("f64x2.mul", "f64x2.add").get(z);
  polynomial(f, w, oddCoefficients);
  f.op("f64x2.mul", "f64x2.add", "f64x2.mul").get(k).constant(ln2Low).op("f64x2.mul");
  if (correction !== undefined) f.get(correction).op("f64x2.add");
  f.op("f64x2.add").get(half).op("f64x2.sub").get(d).op("f64x2.add");
  f.get(k).constant(ln2High).op("f64x2.mul", "f64x2.add");
}
