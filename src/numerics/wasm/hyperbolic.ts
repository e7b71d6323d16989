/** e^x − 1 and tanh x on two lanes, with the bits of src/numerics/math/elementary.ts. */
import { FunctionBody, type Local } from "./function_body.ts";
import {
  inverseLn2,
  ln2High,
  ln2Low,
  polynomial,
  pushPowerOfTwo,
  roundShift,
} from "./functions.ts";

/** Coefficients of fdlibm's expm1, lowest order first. */
const coefficients = [
  1,
  -3.33333333333331316428e-2,
  1.58730158725481460165e-3,
  -7.93650757886487942473e-5,
  4.00821782732936239552e-6,
  -2.01099218183624371326e-7,
];

/** e^x − 1 as a function, for |x| < 40. @param far index of `farExponentialLessOne`. */
export function exponentialLessOne(far: number): FunctionBody {
  const f = new FunctionBody(["v128"], ["v128"]);
  pushExponentialLessOne(f, 0, far);
  return f;
}

/** The same where a lane may be of any size. @param farExponential index of that function. */
export function farExponentialLessOne(farExponential: number): FunctionBody {
  const f = new FunctionBody(["v128"], ["v128"]);
  const x = 0;
  moderate(f, x);
  f.constant(-1).get(x).call(farExponential).get(x).constant(-40).op(
    "f64x2.le",
    "v128.bitselect",
  );
  f.get(x).op("f64x2.abs").constant(40).op("f64x2.lt", "v128.bitselect");
  return f;
}

/** tanh x as a function: from e^(−2|x|) − 1 below 1, from e^(2|x|) − 1 above. */
export function hyperbolicTangent(farExpm1: number): FunctionBody {
  const f = new FunctionBody(["v128"], ["v128"]);
  const x = 0;
  const a = f.get(x).op("f64x2.abs").hold();
  const small = f.get(a).constant(1).op("f64x2.lt").hold();
  const large = f.get(a).constant(22).op("f64x2.gt").hold();
  f.constant(0).constant(-2).get(a).op("f64x2.mul").constant(2).get(a).op("f64x2.mul");
  f.get(small).op("v128.bitselect").get(large).op("v128.bitselect");
  const y = f.hold();
  pushExponentialLessOne(f, y, farExpm1);
  const t = f.hold();
  const sum = f.get(t).constant(2).op("f64x2.add").hold();
  f.constant(1);
  f.get(t).op("f64x2.neg").get(sum).op("f64x2.div");
  f.constant(1).constant(2).get(sum).op("f64x2.div", "f64x2.sub");
  f.get(small).op("v128.bitselect").get(large).op("v128.bitselect");
  f.get(x).constant(-0).op("v128.and", "v128.or");
  return f;
}

function pushExponentialLessOne(f: FunctionBody, x: Local, far: number): void {
  f.get(x).op("f64x2.abs").constant(40).op("f64x2.lt", "i64x2.all_true");
  f.either(() => moderate(f, x), () => void f.get(x).call(far));
}

/** Values that the variants for different k share. */
interface Reduced {
  readonly r: Local;
  readonly e: Local;
  readonly k: Local;
  /** 2^k and 2^−k. */
  readonly power: Local;
  readonly inverse: Local;
}

/** fdlibm's kernel: every variant is computed, and the one for k = round(x / ln 2) is taken. */
function moderate(f: FunctionBody, x: Local): void {
  const nearZero = f.get(x).op("f64x2.abs").constant(0.34657359027997264).op("f64x2.lt").hold();
  f.constant(0).get(x).constant(inverseLn2).op("f64x2.mul").constant(roundShift).op(
    "f64x2.add",
  );
  f.constant(roundShift).op("f64x2.sub").get(nearZero).op("v128.bitselect");
  const k = f.hold();
  const high = f.get(x, k).constant(ln2High).op("f64x2.mul", "f64x2.sub").hold();
  const low = f.get(k).constant(ln2Low).op("f64x2.mul").hold();
  const r = f.get(high, low).op("f64x2.sub").hold();
  const tail = f.get(high, r).op("f64x2.sub").get(low).op("f64x2.sub").hold();
  const half = f.constant(0.5).get(r).op("f64x2.mul").hold();
  const square = f.get(r, half).op("f64x2.mul").hold();
  polynomial(f, square, coefficients);
  const r1 = f.hold();
  const t = f.constant(3).get(r1, half).op("f64x2.mul", "f64x2.sub").hold();
  f.get(square, r1, t).op("f64x2.sub").constant(6).get(r, t).op("f64x2.mul", "f64x2.sub");
  const first = f.op("f64x2.div", "f64x2.mul").hold();
  f.get(r, first, tail).op("f64x2.sub", "f64x2.mul").get(tail).op("f64x2.sub");
  const e = f.get(square).op("f64x2.sub").hold();
  const power = pushPowerOfTwo(f, k).hold();
  const inverse = f.constant(1).get(power).op("f64x2.div").hold();
  pushVariants(f, { r, e, k, power, inverse });
  // k = 0: r − (r e − r²/2), and below 2^−54 x itself.
  const zero = () => {
    f.get(r, r, first).op("f64x2.mul").get(square).op("f64x2.sub", "f64x2.sub");
  };
  const rest = f.hold();
  zero();
  f.get(rest, k).constant(0).op("f64x2.eq", "v128.bitselect");
  const result = f.hold();
  f.get(x, result, x).op("f64x2.abs").constant(5.551115123125783e-17);
  f.op("f64x2.lt", "v128.bitselect");
}

/** Pushes the variant for k ≠ 0. */
function pushVariants(f: FunctionBody, { r, e, k, power, inverse }: Reduced): void {
  // k = −1
  f.constant(0.5).get(r, e).op("f64x2.sub", "f64x2.mul").constant(0.5).op("f64x2.sub");
  // k = 1
  f.constant(-2).get(e, r).constant(0.5).op("f64x2.add", "f64x2.sub", "f64x2.mul");
  f.constant(1).constant(2).get(r, e).op("f64x2.sub", "f64x2.mul", "f64x2.add");
  f.get(r).constant(-0.25).op("f64x2.lt", "v128.bitselect");
  // k ≤ −2 or k > 56
  f.constant(1).get(e, r).op("f64x2.sub", "f64x2.sub").get(power).op("f64x2.mul");
  f.constant(1).op("f64x2.sub");
  // 1 < k < 20
  f.constant(1).get(inverse).op("f64x2.sub").get(e, r).op("f64x2.sub", "f64x2.sub");
  f.get(power).op("f64x2.mul");
  // 20 ≤ k ≤ 56
  f.get(r, e, inverse).op("f64x2.add", "f64x2.sub").constant(1).op("f64x2.add");
  f.get(power).op("f64x2.mul");
  f.get(k).constant(20).op("f64x2.lt", "v128.bitselect");
  f.get(k).constant(-2).op("f64x2.le").get(k).constant(56).op("f64x2.gt", "v128.or");
  f.op("v128.bitselect");
  f.get(k).constant(1).op("f64x2.eq", "v128.bitselect");
  f.get(k).constant(-1).op("f64x2.eq", "v128.bitselect");
}
