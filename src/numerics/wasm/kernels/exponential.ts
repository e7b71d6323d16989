/** e^x on four lanes of single precision, by a polynomial after reduction of the argument. */
import { f32x4, i32x4, sequence, v128 } from "../assembler.ts";
import type { Code, Kernel, Local, Statement } from "../assembler.ts";

// Reduction and coefficients are those of `expf` in the Cephes library (Moshier 1989): an error
// of at most 2 units in the last place. Below −87, near the smallest normal number, the result is 0.

const lowest = -87;
const ln2High = 0.693359375;
const ln2Low = -2.12194440e-4;
const coefficients = [
  1.9875691500e-4,
  1.3981999507e-3,
  8.3334519073e-3,
  4.1665795894e-2,
  1.6666665459e-1,
  5.0000001201e-1,
];

const { add, sub, mul } = f32x4;

/**
 * Replaces each lane of `x`, at most 88, by its exponential.
 *
 * ```ts
 * import assert from "node:assert/strict";
 * import { assemble, f32x4, Kernel } from "../assembler.ts";
 * import { exponential } from "./exponential.ts";
 * const kernel = new Kernel("exp", "f32");
 * const [at] = kernel.integers(1);
 * const x = kernel.local("v128");
 * kernel.define([x.set(f32x4.load(at.get)), exponential(kernel, x)], f32x4.lane(x.get, 0));
 * const host = { memory: new WebAssembly.Memory({ initial: 1 }) };
 * const made = new WebAssembly.Instance(new WebAssembly.Module(assemble([kernel])), { host });
 * new Float32Array(host.memory.buffer).set([1]);
 * const { exp } = made.exports as Record<string, (...of: number[]) => number>;
 * assert(Math.abs(exp(0) - Math.E) < 1e-6);
 * ```
 */
export function exponential(kernel: Kernel, x: Local<"v128">): Statement {
  const [k, r, y] = kernel.locals("v128", 3);
  const horner = coefficients.slice(1).reduce(
    (sum, c) => add(mul(sum, r.get), f32x4.of(c)),
    f32x4.of(coefficients[0]),
  );
  const power = i32x4.shiftLeft(i32x4.add(f32x4.truncate(k.get), i32x4.of(127)), 23);
  const reduced: Code<"v128"> = sub(x.get, mul(k.get, f32x4.of(ln2High)));
  return sequence(
    k.set(f32x4.nearest(mul(f32x4.max(x.get, f32x4.of(lowest)), f32x4.of(Math.LOG2E)))),
    r.set(sub(reduced, mul(k.get, f32x4.of(ln2Low)))),
    y.set(add(add(mul(horner, mul(r.get, r.get)), r.get), f32x4.of(1))),
    x.set(v128.and(mul(y.get, power), f32x4.ge(x.get, f32x4.of(lowest)))),
  );
}
