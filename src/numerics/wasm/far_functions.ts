/** e^x, log x and log(1 + x) on two lanes of any size, edges included: rarely called, so apart. */
import { FunctionBody, type Local } from "./function_body.ts";
import {
  logOfReduced,
  pushIsModerate,
  pushModerateLogOnePlus,
  pushPowerOfTwo,
  pushReducedExponential,
  splitExponent,
} from "./functions.ts";

/** e^x. Both lanes are often so low that nothing is left, as of terms that do not count. */
export function farExponential(): FunctionBody {
  const f = new FunctionBody(["v128"], ["v128"]);
  const x = 0;
  f.get(x).constant(-746).op("f64x2.lt", "i64x2.all_true");
  f.either(() => f.constant(0), () => pushFarExponential(f, x));
  return f;
}

/** Pushes e^x: the power of two comes in two factors, of which the second rounds. */
function pushFarExponential(f: FunctionBody, x: Local): void {
  const bounded = f.get(x).constant(-746).op("f64x2.max").constant(710).op("f64x2.min").hold();
  f.constant(Infinity).constant(0);
  const { k } = pushReducedExponential(f, bounded);
  const half = f.get(k).constant(0.5).op("f64x2.mul", "f64x2.floor").hold();
  const rest = f.get(k, half).op("f64x2.sub").hold();
  pushPowerOfTwo(f, half).op("f64x2.mul");
  pushPowerOfTwo(f, rest).op("f64x2.mul");
  f.get(x).constant(-745.1332191019412).op("f64x2.lt", "v128.bitselect");
  f.get(x).constant(709.782712893384).op("f64x2.gt", "v128.bitselect");
}

/** log x: numbers below the normal range are scaled by 2^54. */
export function farLogarithm(): FunctionBody {
  const f = new FunctionBody(["v128"], ["v128"]);
  const x = 0;
  const tiny = f.get(x).constant(2.2250738585072014e-308).op("f64x2.lt").hold();
  f.get(x).constant(18014398509481984).op("f64x2.mul").get(x, tiny).op("v128.bitselect");
  const { fraction, exponent } = splitExponent(f, f.hold());
  const d = f.get(fraction).constant(1).op("f64x2.sub").hold();
  const k = f.get(exponent).constant(54).get(tiny).op("v128.and", "f64x2.sub").hold();
  f.constant(-Infinity).constant(Infinity);
  logOfReduced(f, d, k, undefined);
  f.get(x).constant(Infinity).op("f64x2.eq", "v128.bitselect");
  f.get(x).constant(0).op("f64x2.eq", "v128.bitselect");
  f.constant(NaN).get(x).constant(0).op("f64x2.ge", "v128.bitselect");
  return f;
}

/** log(1 + x): the logarithm of the sum where that is as good. @param far of `farLogarithm`. */
export function farLogOnePlus(far: number): FunctionBody {
  const f = new FunctionBody(["v128"], ["v128"]);
  const x = 0;
  pushModerateLogOnePlus(f, x);
  f.get(x).constant(1).op("f64x2.add").call(far);
  pushIsModerate(f, x).op("v128.bitselect");
  return f;
}
