/** The generalised U-turn criterion in generated code. */
import type { FunctionBody } from "../../../numerics/wasm/mod.ts";
import { RowCode } from "./row_code.ts";
import { frame } from "./tree_frame.ts";

/** Whether momenta at the slots `a` and `b` turn against the sum over slots first … last. */
export function between(width: number): FunctionBody {
  const f = new RowCode(width, "between");
  const [a, b, first, last] = [0, 1, 2, 3];
  const stride = f.rowBytes();
  f.get(first).i32(1).op("i32.sub").set(first);
  const [atA, atB] = [f.row(frame.momenta, a, stride), f.row(frame.momenta, b, stride)];
  const [before, end] = [f.row(frame.sums, first, stride), f.row(frame.sums, last, stride)];
  const [rho, sumA, sumB] = [f.local(), f.local(), f.local()];
  f.pair(0).set(sumA).pair(0).set(sumB);
  f.pairs((k) => {
    f.two(end, k).two(before, k).op("f64x2.sub").set(rho);
    f.get(sumA).two(atA, k).get(rho).op("f64x2.mul", "f64x2.add").set(sumA);
    f.get(sumB).two(atB, k).get(rho).op("f64x2.mul", "f64x2.add").set(sumB);
  });
  f.total(sumA).number(0).op("f64.gt").total(sumB).number(0).op("f64.gt");
  return f.op("i32.and", "i32.eqz");
}

/** Whether the tree of slots left … right turns, or what joins its halves. */
export function turns(width: number): FunctionBody {
  const f = new RowCode(width, "turns");
  const [left, middle, right] = [0, 1, 2];
  const yes = () => f.i32(1).return();
  f.get(left, right, left, right).callOwn("between").when(yes);
  f.get(right, left).op("i32.sub").i32(1).op("i32.eq").when(() => f.i32(0).return());
  const following = f.local("i32");
  f.get(middle).i32(1).op("i32.add").set(following);
  f.get(left, following, left, following).callOwn("between").when(yes);
  return f.get(middle, right, middle, right).callOwn("between");
}
