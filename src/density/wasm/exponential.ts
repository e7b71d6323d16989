/** Exponential, logarithm and logistic function with the bits of src/math/elementary.ts. */
import { FunctionBody } from "./assembler.ts";

const roundShift = 6755399441055744;
const inverseLn2 = 1.4426950408889634;
const ln2High = 6.93147180369123816490e-1;
const ln2Low = 1.90821492927058770002e-10;
/** Coefficients of fdlibm's exp, highest order first. */
const coefficients = [
  4.13813679705723846039e-8,
  -1.65339022054652515390e-6,
  6.61375632143793436117e-5,
  -2.77777777770155933842e-3,
  1.66666666666666019037e-1,
];

/** The bits of 1.0: 1023 in the field of exponents. */
const one = 1;

/**
 * A function v128 → v128. Outside |x| <= 708, where powers of two leave the normal range, it asks
 * the imported scalar `exp`.
 *
 * @param scalarExp index of that import.
 */
export function exponentialPair(scalarExp: number): FunctionBody {
  const f = new FunctionBody(["v128"], "v128");
  const x = 0;
  f.get(x).op("f64x2.abs").pair(708).op("f64x2.le", "i64x2.all_true", "i32.eqz");
  f.when(() => {
    f.get(x).op("f64x2.extract_lane 0").call(scalarExp).op("f64x2.splat");
    f.get(x).op("f64x2.extract_lane 1").call(scalarExp).op("f64x2.replace_lane 1", "return");
  });
  const [shifted, k, high, low, r, t, c] = Array.from({ length: 7 }, () => f.local("v128"));
  f.get(x).pair(inverseLn2).op("f64x2.mul").pair(roundShift).op("f64x2.add").set(shifted);
  f.get(shifted).pair(roundShift).op("f64x2.sub").set(k);
  f.get(x, k).pair(ln2High).op("f64x2.mul", "f64x2.sub").set(high);
  f.get(k).pair(ln2Low).op("f64x2.mul").set(low);
  f.get(high, low).op("f64x2.sub").set(r);
  f.get(r, r).op("f64x2.mul").set(t);
  f.get(r, t).pair(coefficients[4]).get(t).pair(coefficients[3]).get(t).pair(coefficients[2]);
  f.get(t).pair(coefficients[1]).get(t).pair(coefficients[0]);
  for (let j = 0; j < 4; j++) f.op("f64x2.mul", "f64x2.add");
  f.op("f64x2.mul", "f64x2.sub").set(c);
  f.pair(1).get(low, r, c).op("f64x2.mul").pair(2).get(c).op("f64x2.sub", "f64x2.div");
  f.op("f64x2.sub").get(high).op("f64x2.sub", "f64x2.sub");
  f.get(shifted).i32(52).op("i64x2.shl").pair(one).op("i64x2.add", "f64x2.mul");
  return f;
}

/** A function f64 → f64: e^x by both lanes of `pairIndex`. */
export function exponential(pairIndex: number): FunctionBody {
  const f = new FunctionBody(["f64"], "f64");
  return f.get(0).op("f64x2.splat").call(pairIndex).op("f64x2.extract_lane 0");
}

/** A function f64 → f64: 1 / (1 + e^−x), by the branch that does not overflow. */
export function logisticFunction(exponentialIndex: number): FunctionBody {
  const f = new FunctionBody(["f64"], "f64");
  f.f64(0).get(0).op("f64.le").when(() => {
    f.f64(1).f64(1).get(0).op("f64.neg").call(exponentialIndex);
    f.op("f64.add", "f64.div", "return");
  });
  const e = f.local("f64");
  f.get(0).call(exponentialIndex).set(e);
  return f.get(e).f64(1).get(e).op("f64.add", "f64.div");
}

/** Coefficients of musl's log in even and odd powers of s², highest order first. */
const evenCoefficients = [
  1.531383769920937332e-1,
  2.222219843214978396e-1,
  3.999999999940941908e-1,
];
const oddCoefficients = [
  1.479819860511658591e-1,
  1.818357216161805012e-1,
  2.857142874366239149e-1,
  6.666666666666735130e-1,
];

/** A function f64 → f64: log x; what is not a positive normal number goes to the imported `log`. */
export function logarithm(scalarLog: number): FunctionBody {
  const f = new FunctionBody(["f64"], "f64");
  const x = 0;
  f.f64(2.2250738585072014e-308).get(x).op("f64.le").get(x).f64(1.7976931348623157e308);
  f.op("f64.le", "i32.and", "i32.eqz").when(() => f.get(x).call(scalarLog).op("return"));
  const bits = f.local("i64");
  const [k, r] = [f.local("f64"), f.local("f64")];
  f.get(x).op("i64.reinterpret_f64").set(bits);
  f.get(bits).i64(52).op("i64.shr_u", "f64.convert_i64_s").f64(1023).op("f64.sub").set(k);
  f.get(bits).i64(12).op("i64.shl").i64(12).op("i64.shr_u").i64Bits(1);
  f.op("i64.or", "f64.reinterpret_i64").set(r);
  f.f64(1.4142135623730951).get(r).op("f64.lt").when(() => {
    f.get(r).f64(0.5).op("f64.mul").set(r);
    f.get(k).f64(1).op("f64.add").set(k);
  });
  return pushLogOfReduced(f, r, k);
}

/** log r + k ln 2 for r in [√½, √2]. */
function pushLogOfReduced(f: FunctionBody, r: number, k: number): FunctionBody {
  const [d, s, z, w, half] = Array.from({ length: 5 }, () => f.local("f64"));
  f.get(r).f64(1).op("f64.sub").set(d);
  f.get(d).f64(2).get(d).op("f64.add", "f64.div").set(s);
  f.get(s, s).op("f64.mul").set(z);
  f.get(z, z).op("f64.mul").set(w);
  f.f64(0.5).get(d).op("f64.mul").get(d).op("f64.mul").set(half);
  f.get(s, half);
  pushHorner(f, w, w, evenCoefficients);
  f.op("f64.add");
  pushHorner(f, z, w, oddCoefficients);
  f.op("f64.add", "f64.mul").get(k).f64(ln2Low).op("f64.mul", "f64.add");
  f.get(half).op("f64.sub").get(d).op("f64.add");
  return f.get(k).f64(ln2High).op("f64.mul", "f64.add");
}

/** factor · (c0 + w · (c1 + …)), the last coefficient outermost. */
function pushHorner(f: FunctionBody, factor: number, w: number, c: readonly number[]): void {
  f.get(factor);
  for (let j = c.length - 1; j > 0; j--) f.f64(c[j]).get(w);
  f.f64(c[0]);
  for (let j = 1; j < c.length; j++) f.op("f64.mul", "f64.add");
  f.op("f64.mul");
}
