/** e^x and log x of many numbers at a time, by generated code: two lanes, no number on the heap. */
import { FunctionBody } from "./function_body.ts";
import { FunctionLibrary } from "./library.ts";
import { batchBytes, firstBatch, sharedMemory } from "./memory.ts";
import { assembleModule } from "./module.ts";
import { instanceOf } from "./module_cache.ts";

/** Numbers that are computed at a time. */
export const batchSize: number = batchBytes / 8;

type OfBatch = (bytes: number) => void;

let exponentials: OfBatch | undefined;
let logarithms: OfBatch | undefined;
let view: Float64Array = new Float64Array(0);

/** The numbers that are replaced; of use until other generated code runs. */
export function batch(): Float64Array {
  const { buffer } = sharedMemory();
  // A memory that has grown has a new buffer.
  if (view.buffer !== buffer) view = new Float64Array(buffer, firstBatch, batchSize);
  return view;
}

/** Replaces the first `count` numbers of the batch by their exponentials, with the bits of `exp`. */
export function exponentiate(count: number): void {
  exponentials ??= instantiate("exp");
  if (count > 0) exponentials(16 * Math.ceil(count / 2));
}

/** Replaces them by their logarithms, with the bits of `log`. */
export function takeLogarithms(count: number): void {
  logarithms ??= instantiate("log");
  if (count > 0) logarithms(16 * Math.ceil(count / 2));
}

function instantiate(name: "exp" | "log"): OfBatch {
  const library = new FunctionLibrary([name], 0);
  const f = new FunctionBody(["i32"], []);
  const [bytes, at] = [0, f.local("i32")];
  f.asLongAs(() => f.get(at, bytes).op("i32.lt_u"), () => {
    f.get(at).get(at).load(firstBatch).call(library.index(name)).store(firstBatch);
    f.get(at).i32(16).op("i32.add").set(at);
  });
  const module = assembleModule([], [...library.bodies(), f], [{ name, index: library.count }]);
  return instanceOf(module, { memory: sharedMemory() }).exports[name] as OfBatch;
}
