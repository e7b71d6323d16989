/** Writes the function through which other code on the memory asks for value and gradient. */
import { FunctionBody, type LocalIndex as Local } from "../../../../numerics/wasm/mod.ts";
import type { VectorPart } from "../evaluator.ts";

/** Elements up to which copying is written out, two by two. */
const mostWritten = 32;

/** A part of the unconstrained vector, and the addresses of its input and of its slopes. */
export interface PlacedPart extends VectorPart {
  /** Undefined if nothing reads the input. */
  readonly input?: number;
  readonly slopes: number;
}

/**
 * A function (position, gradient) → log density on addresses: copies the position to the inputs,
 * runs the task, and copies the slopes. −∞ and zeros unless all numbers are finite.
 *
 * @param task index of the function that computes them.
 * @param value address of the log density.
 */
export function writeGradient(
  task: number,
  value: number,
  parts: readonly PlacedPart[],
): FunctionBody {
  const f = new FunctionBody(["i32", "i32"], ["f64"]);
  const [position, gradient] = [0, 1];
  const [from, to] = [f.local("i32"), f.local("i32")];
  for (const { input, offset, size } of parts) {
    if (input === undefined) continue;
    f.get(position).i32(8 * offset).op("i32.add").set(from).i32(input).set(to);
    copyElements(f, from, to, size);
    // The last of an odd number of elements is followed by its copy.
    const last = 8 * size - 8;
    if (size > 1 && size & 1) f.get(to, from).loadSplat(last).store(last);
  }
  f.call(task, { parameters: [], results: [] });
  const density = f.i32(value).loadSplat(0).hold();
  const check = pushNothing(f, density).hold();
  for (const { slopes, offset, size } of parts) {
    f.i32(slopes).set(from).get(gradient).i32(8 * offset).op("i32.add").set(to);
    copyElements(f, from, to, size, check);
  }
  f.get(check).pair(0).op("f64x2.eq", "i64x2.all_true");
  f.when(() => f.get(density).extract(0).return());
  const size = parts.reduce((sum, part) => sum + part.size, 0);
  f.get(gradient).i32(0).i32(8 * size).fill();
  return f.number(-Infinity);
}

/** Pushes x − x, which is 0 if x is finite, else NaN. */
function pushNothing(f: FunctionBody, x: Local): FunctionBody {
  return f.get(x, x).op("f64x2.sub");
}

/** Copies numbers from one address to another; `check` becomes NaN if they are not finite. */
function copyElements(f: FunctionBody, from: Local, to: Local, size: number, check?: Local): void {
  const pair = f.local();
  const keep = () => {
    f.set(pair);
    if (check !== undefined) pushNothing(f, pair).get(check).op("f64x2.add").set(check);
  };
  const pairs = size >> 1;
  if (size <= mostWritten) {
    for (let k = 0; k < pairs; k++) {
      f.get(from).load(16 * k);
      keep();
      f.get(to, pair).store(16 * k);
    }
  } else {
    const at = f.local("i32");
    f.countUp(at, 16 * pairs, 16, () => {
      f.get(from, at).op("i32.add").load(0);
      keep();
      f.get(to, at).op("i32.add").get(pair).store(0);
    });
  }
  if (size & 1) {
    f.get(from).loadSplat(8 * size - 8);
    keep();
    f.get(to, pair).extract(0).storeNumber(8 * size - 8);
  }
}
