/** The random stream in generated code: words, uniform numbers, and normal ones for a row. */
import type { FunctionBody, LocalIndex as Local } from "../../../numerics/wasm/mod.ts";
import { RowCode } from "./row_code.ts";
import { frame, library } from "./tree_frame.ts";

/** The next word of the random stream: `RandomStream.uint32`. */
export function word(width: number): FunctionBody {
  const f = new RowCode(width, "word");
  const [a, b, c, d, t] = Array.from({ length: 5 }, () => f.local("i32"));
  [a, b, c, d].forEach((local, i) => f.word(frame.stream + 4 * i).set(local));
  const save = (i: number, local: Local) => f.i32(0).get(local).storeIndex(frame.stream + 4 * i);
  f.get(b).i32(5).op("i32.mul").i32(7).op("i32.rotl").i32(9).op("i32.mul");
  f.get(b).i32(9).op("i32.shl").set(t);
  f.get(c, a).op("i32.xor").set(c);
  f.get(d, b).op("i32.xor").set(d);
  f.get(b, c).op("i32.xor").set(b);
  f.get(a, d).op("i32.xor").set(a);
  f.get(c, t).op("i32.xor").set(c);
  f.get(d).i32(11).op("i32.rotl").set(d);
  [a, b, c, d].forEach((local, i) => save(i, local));
  return f;
}

/** A uniform number: `RandomStream.uniform`. */
export function uniform(width: number): FunctionBody {
  const f = new RowCode(width, "uniform");
  const half = () => f.callOwn("word").i32(6).op("i32.shr_u", "f64.convert_i32_u");
  half().number(67108864).op("f64.mul");
  half().op("f64.add").number(0.5).op("f64.add").number(4503599627370496).op("f64.div");
  return f;
}

/** Fills a row with standard normal numbers: `fillNormal`. */
export function fillRow(f: RowCode, row: Local): void {
  const [at, end] = [f.local("i32"), f.local("i32")];
  const [x, y, square, scale] = Array.from({ length: 4 }, () => f.local("f64"));
  f.get(row).set(at).get(row).word(frame.dimension).op("i32.add").set(end);
  f.asLongAs(() => f.get(at, end).op("i32.lt_u"), () => {
    // A square of 1 begins: no point of the circle has been found.
    f.number(1).set(square);
    f.asLongAs(() => isOutside(f, square), () => {
      for (const coordinate of [x, y]) {
        f.number(2).callOwn("uniform").op("f64.mul").number(1).op("f64.sub");
        f.set(coordinate);
      }
      f.get(x, x).op("f64.mul").get(y, y).op("f64.mul", "f64.add").set(square);
    });
    f.number(-2).get(square).op("f64x2.splat").call(library.index("log")).extract(0);
    f.op("f64.mul").get(square).op("f64.div", "f64.sqrt").set(scale);
    f.get(at, x, scale).op("f64.mul").storeNumber(0);
    f.get(at).i32(8).op("i32.add").get(end).op("i32.lt_u").when(() => {
      f.get(at, y, scale).op("f64.mul").storeNumber(8);
    });
    f.get(at).i32(16).op("i32.add").set(at);
  });
}

/** Pushes whether a square is not within (0, 1). */
function isOutside(f: RowCode, square: Local): void {
  f.get(square).number(1).op("f64.ge").get(square).number(0).op("f64.eq", "i32.or");
}
